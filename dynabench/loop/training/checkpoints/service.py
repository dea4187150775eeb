"""Finds checkpoints below the operator's folder, and fetches them from the hub."""

import asyncio
import re
import shutil
from pathlib import Path

from dynabench.engines.finetuning.errors import CheckpointError
from dynabench.engines.finetuning.folders import (
    checkpoint_digest,
    find_checkpoint,
    list_checkpoints,
    require_checkpoint,
)
from dynabench.engines.runners.errors import UnusableModelError
from dynabench.engines.runners.hub import fetch_from_hub
from dynabench.loop.training.checkpoints.values import Checkpoint

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_COMMIT_FILE = "commit.txt"
_SHOWN = 5


class Checkpoints:
    """What models are fine-tuned from.

    Args:
        root: The operator's folder of checkpoints; None where there is none.
        max_bytes: How large one from the hub can be.
    """

    def __init__(self, *, root: Path | None, max_bytes: int) -> None:
        self._root = root
        self._max_bytes = max_bytes

    def names(self) -> list[str]:
        """Return what the operator's folder holds."""
        return list_checkpoints(self._root)

    def require(self, name: str) -> None:
        """Refuse a name at once that can lead to no checkpoint.

        Raises:
            CheckpointError: With what is wrong with it.
        """
        folder = find_checkpoint(name, root=self._root)
        if folder is not None:
            require_checkpoint(folder, name=name)
        elif _HUB_ID.fullmatch(name) is None:
            known = self.names()
            some = f" There are: {', '.join(known[:_SHOWN])}." if known else ""
            raise CheckpointError(
                f"There is no checkpoint “{name}” in the operator's folder, and an id on the hub "
                f"is written organisation/name.{some}"
            )

    async def get(self, name: str, *, revision: str | None, into: Path) -> Checkpoint:
        """Return a checkpoint; one from the hub is fetched once into a training's own folder.

        Raises:
            CheckpointError: If it is not there or holds no model.
            HubUnavailableError: If the hub does not answer.
        """
        await asyncio.to_thread(self.require, name)
        found = await asyncio.to_thread(find_checkpoint, name, root=self._root)
        commit = None
        if found is None:
            found = into
            commit = await asyncio.to_thread(self._fetch, name, revision, into)
            await asyncio.to_thread(require_checkpoint, found, name=name)
        digest = await asyncio.to_thread(checkpoint_digest, found)
        return Checkpoint(name=name, folder=found, digest=digest, commit=commit)

    def _fetch(self, name: str, revision: str | None, into: Path) -> str:
        noted = into.parent / _COMMIT_FILE
        if noted.is_file():
            return noted.read_text(encoding="utf-8")
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir(parents=True)
        try:
            commit = fetch_from_hub(name, into=into, max_bytes=self._max_bytes, revision=revision)
        except UnusableModelError as error:
            raise CheckpointError(error.message) from error
        noted.write_text(commit, encoding="utf-8")
        return commit
