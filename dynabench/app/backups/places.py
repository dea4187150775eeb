"""Where a backup is restored to: a home without an installation, an empty database."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from psycopg import Connection

from dynabench.app.backups.errors import (
    BackupInHomeError,
    DatabaseTakenError,
    DatabaseTooOldError,
    HomeTakenError,
    ServerRunningError,
)
from dynabench.app.backups.unfinished import (
    IN_USE,
    MARK,
    read_mark,
    remove_mark,
    write_mark,
)
from dynabench.kit.db.dumps import major_of, row_counts
from dynabench.kit.embedded_postgres.embedded import GUESTS_LOCK, OWNER_LOCK
from dynabench.kit.embedded_postgres.folders import make_home, outer_folder
from dynabench.kit.locks import open_lock

_ASIDE = "before-restore-"
# What a new disk has, what a half made mark leaves, and the locks, which others may wait for.
_NOTHING = frozenset({"lost+found", f"{Path(MARK).stem}.new", IN_USE, OWNER_LOCK, GUESTS_LOCK})
_BLOBS = "blobs"
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND application_name LIKE 'dynabench%'"
)


def is_taken(home: Path) -> bool:
    """Tell whether anything lies in a home but what earlier restores have set aside."""
    if (home / MARK).exists():
        return False
    # A store that nothing was kept in holds nothing that could be lost.
    found = [path for path in _entries(home) if path.name != _BLOBS or not _is_without_files(path)]
    return bool(found) or outer_folder(home).exists()


def require_apart(folder: Path, home: Path) -> None:
    """Refuse a backup that lies where a restore empties everything.

    Raises:
        BackupInHomeError: If the folder is the home or its database, or below either.
    """
    for place in (home, outer_folder(home)):
        if folder.resolve().is_relative_to(place.resolve()):
            raise BackupInHomeError(folder, home=home)


@contextmanager
def prepared_home(home: Path, *, may_replace: bool) -> Iterator[Path | None]:
    """Mark a home as half restored and empty it; it is whole when the block ends well.

    What was there before is set aside in it; what an interrupted restore has left is removed.

    Args:
        home: The folder; made if it is not there.
        may_replace: Whether an installation that is there may be set aside.

    Yields:
        Where the old installation lies now; None where there was none.

    Raises:
        HomeTakenError: If something is there that may not be replaced.
        ServerRunningError: If a process works with it.
    """
    make_home(home)
    if is_taken(home) and not may_replace:
        raise HomeTakenError(home)
    with _unused(home):
        aside = None
        if is_taken(home):
            write_mark(home, setting_aside=f"{_ASIDE}{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}")
        if (name := read_mark(home)) is not None:
            aside = _set_aside(home, home / name)
        write_mark(home, setting_aside=None)
        _empty(home)
    yield aside
    remove_mark(home)


def kept_cluster(home: Path, aside: Path) -> Path | None:
    """Return where a replaced installation's database lies, if that is outside of its files.

    Args:
        home: The home that was replaced.
        aside: Where its files lie now.
    """
    kept = _kept_name(outer_folder(home), aside)
    return kept if kept.is_dir() else None


def _kept_name(cluster: Path, aside: Path) -> Path:
    return cluster.with_name(f"{cluster.name}.{aside.name}")


def require_ready(connection: Connection, *, postgres: int) -> None:
    """Refuse a database that a backup cannot go into.

    Raises:
        DatabaseTooOldError: If its server is older than the one that the backup was made on.
        DatabaseTakenError: If it has tables.
        ServerRunningError: If another process of ours uses it.
    """
    if major_of(connection) < postgres:
        raise DatabaseTooOldError(backup=postgres, database=major_of(connection))
    if row_counts(connection):
        raise DatabaseTakenError
    row = connection.execute(_OTHERS).fetchone()
    if row is not None and row[0]:
        raise ServerRunningError(where="the database in DYNABENCH_DATABASE_URL")


def _entries(home: Path) -> list[Path]:
    kept = (MARK, *_NOTHING)
    return [
        path
        for path in home.iterdir()
        if path.name not in kept and not path.name.startswith(_ASIDE)
    ]


def _is_without_files(folder: Path) -> bool:
    """Tell whether a folder holds nothing but folders."""
    is_folder = folder.is_dir() and not folder.is_symlink()
    return is_folder and not any(files for _, _, files in os.walk(folder))


def _set_aside(home: Path, aside: Path) -> Path:
    """Move everything of an installation; goes on where an earlier try ended."""
    aside.mkdir(mode=0o711, exist_ok=True)
    elsewhere = outer_folder(home)
    for path in _entries(home):
        path.rename(aside / path.name)
    if elsewhere.exists():
        elsewhere.rename(_kept_name(elsewhere, aside))
    return aside


def _empty(home: Path) -> None:
    for path in (*_entries(home), outer_folder(home)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def _unused(home: Path) -> Iterator[None]:
    """Keep servers, workers and the embedded database of a home from being started."""
    with ExitStack() as stack:
        for name in (OWNER_LOCK, IN_USE):
            if not (home / name).exists():
                continue
            file = stack.enter_context(open_lock(home / name))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ServerRunningError(where=str(home)) from None
        yield
