"""Starts the learning process, follows it, and keeps what it wrote."""

import asyncio
import json
import os
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from dynabench.engines.baselines.values import ConfigSummary
from dynabench.engines.practice.assistant import PracticeAssistant
from dynabench.engines.storage.store import BlobStore, Digest
from dynabench.loop.training.errors import NoTrainingDataError, TrainingProcessError
from dynabench.loop.training.learners.values import (
    ITEMS_FILE,
    MODEL_FOLDER,
    ORDER_FILE,
    REFUSED,
    SUCCESS,
    Told,
)
from dynabench.loop.training.values import LabelledItem, RecipeName

_MODULE = "dynabench.loop.training.learners"
# NumPy takes seeds below this; a larger or negative one wraps around.
_SEEDS = 2**32
# Of the parent's environment the child gets what Python itself needs, and no settings.
_KEPT_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]


class Learners:
    """Trains recipes; the same items, config and seed give the same files and so digest."""

    def __init__(self, *, blobs: BlobStore) -> None:
        self._blobs = blobs

    async def fit(
        self,
        recipe: RecipeName,
        items: Sequence[LabelledItem],
        *,
        config: ConfigSummary,
        seed: int,
        progress: Progress,
    ) -> Digest:
        """Train in a process of its own and return the digest of the stored model folder.

        The process ends with the caller: who cancels this, kills it.

        Raises:
            NoTrainingDataError: If the items do not suffice.
            TrainingProcessError: If the process ended without a model.
        """
        with tempfile.TemporaryDirectory(prefix="dynabench-training-") as name:
            folder = Path(name)
            await asyncio.to_thread(_write, folder, recipe, items, config, seed % _SEEDS)
            await _run(folder, progress)
            return await asyncio.to_thread(self._blobs.put_folder, folder / MODEL_FOLDER)

    async def write_practice(self, assistant: PracticeAssistant) -> Digest:
        """Return the digest of the stored folder of a practice model, which learns nothing."""

        def write() -> Digest:
            with tempfile.TemporaryDirectory(prefix="dynabench-practice-") as name:
                assistant.save(Path(name))
                return self._blobs.put_folder(Path(name))

        return await asyncio.to_thread(write)


def _write(
    folder: Path,
    recipe: RecipeName,
    items: Sequence[LabelledItem],
    config: ConfigSummary,
    seed: int,
) -> None:
    order = {"recipe": recipe.value, "seed": seed, "config": config.to_json()}
    (folder / ORDER_FILE).write_text(json.dumps(order), encoding="utf-8")
    with (folder / ITEMS_FILE).open("w", encoding="utf-8") as lines:
        for item in items:
            lines.write(json.dumps(asdict(item)) + "\n")


async def _run(folder: Path, progress: Progress) -> None:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        _MODULE,
        str(folder),
        stdin=DEVNULL,
        stdout=PIPE,
        env=environment | {"PYTHONHASHSEED": "0"},
    )
    try:
        last = await _follow(process, progress)
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if status == REFUSED:
        raise NoTrainingDataError(reason=last.doing)
    if status != SUCCESS:
        raise TrainingProcessError(status=status)


async def _follow(process: Process, progress: Progress) -> Told:
    assert process.stdout is not None, "it was asked for"
    last = Told(0.0, "")
    async for line in process.stdout:
        share, doing = json.loads(line)
        last = Told(float(share), str(doing))
        await progress(last.share, 1.0, last.doing)
    return last
