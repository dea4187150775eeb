"""`dynabench backup` and `dynabench restore`: an installation as a folder, and back."""

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel

from dynabench.app.backups.errors import NotConfirmedError
from dynabench.app.backups.making import NAME, make_backup
from dynabench.app.backups.manifest import Manifest, Tell
from dynabench.app.backups.places import is_taken, kept_cluster
from dynabench.app.backups.restoring import Restored, restore_backup
from dynabench.app.cli.database import OPERATOR, connected_settings, telling_of_doctor
from dynabench.app.cli.db import RowsDisagreeError
from dynabench.app.cli.output import AsJson, counted, moving_share, notice, say, show_json
from dynabench.app.wiring import wire
from dynabench.kit.asking import asked_by
from dynabench.kit.errors import UnavailableError
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings

Binaries = Annotated[
    Path | None,
    typer.Option(file_okay=False, help="The folder of pg_dump and pg_restore, if not found."),
]


class FilesDamagedError(UnavailableError):
    """A backup was made, but some stored files were damaged already."""

    code = "backups.files_damaged"

    def __init__(self, *, digests: tuple[str, ...]) -> None:
        super().__init__(
            f"The backup is made, but {counted(len(digests), 'stored file')} could not be kept: "
            f"damaged already. Look for them in an earlier backup: {', '.join(digests[:5])}",
            digests=[*digests],
        )


class Summary(BaseModel):
    """What `--json` prints of a backup, made or restored."""

    folder: str
    made_at: datetime
    version: str
    revision: str
    postgres: int
    rows: int
    files: int
    bytes: int
    damaged: tuple[str, ...]
    findings: tuple[str, ...] = ()
    aside: str | None = None


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(backup)
    app.command()(restore)


def backup(
    *,
    folder: Annotated[Path, typer.Argument(help="A new folder; it is made.")],
    binaries: Binaries = None,
    as_json: AsJson = False,
) -> None:
    """Write the database, the files and the keys to a new folder, while all runs.

    The folder holds the installation's keys: keep it as safe as the installation.
    """
    with connected_settings(has_any_schema=True) as settings, moving_share("Backup:") as move:
        manifest = asyncio.run(_make(settings, folder.absolute(), tell=move, binaries=binaries))
    if as_json:
        show_json(_summary(folder, manifest))
    else:
        rows, files = _sums(manifest)
        say(f"The backup is in {folder.absolute()}: {rows}, {files}.")
    if manifest.damaged:
        raise FilesDamagedError(digests=manifest.damaged)


def restore(
    *,
    folder: Annotated[Path, typer.Argument(help="A folder that `dynabench backup` made.")],
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Set an installation that is there aside; asks for its name."
        ),
    ] = False,
    binaries: Binaries = None,
    as_json: AsJson = False,
) -> None:
    """Bring a backup back into an empty installation.

    It goes to `DYNABENCH_HOME`, and to `DYNABENCH_DATABASE_URL` if that is set. The schema is
    brought up to date, and what is derived is computed again and compared.
    """
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    home = settings.home
    if replace and home.is_dir() and is_taken(home):
        notice(f"The installation in {home} is set aside, not deleted.")
        typed = typer.prompt(f"Type {home.name} to replace it", err=True)
        if typed != home.name:
            raise NotConfirmedError(expected=home.name)
    with asked_by(OPERATOR), telling_of_doctor(settings), moving_share("Restore:") as move:
        done = restore_backup(
            folder.absolute(), settings, tell=move, may_replace=replace, binaries=binaries
        )
    _show(folder, home, done, as_json=as_json)


def _show(folder: Path, home: Path, done: Restored, *, as_json: bool) -> None:
    if as_json:
        more = {"findings": done.findings, "aside": str(done.aside) if done.aside else None}
        show_json(_summary(folder, done.manifest).model_copy(update=more))
    else:
        rows, files = _sums(done.manifest)
        say(f"The backup of {done.manifest.made_at:%Y-%m-%d %H:%M} UTC is restored to {home}:")
        say(f"{rows}, {files}, revision {done.revision}.")
        if done.aside is not None:
            say(f"The installation before it lies in {done.aside}.")
            cluster = kept_cluster(home, done.aside)
            if cluster is not None:
                say(f"Its database lies in {cluster}.")
        for sentence in done.findings:
            say(sentence)
    if done.findings:
        raise RowsDisagreeError(
            f"{counted(len(done.findings), 'derived value')} not as the rows say."
        )


async def _make(settings: Settings, folder: Path, *, tell: Tell, binaries: Path | None) -> Manifest:
    wiring = wire(settings, application_name=NAME)
    try:
        return await make_backup(wiring, folder, tell=tell, binaries=binaries)
    finally:
        await wiring.close()


def _sums(manifest: Manifest) -> tuple[str, str]:
    rows = counted(sum(manifest.tables.values()), "row")
    megabytes = manifest.bytes / 1_000_000
    return rows, f"{counted(len(manifest.files), 'file')} ({megabytes:,.1f} MB)"


def _summary(folder: Path, manifest: Manifest) -> Summary:
    return Summary(
        folder=str(folder.absolute()),
        made_at=manifest.made_at,
        version=manifest.version,
        revision=manifest.revision,
        postgres=manifest.postgres,
        rows=sum(manifest.tables.values()),
        files=len(manifest.files),
        bytes=manifest.bytes,
        damaged=manifest.damaged,
    )
