"""Whether a home is whole: the marks of one that is being restored, and of one that is in use.

Imports little: `dynabench up` looks at it.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from dynabench.app.backups.errors import DatabaseGoneError, RestoreUnfinishedError
from dynabench.kit.embedded_postgres.folders import has_cluster, make_home, outer_folder
from dynabench.kit.locks import open_lock
from dynabench.kit.settings import Settings

MARK = "restore-unfinished.json"
IN_USE = "in-use.lock"
"""The file of a home that each server and worker holds, whichever database it uses."""
SET_UP = "admin-password"
"""The file in which setting up leaves the first administrator's password."""


def require_whole(home: Path) -> None:
    """Refuse an installation that is half restored.

    Raises:
        RestoreUnfinishedError: If a restore runs, or was interrupted.
    """
    if (home / MARK).exists():
        raise RestoreUnfinishedError(home)


def require_database(settings: Settings) -> None:
    """Refuse a home that was set up, and whose database is gone, rather than begin an empty one.

    Raises:
        DatabaseGoneError: If there is no data where that of the home would lie.
    """
    home = settings.home
    was_set_up = settings.database_url is None and (home / SET_UP).exists()
    if was_set_up and not has_cluster(home):
        raise DatabaseGoneError(home, outside=outer_folder(home))


@contextmanager
def in_use(home: Path) -> Iterator[None]:
    """Keep a home from being replaced while a lasting process works with it.

    A home that cannot be written to cannot be replaced either, and needs no lock.

    Raises:
        RestoreUnfinishedError: If a restore runs, or was interrupted.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            make_home(home)
            file = stack.enter_context(open_lock(home / IN_USE))
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RestoreUnfinishedError(home) from None
        require_whole(home)
        yield


def read_mark(home: Path) -> str | None:
    """Return the folder that an interrupted restore was setting the old files aside to.

    None where it was past that, or none was interrupted.
    """
    try:
        found = json.loads((home / MARK).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found["setting_aside"] if isinstance(found, dict) else None


def write_mark(home: Path, *, setting_aside: str | None) -> None:
    """Mark a home, whole at every moment."""
    written = (home / MARK).with_suffix(".new")
    written.write_text(json.dumps({"setting_aside": setting_aside}), encoding="utf-8")
    written.replace(home / MARK)


def remove_mark(home: Path) -> None:
    """Say that a home is whole."""
    (home / MARK).unlink()
