"""Writes the items of an order into one file, never holding more than a page of them."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dynabench.catalog.lines import has_lines, read_lines
from dynabench.loop.datasets.selections.service import SelectionService
from dynabench.loop.datasets.selections.values import ItemSelection
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.tasks.values import Task
from dynabench.loop.training.errors import TrainingTooLargeError
from dynabench.loop.training.gathering.values import Gathered
from dynabench.loop.training.learners.rules import item_line
from dynabench.loop.training.learners.values import ITEMS_FILE
from dynabench.loop.training.rules import require_learnable, summarise
from dynabench.loop.training.values import (
    MOST_ITEMS,
    STARTER_FILE,
    Ingredient,
    LabelledItem,
    TrainingOrder,
)
from dynabench.science.task_config.schema import TaskConfig

STARTER_NAME = "starter data"
_STARTER_LICENCE = "Apache-2.0"
_MOST_ANSWERS = 1_000


def starter_bytes(task: Task, name: str = STARTER_FILE) -> bytes | None:
    """Return a training set of a task from the catalogue as it is shipped; None for others."""
    if task.catalog_folder is None:
        return None
    lines = read_lines(task.catalog_folder, name)
    return None if lines is None else b"".join(line + b"\n" for line in lines)


def has_starter_items(task: Task) -> bool:
    """Tell whether a task brings starter data."""
    return task.catalog_folder is not None and has_lines(task.catalog_folder, STARTER_FILE)


def items_of(starter: bytes | None, *, weight: int = 1) -> list[LabelledItem]:
    """Return the items in the bytes of a training set."""
    lines = [json.loads(line) for line in (starter or b"").splitlines() if line]
    return [
        LabelledItem(
            context=one["context"], inputs=one["inputs"], answer=one["answer"], weight=weight
        )
        for one in lines
    ]


@dataclass
class _Count:
    """What has been written so far."""

    answer_name: str
    items: int = 0
    answers: set[str] = field(default_factory=set)

    def add(self, items: Sequence[LabelledItem]) -> None:
        """Count some more items.

        Raises:
            TrainingTooLargeError: If they are too many.
        """
        self.items += len(items)
        if self.items > MOST_ITEMS:
            raise TrainingTooLargeError(items=self.items, most=MOST_ITEMS)
        if len(self.answers) < _MOST_ANSWERS:
            self.answers.update(str(item.answer.get(self.answer_name)) for item in items)


class Gatherer:
    """Brings together what orders name.

    Args:
        datasets: Whose versions are learned from.
        selections: Reads those of their items that are wanted.
        media: Puts pictures and sounds into the items that name them.
    """

    def __init__(
        self, *, datasets: DatasetService, selections: SelectionService, media: MediaInliner
    ) -> None:
        self._datasets = datasets
        self._selections = selections
        self._media = media

    async def gather(
        self,
        task: Task,
        order: TrainingOrder,
        folder: Path,
        *,
        tell: Callable[[int], Awaitable[None]],
    ) -> Gathered:
        """Write the items of an order, or return what was written before.

        Only train splits are read, whatever a version holds beside them.

        Raises:
            NoTrainingDataError: If there is nothing to learn.
            TrainingTooLargeError: If it is too much.
        """
        found = await asyncio.to_thread(Gathered.load, folder)
        if found is None:
            found = await self._write(task, order, folder, tell)
            await asyncio.to_thread(found.save, folder)
        require_learnable(items=found.items, answers=found.answers, config=summarise(task.config))
        return found

    async def _write(
        self, task: Task, order: TrainingOrder, folder: Path, tell: Callable[[int], Awaitable[None]]
    ) -> Gathered:
        count = _Count(summarise(task.config).answer_name)
        ingredients: list[Ingredient] = []
        starter = None
        versions = await self._datasets.get_of_task(order.version_ids, task_id=task.id)
        with (folder / ITEMS_FILE).open("w", encoding="utf-8") as file:
            if order.with_starter_data:
                starter = await asyncio.to_thread(starter_bytes, task)
            if starter is not None:
                items = await asyncio.to_thread(items_of, starter, weight=order.starter_weight)
                items = as_seen(items, task.config)
                count.add(items)
                await asyncio.to_thread(file.writelines, map(item_line, items))
                ingredients.append(starter_ingredient(starter, items, order.starter_weight))
            for version, source in zip(versions, order.sources, strict=True):
                before = count.items
                async for page in self._pages(version, order.selection, source.weight):
                    items = as_seen(page, task.config)
                    count.add(items)
                    await asyncio.to_thread(file.writelines, map(item_line, items))
                    await tell(count.items)
                taken = count.items - before
                ingredients.append(version_ingredient(version, weight=source.weight, items=taken))
        digest = None if starter is None else hashlib.sha256(starter).hexdigest()
        return Gathered(
            items=count.items,
            answers=tuple(sorted(count.answers)),
            ingredients=tuple(ingredients),
            starter_digest=digest,
        )

    async def _pages(
        self, version: DatasetVersion, selection: ItemSelection, weight: int
    ) -> AsyncIterator[list[LabelledItem]]:
        wanted = selection_for(version, selection)
        async for page in self._selections.pages(version.id, Split.TRAIN, wanted):
            yield [
                LabelledItem(
                    context=await self._media.inline(one.context),
                    inputs=await self._media.inline(one.inputs),
                    answer=one.gold,
                    weight=weight,
                )
                for one in page
            ]


def as_seen(items: list[LabelledItem], config: TaskConfig) -> list[LabelledItem]:
    """Return items without the fields that no model is sent: none learns from them either."""
    if all(one.is_shown_to_model for one in (*config.context, *config.written_fields)):
        return items
    return [
        replace(
            item,
            context=config.seen_by_model(item.context),
            inputs=config.seen_by_model(item.inputs),
        )
        for item in items
    ]


def selection_for(version: DatasetVersion, selection: ItemSelection) -> ItemSelection:
    """Return what is left out of a version: only rounds know who was fooled and who validated."""
    return selection if version.origin is DatasetOrigin.RELEASE else ItemSelection()


def starter_ingredient(starter: bytes, items: Sequence[LabelledItem], weight: int) -> Ingredient:
    """Return what starter data is, as a model's card names it."""
    return Ingredient(
        name=STARTER_NAME,
        digest=hashlib.sha256(starter).hexdigest(),
        licence=_STARTER_LICENCE,
        weight=weight,
        items=len(items),
    )


def version_ingredient(version: DatasetVersion, *, weight: int, items: int) -> Ingredient:
    """Return what a dataset version brought, as a model's card names it."""
    return Ingredient(
        name=version.name,
        version=version.version,
        version_id=version.id,
        digest=version.digest,
        licence=version.licence,
        weight=weight,
        items=items,
        left_out=version.sizes[Split.TRAIN] - items,
        is_hidden=version.access is DatasetAccess.HIDDEN,
    )
