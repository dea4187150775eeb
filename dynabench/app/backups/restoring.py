"""Brings a backup back: into an empty home, or an empty database and a home for the files."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from dynabench.app.backups.errors import (
    BackupDamagedError,
    BackupTooNewError,
    DatabaseTooOldError,
    RowsMissingError,
    ServerRunningError,
)
from dynabench.app.backups.manifest import (
    DUMP,
    HOME,
    Manifest,
    Tell,
    read_manifest,
    verify_files,
)
from dynabench.app.backups.places import prepared_home, require_apart, require_ready
from dynabench.app.verify import verify
from dynabench.app.wiring import wire
from dynabench.engines.storage.opening import open_store
from dynabench.kit.db.dumps import connected, load, major_of, row_counts
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.installation import find_dump_programs, find_installation
from dynabench.kit.settings import Settings
from dynabench.migrations.head import known_revisions
from dynabench.migrations.run import upgrade

NAME = "dynabench restore"
_VERIFIED, _FILES_BACK, _ROWS_BACK, _UPGRADED = 0.3, 0.6, 0.8, 0.9


@dataclass(frozen=True)
class Restored:
    """What a restore did.

    Attributes:
        manifest: Of the backup.
        revision: The schema's revision now.
        findings: Sentences about what is derived and does not agree with the rows, and about
            files that are named and gone.
        aside: Where the installation that was replaced lies; None where there was none.
    """

    manifest: Manifest
    revision: str
    findings: tuple[str, ...]
    aside: Path | None


def restore_backup(
    folder: Path,
    settings: Settings,
    *,
    tell: Tell,
    may_replace: bool = False,
    binaries: Path | None = None,
) -> Restored:
    """Bring a backup back, and look whether it is whole.

    Everything that can be refused is refused before anything is changed. An interrupted
    restore leaves a mark in the home, by which other processes refuse to start; the next
    restore begins anew.

    Args:
        folder: The backup.
        settings: Of the new installation.
        tell: Takes the progress.
        may_replace: Whether an installation in the home is set aside.
        binaries: The folder of `pg_restore`; None looks for the server's version.

    Raises:
        BackupIncompleteError: If the folder is no whole backup.
        BackupInHomeError: If it lies in the home, which is emptied.
        BackupDamagedError: If a file is missing or changed.
        BackupTooNewError: If newer code made it.
        DatabaseTooOldError: If it comes from a newer PostgreSQL.
        HomeTakenError: If the home is not empty.
        DatabaseTakenError, ServerRunningError: If the database is not, or somebody works with it.
        RowsMissingError: If the database does not have the rows of the backup.
    """
    manifest = read_manifest(folder)
    _require_usable(manifest)
    _require_database(settings, manifest)
    require_apart(folder, settings.home)
    verify_files(folder, manifest, tell=lambda share, what: tell(share * _VERIFIED, what))
    with ExitStack() as stack:
        aside = stack.enter_context(prepared_home(settings.home, may_replace=may_replace))
        _bring_files_back(folder, manifest, settings, tell=tell)
        url = settings.database_url
        if url is None:
            embedded = EmbeddedPostgres(settings.home, is_lasting=True)
            url = stack.enter_context(embedded)
            if not embedded.is_owner:
                raise ServerRunningError(where=str(settings.home))
        tell(_FILES_BACK, "restoring the database")
        _bring_rows_back(folder, manifest, url=url, binaries=binaries)
        there = settings.model_copy(update={"database_url": url})
        revision, findings = _bring_up_to_date(there, tell=tell)
    return Restored(manifest, revision, tuple(findings), aside)


def _bring_up_to_date(settings: Settings, *, tell: Tell) -> tuple[str, list[str]]:
    """Return the schema's revision after what it lacked, and what does not agree then."""
    tell(_ROWS_BACK, "bringing the schema up to date")
    state = upgrade(str(settings.database_url))
    tell(_UPGRADED, "verifying what is derived")
    return str(state.revision), asyncio.run(_verify(settings))


def _require_usable(manifest: Manifest) -> None:
    """Refuse a backup of newer code, and one without rows."""
    if manifest.revision not in known_revisions():
        raise BackupTooNewError(version=manifest.version, revision=manifest.revision)
    if not any(file.path == DUMP for file in manifest.files):
        raise BackupDamagedError(file=DUMP, why="is missing")


def _require_database(settings: Settings, manifest: Manifest) -> None:
    """Refuse a database that this backup cannot go into, before anything is read or changed."""
    if settings.database_url is not None:
        with connected(settings.database_url, name=NAME) as connection:
            require_ready(connection, postgres=manifest.postgres)
        return
    major = find_installation(existing_major=None).major
    if major < manifest.postgres:
        raise DatabaseTooOldError(backup=manifest.postgres, database=major)


def _bring_files_back(folder: Path, manifest: Manifest, settings: Settings, *, tell: Tell) -> None:
    """Put keys into the home and files into the store, each checked once more on its way."""
    store = open_store(settings.blobs_url, folder=settings.blobs_folder, environment=os.environ)
    for number, file in enumerate(manifest.files):
        share = number / len(manifest.files)
        tell(_VERIFIED + share * (_FILES_BACK - _VERIFIED), "restoring files")
        if file.path.startswith(f"{HOME}/"):
            target = settings.home / Path(file.path).name
            shutil.copyfile(folder / file.path, target)
            target.chmod(0o600)
        elif file.blob is not None:
            with (folder / file.path).open("rb") as source:
                if store.put_stream(source) != file.blob:
                    raise BackupDamagedError(file=file.path, why="was changed meanwhile")


def _bring_rows_back(folder: Path, manifest: Manifest, *, url: str, binaries: Path | None) -> None:
    with connected(url, name=NAME) as connection:
        programs = find_dump_programs(major_of(connection), folder=binaries)
        load(url, folder / DUMP, programs=programs)
        require_rows(row_counts(connection), expected=manifest.tables)
        # Without figures of its tables the database plans badly until it has looked at them.
        connection.execute("ANALYZE")


def require_rows(found: Mapping[str, int], *, expected: Mapping[str, int]) -> None:
    """Compare how many rows tables have with how many they had.

    Raises:
        RowsMissingError: At the first that differs.
    """
    for table, rows in expected.items():
        if found.get(table, 0) != rows:
            raise RowsMissingError(table=table, expected=rows, found=found.get(table, 0))


async def _verify(settings: Settings) -> list[str]:
    wiring = wire(settings, application_name=NAME)
    try:
        return await verify(wiring)
    finally:
        await wiring.close()
