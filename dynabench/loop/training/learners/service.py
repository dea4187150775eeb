"""Starts the learning process, follows it, and keeps what it wrote."""

import asyncio
import json
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from dynabench.engines.baselines.options import OptionValue
from dynabench.engines.baselines.values import ConfigSummary
from dynabench.engines.practice.assistant import PracticeAssistant
from dynabench.engines.storage.store import BlobStore, Digest
from dynabench.kit.sentences import Sentence, Told
from dynabench.loop.training.errors import NoTrainingDataError, TrainingProcessError
from dynabench.loop.training.learners.rules import item_line
from dynabench.loop.training.learners.values import (
    ITEMS_FILE,
    MODEL_FOLDER,
    ORDER_FILE,
    REFUSED,
    RESULT_FILE,
    SUCCESS,
    LearningOrder,
    Learnt,
    ToldLine,
)
from dynabench.loop.training.values import LabelledItem, RecipeName

_MODULE = "dynabench.loop.training.learners"
# NumPy takes seeds below this; a larger or negative one wraps around.
_SEEDS = 2**32
# Of the parent's environment the child gets what Python itself needs, and no settings.
_KEPT_VARIABLES = ("PATH", "PYTHONPATH", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
# A sum of the same numbers on another number of threads has other last bits, and so a digest.
_PINNED = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
}

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]


class Learners:
    """Trains recipes; the same items, config, options and seed give the same files and digest."""

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
        options: Mapping[str, OptionValue] | None = None,
    ) -> Digest:
        """Train on items at hand and return the digest of the stored model folder.

        The process ends with the caller: who cancels this, kills it.

        Raises:
            NoTrainingDataError: If the items do not suffice.
            TrainingProcessError: If the process ended without a model.
        """
        digest, _ = await self.fit_items(
            items,
            LearningOrder(recipe=recipe, config=config, seed=seed, options=options or {}),
            progress=progress,
        )
        return digest

    async def fit_items(
        self, items: Sequence[LabelledItem], order: LearningOrder, *, progress: Progress
    ) -> tuple[Digest, Learnt]:
        """Do as `fit` does, and say more of what was learned."""
        with tempfile.TemporaryDirectory(prefix="dynabench-training-") as name:
            folder = Path(name)
            with (folder / ITEMS_FILE).open("w", encoding="utf-8") as file:
                await asyncio.to_thread(file.writelines, map(item_line, items))
            learnt = await self.learn(folder, order, progress=progress)
            return await self.keep(folder), learnt

    async def learn(self, folder: Path, order: LearningOrder, *, progress: Progress) -> Learnt:
        """Train on the items in a folder; the model comes to lie beside them.

        Raises:
            NoTrainingDataError: If the items do not suffice.
            TrainingProcessError: If the process ended without a model.
        """
        told = {**order.to_json(), "seed": order.seed % _SEEDS}
        (folder / ORDER_FILE).write_text(json.dumps(told), encoding="utf-8")
        await _run(folder, progress)
        result = json.loads((folder / RESULT_FILE).read_text(encoding="utf-8"))
        return Learnt.of_json(result)

    async def keep(self, folder: Path) -> Digest:
        """Store the model that lies in a folder and return its digest."""
        return await asyncio.to_thread(self._blobs.put_folder, folder / MODEL_FOLDER)

    async def write_practice(self, assistant: PracticeAssistant) -> Digest:
        """Return the digest of the stored folder of a practice model, which learns nothing."""

        def write() -> Digest:
            with tempfile.TemporaryDirectory(prefix="dynabench-practice-") as name:
                assistant.save(Path(name))
                return self._blobs.put_folder(Path(name))

        return await asyncio.to_thread(write)


async def _run(folder: Path, progress: Progress) -> None:
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        _MODULE,
        str(folder),
        # Nothing is ever written to it: that it ends tells the process that this one has.
        stdin=PIPE,
        stdout=PIPE,
        env=environment | _PINNED,
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


async def _follow(process: Process, progress: Progress) -> ToldLine:
    assert process.stdout is not None, "it was asked for"
    last = ToldLine(0.0, "")
    async for line in process.stdout:
        share, doing, told = json.loads(line)
        said = doing if told is None else Sentence(doing, Told.model_validate(told))
        last = ToldLine(float(share), said)
        await progress(last.share, 1.0, last.doing)
    return last
