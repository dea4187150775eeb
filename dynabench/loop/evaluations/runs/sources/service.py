"""Sources of answers: a model that is asked, and a file of predictions."""

import asyncio
import shutil
from codecs import BOM_UTF8
from collections.abc import Sequence
from tempfile import TemporaryFile
from time import perf_counter
from typing import BinaryIO
from uuid import UUID

import numpy as np
import orjson

from dynabench.engines.inference.metering import Usage
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.machine import describe_machine, reference_seconds
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.evaluations.prediction_files.values import UID
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Patience
from dynabench.loop.evaluations.runs.checking.rules import AnswerChecker, Checked
from dynabench.loop.evaluations.runs.measures.rules import Timed, pace_of_calls
from dynabench.loop.evaluations.runs.measures.service import measure_pace
from dynabench.loop.evaluations.runs.sources.values import ShardAnswers, Timing

_SEED_BITS = 64


class ModelSource:
    """A model that is asked.

    It gets the items shuffled and then by their length, under numbers that say nothing: an
    order that gives the right answers away would be one more thing to learn, and batches of
    like lengths are what models are fast at.

    Args:
        asker: Asks it.
        checker: Checks what it answers.
        seed: Of the order; the same evaluation always asks in the same one.
        call_seconds: How long single calls took, of a model elsewhere.
    """

    def __init__(
        self, asker: Asker, checker: AnswerChecker, *, seed: UUID, call_seconds: Sequence[float]
    ) -> None:
        self._asker = asker
        self._checker = checker
        self._seed = seed.int % 2**_SEED_BITS
        self._call_seconds = call_seconds
        # As it was after the block before: to look takes a while.
        self._usage: Usage | None = None

    @property
    def shard_items(self) -> int:
        """How many items are stored at once."""
        return self._asker.shard_items

    @property
    def at_once(self) -> int:
        """How many blocks may be asked at the same time: there is one model."""
        return 1

    @property
    def log(self) -> str:
        """What the model printed."""
        return self._asker.log

    def covers(self, block: ItemBlock) -> bool:
        """Tell that every split is asked."""
        return len(block) > 0

    async def answers(self, block: ItemBlock, *, number: int) -> ShardAnswers:
        """Ask every item of a block and check what is answered."""
        before, started = self._usage or self.usage(), perf_counter()
        order = order_of(block, seed=[self._seed, number])
        values = block.values
        found: list[Checked | None] = [None] * len(block)
        async for places, answers in self._asker.ask([values[place] for place in order]):
            items = [order[place] for place in places]
            checked = self._checker.check_all(answers, [values[item] for item in items])
            for item, one in zip(items, checked, strict=True):
                found[item] = one
        seconds = perf_counter() - started
        after = self._usage = self.usage()
        return ShardAnswers(
            checked=[one for one in found if one is not None],
            seconds=seconds,
            cpu_seconds=_spent(before, after),
            memory_peak_bytes=after.memory_peak_bytes,
        )

    def usage(self) -> Usage:
        """Return what the model's processes used."""
        return self._asker.usage()

    async def timing(self, sample: ItemBlock | None) -> Timing | None:
        """Time a model of its own process on a sample; of one elsewhere the calls were timed."""
        values = () if sample is None else sample.values
        if self._asker.is_remote:
            timed = Timed(pace_of_calls(self._call_seconds))
        else:
            timed = await measure_pace(self._asker, values)
        asked = [values[place] for place in timed.answers]
        checked = self._checker.check_all([*timed.answers.values()], asked)
        return Timing(
            pace=timed.pace,
            answers={
                place: outputs
                for place, (outputs, _, _) in zip(timed.answers, checked, strict=True)
            },
            is_measured_at_client=self._asker.is_remote,
            machine=describe_machine(),
            reference_seconds=await asyncio.to_thread(reference_seconds),
        )

    async def close(self) -> None:
        """End the model's process."""
        await self._asker.close()


class FileSource:
    """A file of predictions: one JSON object a line, with the item's uid beside its fields.

    Keeps where each item's line begins, not the lines.

    Args:
        stream: The file, which can be sought in; closed with the source.
        checker: Checks what its lines say.
    """

    shard_items = Patience().shard_items
    at_once = 1
    log = ""

    def __init__(self, stream: BinaryIO, checker: AnswerChecker) -> None:
        self._stream = stream
        self._checker = checker
        self._begins = _line_begins(stream)

    @classmethod
    async def open(cls, blobs: BlobStore, digest: str, checker: AnswerChecker) -> "FileSource":
        """Open a stored file."""

        def opened() -> FileSource:
            stream = TemporaryFile()  # noqa: SIM115 - the source closes it
            with blobs.open(parse_digest(digest)) as stored:
                shutil.copyfileobj(stored, stream)
            return cls(stream, checker)

        return await asyncio.to_thread(opened)

    def covers(self, block: ItemBlock) -> bool:
        """Tell whether a split has lines: `dev` may be left out, but only as a whole."""
        return any(uid in self._begins for uid in block.uids)

    async def answers(self, block: ItemBlock, *, number: int) -> ShardAnswers:
        """Read the lines of a block's items."""
        del number
        started = perf_counter()
        checked = await asyncio.to_thread(self._read, block)
        return ShardAnswers(checked=checked, seconds=perf_counter() - started)

    def usage(self) -> Usage:
        """Return nothing: nothing runs."""
        return Usage()

    async def timing(self, sample: ItemBlock | None) -> Timing | None:
        """Return nothing: nothing runs."""
        del sample
        return None

    async def close(self) -> None:
        """Close the file."""
        await asyncio.to_thread(self._stream.close)

    def _read(self, block: ItemBlock) -> list[Checked]:
        return self._checker.check_all([self._line(uid) for uid in block.uids], block.values)

    def _line(self, uid: str) -> dict[str, object]:
        begin = self._begins.get(uid)
        if begin is None:
            return {"error": "The file has no line for this item."}
        self._stream.seek(begin)
        fields = orjson.loads(self._stream.readline().strip())
        return {"outputs": {name: value for name, value in fields.items() if name != UID}}


def _line_begins(stream: BinaryIO) -> dict[str, int]:
    """Return where the line of each item begins; the file was checked when it came."""
    begins: dict[str, int] = {}
    place = len(BOM_UTF8) if stream.seek(0) == 0 and stream.read(len(BOM_UTF8)) == BOM_UTF8 else 0
    stream.seek(place)
    for line in stream:
        if line.strip():
            begins[str(orjson.loads(line.strip())[UID])] = place
        place += len(line)
    return begins


def order_of(block: ItemBlock, *, seed: Sequence[int]) -> list[int]:
    """Return the places of a block's items in the order in which they are asked."""
    sizes = np.array(block.sizes, dtype=np.int64)
    shuffled = np.random.default_rng([*seed]).permutation(len(block))
    order: list[int] = shuffled[np.argsort(sizes[shuffled], kind="stable")].tolist()
    return order


def _spent(before: Usage, after: Usage) -> float | None:
    if after.cpu_seconds is None:
        return None
    return max(0.0, after.cpu_seconds - (before.cpu_seconds or 0.0))
