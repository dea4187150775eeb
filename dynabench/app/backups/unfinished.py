"""The mark of a home that is being restored: no other process may work with it.

Imports little: `dynabench up` looks at it.
"""

import json
from pathlib import Path

from dynabench.app.backups.errors import RestoreUnfinishedError

MARK = "restore-unfinished.json"


def require_whole(home: Path) -> None:
    """Refuse an installation that is half restored.

    Raises:
        RestoreUnfinishedError: If a restore runs, or was interrupted.
    """
    if (home / MARK).exists():
        raise RestoreUnfinishedError(home)


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
