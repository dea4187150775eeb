"""Makes, finds and removes the folders that trainings work in."""

import shutil
import time
from collections.abc import Collection
from pathlib import Path
from uuid import UUID

_KEPT_SECONDS = 7 * 24 * 3600


class Workspaces:
    """One folder per training below one of the installation's own.

    A worker that was killed leaves its folder, and whoever takes the job over on the same
    machine goes on in it; on another machine the training begins anew.

    Args:
        root: Where the folders are.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def open(self, work_id: UUID) -> Path:
        """Return a training's folder, made if it is not there; nobody else may look into it."""
        folder = self._root / str(work_id)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def remove(self, work_id: UUID) -> None:
        """Remove a training's folder, if it is there."""
        shutil.rmtree(self._root / str(work_id), ignore_errors=True)

    def sweep(self, *, in_use: Collection[UUID]) -> None:
        """Remove the folders that no training has touched for a week, but for those in use."""
        if not self._root.is_dir():
            return
        kept = {str(work_id) for work_id in in_use}
        oldest = time.time() - _KEPT_SECONDS
        for folder in self._root.iterdir():
            if folder.name not in kept and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
