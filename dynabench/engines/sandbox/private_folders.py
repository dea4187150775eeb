"""Folders that a job's own user may not read are copied for the time of the run."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

_OPEN_FOLDER, _OPEN_FILE = 0o755, 0o644


def is_open(folder: Path) -> bool:
    """Tell whether every user may read all of a folder, wherever it lies."""
    for place, _folders, names in os.walk(folder):
        if stat.S_IMODE(Path(place).stat().st_mode) & 0o005 != 0o005:  # noqa: PLR2004
            return False
        for name in names:
            mode = (Path(place) / name).lstat().st_mode
            if stat.S_ISREG(mode) and not mode & 0o004:
                return False
    return True


def open_copy(folder: Path) -> Path:
    """Return a copy that every user may read, without links; the caller removes its parent."""
    parent = Path(tempfile.mkdtemp(prefix="dynabench-model-"))
    copy = parent / "model"
    shutil.copytree(folder, copy, symlinks=True)
    for place, _folders, names in os.walk(copy):
        Path(place).chmod(_OPEN_FOLDER)
        for name in names:
            file = Path(place) / name
            if file.is_symlink():
                file.unlink()
            else:
                file.chmod(_OPEN_FILE)
    return copy
