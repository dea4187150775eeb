"""`dynabench db`: the database's schema, and whether what is derived agrees with the rows."""

import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.backups.unfinished import require_whole
from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import counted, moving_share, notice, say
from dynabench.app.verify import verify
from dynabench.app.wiring import wire
from dynabench.kit.embedded_postgres import upgrading
from dynabench.kit.errors import ConflictError, InvalidError
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings
from dynabench.migrations import run as migrations
from dynabench.migrations.head import is_at_newest
from dynabench.migrations.start import require_known_schema, require_schema

database = typer.Typer(no_args_is_help=True, help="The database: schema, and truth of its rows.")


class SchemaBehindError(ConflictError):
    """The database's schema is not the one that this version needs."""

    code = "cli.schema_differs"


class RowsDisagreeError(ConflictError):
    """What is derived does not agree with the rows that it comes from."""

    code = "cli.rows_disagree"


class NothingToVerifyError(ConflictError):
    """A database is verified that holds no installation."""

    code = "cli.nothing_to_verify"

    def __init__(self) -> None:
        super().__init__(
            "The database says no version of its schema (its table alembic_version is missing or"
            " empty), so there is nothing to verify. Check DYNABENCH_DATABASE_URL and"
            " DYNABENCH_HOME; `dynabench up` or `dynabench db upgrade` sets an empty database up."
        )


class NotEmbeddedError(InvalidError):
    """A command for the embedded database was typed where another one is named."""

    code = "cli.not_embedded"

    def __init__(self) -> None:
        super().__init__(
            "DYNABENCH_DATABASE_URL names a PostgreSQL of your own: upgrade that as its manual "
            "says. This command is for the embedded database, where that variable is not set."
        )


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(database, name="db")


@database.command("upgrade")
def upgrade() -> None:
    """Apply the migrations that the database lacks."""
    with connected_settings(may_be_new=True) as settings:
        state = migrations.upgrade(str(settings.database_url))
    say(f"The database is at revision {state.revision or 'none'}.")


@database.command("current")
def show_current() -> None:
    """Show the database's revision and the newest one."""
    with connected_settings(has_any_schema=True) as settings:
        state = migrations.current(str(settings.database_url))
    say(f"database {state.revision or 'none'}, newest {state.head or 'none'}")


@database.command("check")
def check() -> None:
    """Compare the database's tables with the code's."""
    with connected_settings(has_any_schema=True) as settings:
        state = migrations.check(str(settings.database_url))
    for difference in state.differences:
        say(difference)
    if not state.is_current:
        raise SchemaBehindError(
            f"The database is at revision {state.revision or 'none'} and this version needs "
            f"{state.head or 'none'}, with {counted(len(state.differences), 'difference')}. "
            "Bring it up to date: dynabench db upgrade"
        )
    say(f"The database is at revision {state.revision}, as it should be.")


@database.command("verify")
def verify_rows() -> None:
    """Recompute everything that is derived, and tell what does not agree with the rows."""
    with connected_settings(has_any_schema=True) as settings:
        url = str(settings.database_url)
        if require_known_schema(url) is None:
            raise NothingToVerifyError
        require_schema(url)
        found = asyncio.run(_verify(settings))
    _tell(found)
    say("Everything that is derived agrees with its rows.")


@database.command("url")
def show_url() -> None:
    """Print the database's URL, for psql and backups, while it is running."""
    settings = Settings.from_environment()
    if settings.database_url is None:
        notice("The embedded database; it stops when Dynabench does.")
    with connected_settings(has_any_schema=True) as connected:
        typer.echo(connected.database_url)


@database.command("upgrade-cluster")
def upgrade_cluster(
    *,
    old_binaries: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="The folder of the old version's programs."),
    ] = None,
) -> None:
    """Bring the embedded database over to the newest PostgreSQL that is installed.

    Its rows are dumped with the old version, restored into new data, counted and verified. Then
    the new data is used. The old data is kept.
    """
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    if settings.database_url is not None:
        raise NotEmbeddedError
    require_whole(settings.home)
    found: list[str] = []

    def look_at(url: str) -> None:
        if is_at_newest(url):
            there = settings.model_copy(update={"database_url": url})
            found.extend(asyncio.run(_verify(there)))

    with moving_share("Upgrade:") as move:
        done = upgrading.upgrade_cluster(
            settings.home, old_binaries=old_binaries, look_at=look_at, tell=move
        )
    say(
        f"The data is of PostgreSQL {done.new_major} now: {counted(done.rows, 'row')}, as before. "
        f"That of PostgreSQL {done.old_major} is kept. Once all is well, delete it:"
    )
    say(f"rm -r {shlex.quote(str(done.kept))}")
    _tell(found)


def _tell(found: Sequence[str]) -> None:
    for sentence in found:
        say(sentence)
    if found:
        raise RowsDisagreeError(f"{counted(len(found), 'derived value')} not as the rows say.")


async def _verify(settings: Settings) -> list[str]:
    wiring = wire(settings, application_name="dynabench db verify")
    try:
        return await verify(wiring)
    finally:
        await wiring.close()
