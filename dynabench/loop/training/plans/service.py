"""Counts what an order would learn from, and refuses what cannot be learned from."""

import asyncio

from dynabench.loop.datasets.selections.service import SelectionService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetOrigin, DatasetVersion, Split
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.values import Task
from dynabench.loop.training.errors import (
    NoTrainingDataError,
    TrainingSourceError,
    TrainingTooLargeError,
)
from dynabench.loop.training.gathering.service import (
    STARTER_NAME,
    has_starter_items,
    items_of,
    selection_for,
    starter_bytes,
)
from dynabench.loop.training.rules import require_weight
from dynabench.loop.training.schemas import TrainingPartRead, TrainingPlanRead
from dynabench.loop.training.values import MOST_ITEMS, Source, TrainingLack, TrainingOrder

_WHY_EMPTY = {
    TrainingLack.NOTHING_CHOSEN: "this task has no starter data; choose a release of it.",
    TrainingLack.EVERYTHING_LEFT_OUT: "nothing is left of the train splits; leave less out.",
    TrainingLack.EMPTY_TRAIN_SPLITS: "the train splits of the chosen releases are empty.",
}


class Planner:
    """Looks at the data of orders."""

    def __init__(
        self, *, rounds: RoundService, datasets: DatasetService, selections: SelectionService
    ) -> None:
        self._rounds = rounds
        self._datasets = datasets
        self._selections = selections

    async def plan(self, task: Task, order: TrainingOrder) -> TrainingPlanRead:
        """Return how many examples an order would learn from, and what would be wrong with that.

        Raises:
            DatasetNotFoundError: If a version is not one of the task.
            TrainingSourceError: If a weight or a kind of set cannot be.
        """
        parts = await self._parts(task, order)
        lack = _lack(parts)
        return TrainingPlanRead(
            examples=sum(part.examples for part in parts),
            items=sum(part.items for part in parts),
            parts=parts,
            problem=None if lack is None else _refusal(lack, parts).message,
            problem_code=lack,
            most_items=MOST_ITEMS,
            has_starter_data=await asyncio.to_thread(has_starter_items, task),
        )

    async def require(self, task: Task, order: TrainingOrder) -> None:
        """Refuse an order that would learn nothing, or too much.

        Raises:
            DatasetNotFoundError: If a version is not one of the task.
            TrainingSourceError: If a weight or a kind of set cannot be.
            NoTrainingDataError: If nothing is left to learn from.
            TrainingTooLargeError: If it is more than one training takes.
        """
        parts = await self._parts(task, order)
        lack = _lack(parts)
        if lack is not None:
            raise _refusal(lack, parts)

    async def _parts(self, task: Task, order: TrainingOrder) -> list[TrainingPartRead]:
        versions = await self._datasets.get_of_task(order.version_ids, task_id=task.id)
        rounds = {one.id: one.number for one in await self._rounds.of_task(task.id)}
        parts: list[TrainingPartRead] = []
        if order.with_starter_data and has_starter_items(task):
            require_weight(order.starter_weight, field="starter_weight", name=STARTER_NAME)
            parts.append(await asyncio.to_thread(_starter_part, task, order.starter_weight))
        for place, (version, source) in enumerate(zip(versions, order.sources, strict=True)):
            _require_learnable(version, source, place=place)
            number = None if version.round_id is None else rounds.get(version.round_id)
            parts.append(await self._part(version, source, order, round_number=number))
        return parts

    async def _part(
        self,
        version: DatasetVersion,
        source: Source,
        order: TrainingOrder,
        *,
        round_number: int | None,
    ) -> TrainingPartRead:
        wanted = selection_for(version, order.selection)
        every = version.sizes[Split.TRAIN]
        items = every
        if not wanted.is_everything:
            items = await self._selections.count(version.id, Split.TRAIN, wanted)
        return TrainingPartRead(
            dataset_version_id=version.id,
            name=version.name,
            version=version.version,
            round_number=round_number,
            weight=source.weight,
            items=items,
            examples=items * source.weight,
            left_out=every - items,
        )


def _starter_part(task: Task, weight: int) -> TrainingPartRead:
    items = len(items_of(starter_bytes(task)))
    return TrainingPartRead(
        dataset_version_id=None,
        name=STARTER_NAME,
        version=None,
        round_number=None,
        weight=weight,
        items=items,
        examples=items * weight,
        left_out=0,
    )


def _require_learnable(version: DatasetVersion, source: Source, *, place: int) -> None:
    name = f"{version.name}, version {version.version}"
    require_weight(source.weight, field=f"sources.{place}.weight", name=name)
    if version.origin is DatasetOrigin.PERTURBATION:
        sentence = f"{name} varies another set by rule. Choose the set that it varies."
        raise TrainingSourceError({f"sources.{place}.dataset_version_id": sentence})


def _lack(parts: list[TrainingPartRead]) -> TrainingLack | None:
    items = sum(part.items for part in parts)
    if items > MOST_ITEMS:
        return TrainingLack.TOO_LARGE
    if items:
        return None
    if not parts:
        return TrainingLack.NOTHING_CHOSEN
    if any(part.left_out for part in parts):
        return TrainingLack.EVERYTHING_LEFT_OUT
    return TrainingLack.EMPTY_TRAIN_SPLITS


def _refusal(
    lack: TrainingLack, parts: list[TrainingPartRead]
) -> NoTrainingDataError | TrainingTooLargeError:
    if lack is TrainingLack.TOO_LARGE:
        return TrainingTooLargeError(items=sum(part.items for part in parts), most=MOST_ITEMS)
    return NoTrainingDataError(reason=_WHY_EMPTY[lack])
