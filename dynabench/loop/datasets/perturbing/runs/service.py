"""Use case of the worker: make a perturbed set of a version, or take an owner's own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from tempfile import TemporaryFile
from typing import TypeAlias
from uuid import UUID

from dynabench.engines.processes.pool import ProcessPool
from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.datasets.errors import NothingToPerturbError
from dynabench.loop.datasets.perturbing.brought.service import BroughtReader
from dynabench.loop.datasets.perturbing.rules import PerturbationTally, Recipe, recipe_of, vary
from dynabench.loop.datasets.perturbing.schemas import PerturbationResultRead
from dynabench.loop.datasets.perturbing.values import (
    VARIED_SPLITS,
    PerturbationOrder,
    name_of_perturbed,
)
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.storing.service import VersionWriter
from dynabench.loop.datasets.storing.values import VersionDraft, Written
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.uploads.imports.rules import next_items
from dynabench.loop.datasets.uploads.schemas import ItemProblemRead
from dynabench.loop.datasets.uploads.values import ImportState
from dynabench.loop.datasets.values import (
    DatasetItem,
    DatasetOrigin,
    DatasetVersion,
    PerturbationMaker,
    Split,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.science.task_config.schema import TaskConfig

_VARIED = Phrase("doing.items_varied", "{done} of {items} items varied")

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]
Items: TypeAlias = list[DatasetItem]
Pages: TypeAlias = AsyncIterator[Items]
Change: TypeAlias = Callable[[Items], Items]

_ORIGINALS_AT_ONCE = 100
_VARIANTS_AT_ONCE = 1_000
_ORIGINALS_FOR_PROCESSES = 2_000
_PROCESSES = 2


class PerturbationRunner:
    """Varies versions."""

    def __init__(
        self,
        *,
        tasks: TaskService,
        datasets: DatasetService,
        files: SentFiles,
        writer: VersionWriter,
    ) -> None:
        self._tasks = tasks
        self._datasets = datasets
        self._files = files
        self._writer = writer

    async def require_author(self, order: PerturbationOrder, author_id: UUID | None) -> None:
        """Refuse to begin with what somebody asked for who owns the task no more.

        Raises:
            OrderLapsedError: If they may not ask for it any more.
        """
        if order.is_asked:
            version = await self._datasets.get(order.version_id)
            await self._tasks.require_still(version.task_id, author_id=author_id)

    async def run(
        self, order: PerturbationOrder, *, created_by: UUID | None, progress: Progress
    ) -> PerturbationResultRead:
        """Write the perturbed set that an order asks for; the same order gives the same set.

        Raises:
            DatasetNotFoundError: If the version is gone.
            NothingToPerturbError: If no text of it can be varied.
            DatasetFileMissingError: If the owner's file is not here for this task.
        """
        version = await self._datasets.get(order.version_id)
        config = (await self._tasks.get_by_id(version.task_id)).config
        draft = _draft(version, order, created_by=created_by)
        if order.file is not None:
            return await self._take(order, order.file, version, config, draft, progress)
        return await self._make(order, version, config, draft, progress)

    async def _make(
        self,
        order: PerturbationOrder,
        version: DatasetVersion,
        config: TaskConfig,
        draft: VersionDraft,
        progress: Progress,
    ) -> PerturbationResultRead:
        recipe = recipe_of(config, order)
        tally = PerturbationTally()
        total = sum(version.sizes[split] for split in VARIED_SPLITS)

        async def pages() -> AsyncIterator[list[DatasetItem]]:
            for split in VARIED_SPLITS:
                async for page in self._varied(version, split, recipe, tally):
                    yield page
                    message = _VARIED.say(done=tally.items, items=total)
                    await progress(tally.items, total + 1, message)
            if not tally.changed:
                raise NothingToPerturbError(name=version.name, kind=order.kind.value)

        def told() -> Values:
            return tally.told(
                order.kind,
                made_by=PerturbationMaker.PLATFORM,
                seed=order.seed,
                transforms=[name for names in recipe.transforms.values() for name in names],
                left_out=recipe.left_out,
            )

        written = await self._writer.write(draft, pages(), config=config, perturbation=told)
        return _done(draft, written)

    async def _varied(
        self, version: DatasetVersion, split: Split, recipe: Recipe, tally: PerturbationTally
    ) -> AsyncIterator[list[DatasetItem]]:
        """Give the variants of a split's items, those of one item together."""
        position = 0
        pages = self._datasets.pages(version.id, split, size=_ORIGINALS_AT_ONCE)
        change = partial(vary, recipe=recipe)
        # Starting processes takes longer than varying a few items in a thread.
        is_large = version.sizes[split] >= _ORIGINALS_FOR_PROCESSES
        run = _in_processes if is_large else _in_threads
        async for originals, variants in run(change, pages):
            tally.add(len(originals), variants)
            yield [replace(variant, position=at) for at, variant in enumerate(variants, position)]
            position += len(variants)

    async def _take(
        self,
        order: PerturbationOrder,
        file: str,
        version: DatasetVersion,
        config: TaskConfig,
        draft: VersionDraft,
        progress: Progress,
    ) -> PerturbationResultRead:
        stream = await self._files.open(version.task_id, file)
        with stream, TemporaryFile() as aside:
            reader = BroughtReader(self._datasets, version=version, config=config, aside=aside)
            await reader.read(stream, order.row_format, progress=progress)
            if reader.problems:
                return _refused(draft, reader)
            tally = PerturbationTally()
            tally.add(len(reader.originals), ())

            async def pages() -> AsyncIterator[list[DatasetItem]]:
                aside.seek(0)
                while found := await asyncio.to_thread(next_items, aside, _VARIANTS_AT_ONCE):
                    tally.add(0, found)
                    yield found

            def told() -> Values:
                return tally.told(
                    order.kind,
                    made_by=PerturbationMaker.OWNER,
                    seed=None,
                    transforms=(),
                    left_out={},
                )

            written = await self._writer.write(draft, pages(), config=config, perturbation=told)
        return _done(draft, written)


async def _in_threads(change: Change, pages: Pages) -> AsyncIterator[tuple[Items, Items]]:
    async for originals in pages:
        yield originals, await asyncio.to_thread(change, originals)


async def _in_processes(change: Change, pages: Pages) -> AsyncIterator[tuple[Items, Items]]:
    async with ProcessPool(processes=_PROCESSES) as pool:
        async for originals, variants in pool.map(change, pages):
            yield originals, variants


def _draft(
    version: DatasetVersion, order: PerturbationOrder, *, created_by: UUID | None
) -> VersionDraft:
    varied = {"name": version.name, "version": version.version, "digest": version.digest}
    return VersionDraft(
        task_id=version.task_id,
        name=name_of_perturbed(version.name, order.kind),
        origin=DatasetOrigin.PERTURBATION,
        access=version.access,
        tags=version.tags,
        subtask_of=None,
        licence=version.licence,
        card={"description": "", "perturbs": varied},
        label_name=None,
        created_by=created_by,
        perturbs_id=version.id,
        perturbs_digest=version.digest,
    )


def _done(draft: VersionDraft, written: Written) -> PerturbationResultRead:
    version = written.version
    return PerturbationResultRead(
        state=ImportState.STORED if written.is_new else ImportState.THERE_ALREADY,
        dataset_version_id=version.id,
        name=draft.name,
        version=version.version,
        items=version.items,
        perturbation=version.perturbation,
        problems=[],
        more_problems=0,
    )


def _refused(draft: VersionDraft, reader: BroughtReader) -> PerturbationResultRead:
    return PerturbationResultRead(
        state=ImportState.REFUSED,
        dataset_version_id=None,
        name=draft.name,
        version=None,
        items=reader.items,
        perturbation=None,
        problems=[ItemProblemRead.model_validate(one) for one in reader.problems],
        more_problems=reader.more_problems,
    )
