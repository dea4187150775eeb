"""A source of answers on a cluster: copies of the model, each asked a shard at a time.

What is asked there is kept here: a shard's answers come back to the worker that runs the
evaluation, which stores them with the shard's row as it does for a model of its own. A copy
that is lost loses what it was being asked, and that is asked again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from uuid import UUID

from dynabench.engines.cluster.values import Cluster, Copies
from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.metering import Usage
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.errors import DynabenchError
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Patience
from dynabench.loop.evaluations.runs.checking.rules import AnswerChecker
from dynabench.loop.evaluations.runs.clusters.values import Order, Told
from dynabench.loop.evaluations.runs.sources.service import ModelSource
from dynabench.loop.evaluations.runs.sources.values import ShardAnswers, Timing
from dynabench.loop.evaluations.values import SCORED_SPLITS
from dynabench.loop.models.rules import stored_spec
from dynabench.loop.models.values import Model
from dynabench.science.task_config.schema import TaskConfig

MakeCopy = Callable[[Order], object]
"""Makes a `ModelCopy` on a machine of the cluster; a function of a module, sent by its name."""

_LOGS = 5


class ModelCopy:
    """A model on a machine of the cluster; it is laid out and loaded when it is first asked.

    Args:
        order: The model.
        factory: Builds its process there, shut in as it would be anywhere.
        blobs: The store of files as that machine reaches it.
    """

    def __init__(self, order: Order, *, factory: TargetFactory, blobs: BlobStore) -> None:
        self._order = order
        self._factory = factory
        self._blobs = blobs
        self._id = new_id()
        self._source: ModelSource | None = None
        self._log = ""

    async def answers(self, block: ItemBlock, number: int) -> Told:
        """Ask every item of a block."""
        return await self._tell(lambda source: source.answers(block, number=number))

    async def timing(self, sample: ItemBlock | None) -> Told:
        """Time the model on a sample."""
        return await self._tell(lambda source: source.timing(sample))

    async def close(self) -> None:
        """End the model's process."""
        if self._source is not None:
            await self._source.close()

    async def _tell(self, ask: Callable[[ModelSource], Awaitable[object]]) -> Told:
        """Ask the model; a failure is told as a sentence, which every machine can read."""
        found, failure = None, None
        try:
            found = await ask(await self._opened())
        except ModelFailedError as error:
            failure, self._log = error.reason, error.log
        except DynabenchError as error:
            failure = error.message
        source = self._source
        if source is not None:
            self._log = source.log or self._log
        return Told(
            found=found,
            copy=self._id,
            usage=Usage() if source is None else source.usage(),
            log=self._log,
            failure=failure,
        )

    async def _opened(self) -> ModelSource:
        if self._source is not None:
            return self._source
        order = self._order
        folder = await asyncio.to_thread(self._blobs.folder, order.digest)
        spec = replace(order.spec, options={**order.spec.options, "folder": str(folder)})
        asker = Asker(spec, factory=self._factory, patience=order.patience)
        try:
            await asker.warm()
        except BaseException:
            await asker.close()
            raise
        checker = AnswerChecker(spec, order.config)
        self._source = ModelSource(asker, checker, seed=order.seed, call_seconds=())
        return self._source


class ClusterSource:
    """Copies of a model on a cluster, as one source of answers.

    Args:
        copies: The copies.
        name: The model's, for sentences people read.
        shard_items: How many items are stored at once.
    """

    def __init__(self, copies: Copies, *, name: str, shard_items: int) -> None:
        self._copies = copies
        self._name = name
        self._shard_items = shard_items
        self._usages: dict[UUID, Usage] = {}
        self._logs: dict[UUID, str] = {}

    @property
    def shard_items(self) -> int:
        """How many items are stored at once."""
        return self._shard_items

    @property
    def at_once(self) -> int:
        """How many blocks may be asked at the same time: one more than can be answered."""
        return self._copies.most + 1

    @property
    def log(self) -> str:
        """What the model printed, of its last copies."""
        return "\n".join([log for log in self._logs.values() if log][-_LOGS:])

    def covers(self, block: ItemBlock) -> bool:
        """Tell that every split is asked."""
        return len(block) > 0

    async def answers(self, block: ItemBlock, *, number: int) -> ShardAnswers:
        """Have a copy asked every item of a block; what is right is not sent along."""
        found = await self._ask("answers", _without_gold(block), number)
        assert isinstance(found, ShardAnswers), "a copy gives what it was asked for"
        return found

    def usage(self) -> Usage:
        """Return what a copy used on the mean and at most, and all of them together in time."""
        means = [one.memory_mean_bytes for one in self._usages.values() if one.memory_mean_bytes]
        peaks = [one.memory_peak_bytes for one in self._usages.values() if one.memory_peak_bytes]
        spent = [one.cpu_seconds for one in self._usages.values() if one.cpu_seconds is not None]
        return Usage(
            memory_mean_bytes=round(sum(means) / len(means)) if means else None,
            memory_peak_bytes=max(peaks, default=None),
            cpu_seconds=sum(spent) if spent else None,
        )

    async def timing(self, sample: ItemBlock | None) -> Timing | None:
        """Time one copy on a sample, on the machine that it is on."""
        found = await self._ask("timing", None if sample is None else _without_gold(sample))
        assert found is None or isinstance(found, Timing), "a copy gives what it was asked for"
        return found

    async def close(self) -> None:
        """End the copies."""
        await self._copies.close()

    async def _ask(self, method: str, *arguments: object) -> object:
        told = await self._copies.ask(method, *arguments)
        assert isinstance(told, Told), "a copy tells"
        self._usages[told.copy] = told.usage
        self._logs[told.copy] = told.log
        if told.failure is not None:
            raise ModelFailedError(name=self._name, reason=told.failure, log=self.log)
        return told.found


class ClusterOpener:
    """Opens models on a cluster.

    Args:
        cluster: The cluster.
        make: Makes a copy there.
        patience: The limits of asking.
    """

    def __init__(
        self, cluster: Cluster, *, make: MakeCopy, patience: Patience | None = None
    ) -> None:
        self._cluster = cluster
        self._make = make
        self._patience = patience or Patience()

    async def open(
        self, model: Model, version: DatasetVersion, config: TaskConfig, *, seed: UUID
    ) -> ClusterSource:
        """Return the source of an evaluation's answers.

        Raises:
            ClusterUnavailableError: If the cluster cannot be reached.
        """
        size = self._patience.shard_items
        order = Order(
            spec=stored_spec(model),
            digest=parse_digest(model.digest),
            config=config,
            seed=seed,
            patience=self._patience,
        )
        shards = sum(-(-version.sizes[split] // size) for split in SCORED_SPLITS)
        copies = await self._cluster.copies(partial(self._make, order), most=shards)
        return ClusterSource(copies, name=model.name, shard_items=size)


def _without_gold(block: ItemBlock) -> ItemBlock:
    """Return what of a block is needed to ask it."""
    return ItemBlock(
        position=block.position,
        uids=block.uids,
        values=block.values,
        sizes=block.sizes,
        gold=(),
        tags=(),
        contexts=(),
    )
