"""Use cases of comparing two models."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.paging import cut, decode_cursor, encode_cursor
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.permissions import can_see
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.comparisons.errors import ComparisonError
from dynabench.loop.evaluations.comparisons.repository import ComparisonRepository
from dynabench.loop.evaluations.comparisons.rules import compared_split
from dynabench.loop.evaluations.comparisons.schemas import (
    AnswerRead,
    ComparedItemPage,
    ComparedItemQuery,
    ComparedItemRead,
    ComparedModelRead,
    ComparisonQuery,
    ComparisonRead,
    DatasetComparisonRead,
    LackRead,
    McNemarRead,
    PairedRead,
    TagPairedRead,
)
from dynabench.loop.evaluations.comparisons.values import Advantage, PairedAnswer, PairedScores
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.evaluations.items.permissions import is_dev_open, item_view
from dynabench.loop.evaluations.items.values import ItemView
from dynabench.loop.evaluations.rules import is_part_told, is_whole_told
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Model
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.science.statistics.pairs import paired_difference

_PERCENT = 100
_BEFORE_ALL = -1

Done = Mapping[tuple[UUID, UUID], UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Couple:
    """Two models that the reader sees, what the reader is to them, and what is evaluated."""

    task: Task
    left: Model
    right: Model
    is_submitter: bool
    role: TaskRole | None
    done: Done

    def evaluations_on(self, version_id: UUID) -> tuple[UUID, UUID] | None:
        """Return both evaluations on a dataset; None where one is missing."""
        left = self.done.get((self.left.id, version_id))
        right = self.done.get((self.right.id, version_id))
        return None if left is None or right is None else (left, right)

    def view(self, version: DatasetVersion, split: Split) -> ItemView | None:
        """Return how much of a split's items the reader sees."""
        return item_view(
            version,
            split,
            is_submitter=self.is_submitter,
            is_owner=may_own(self.role),
        )


class ComparisonService:
    """Compares two models item by item."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        models: ModelService,
        datasets: DatasetService,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._datasets = datasets

    async def compare(self, query: ComparisonQuery, *, actor: Actor) -> ComparisonRead:
        """Compare two models on every dataset that both are evaluated on, or on one.

        Raises:
            ModelNotFoundError: If one is not there for the actor.
            ComparisonError: If they are one model, or of two tasks.
            DatasetNotFoundError: If the dataset is not there for the actor.
        """
        couple = await self._couple(query.left, query.right, actor=actor)
        versions = await self._versions(couple, chosen=query.dataset_version_id)
        rounds = {one.id: one.number for one in await self._rounds.of_task(couple.task.id)}
        compared, lacking = [], []
        for version in versions:
            if couple.evaluations_on(version.id) is None:
                lacking.append(_lack(couple, version))
            else:
                number = rounds.get(version.round_id) if version.round_id else None
                compared.append(await self._compare_on(couple, version, round_number=number))
        metrics = couple.task.config.perf_metrics
        return ComparisonRead(
            task_slug=couple.task.slug,
            left=_model(couple.left),
            right=_model(couple.right),
            metric=metrics[0].name if metrics else None,
            datasets=compared,
            lacking=[one for one in lacking if len(one.lacks) == 1],
        )

    async def differing(self, query: ComparedItemQuery, *, actor: Actor) -> ComparedItemPage:
        """Return a page of the items on which two models differ.

        Raises:
            DatasetNotFoundError: If not both are evaluated on it.
            ItemsWithheldError: If single answers are not the actor's to see.
            CorrectnessWithheldError: If only which of them is right is not.
        """
        couple = await self._couple(query.left, query.right, actor=actor)
        (version,) = await self._versions(couple, chosen=query.dataset_version_id)
        found = couple.evaluations_on(version.id)
        if found is None:
            raise DatasetNotFoundError
        view = couple.view(version, query.split)
        if view is None:
            raise ItemsWithheldError(split=query.split)
        if view is ItemView.ANSWERS and query.better is not Advantage.ANY:
            raise CorrectnessWithheldError(split=query.split, is_dev_open=is_dev_open(version))
        async with self._db.read() as session:
            items = await ComparisonRepository(session).differing(
                left_id=found[0],
                right_id=found[1],
                version_id=version.id,
                split=query.split,
                better=query.better,
                tag=query.tag,
                after=_BEFORE_ALL if query.cursor is None else decode_cursor(query.cursor, int)[0],
                limit=query.limit + 1,
            )
        page, has_more = cut(items, size=query.limit)
        return ComparedItemPage(
            items=[_item(item, is_full=view is ItemView.FULL) for item in page],
            next_cursor=encode_cursor([page[-1].position]) if has_more else None,
            view=view,
        )

    async def _couple(self, left_id: UUID, right_id: UUID, *, actor: Actor) -> _Couple:
        left = await self._visible(left_id, actor)
        right = await self._visible(right_id, actor)
        if left.id == right.id or left.task_id != right.task_id:
            raise ComparisonError
        async with self._db.read() as session:
            done = await ComparisonRepository(session).done_of([left.id, right.id])
        return _Couple(
            task=await self._tasks.get_by_id(left.task_id),
            left=left,
            right=right,
            is_submitter=actor.user_id is not None
            and actor.user_id == left.submitted_by == right.submitted_by,
            role=await self._tasks.role_of(left.task_id, actor),
            done=done,
        )

    async def _visible(self, model_id: UUID, actor: Actor) -> Model:
        await self._models.read(model_id, actor=actor)
        return await self._models.get(model_id)

    async def _versions(self, couple: _Couple, *, chosen: UUID | None) -> list[DatasetVersion]:
        found = [
            version
            for version in reversed(await self._datasets.of_task(couple.task.id))
            # Changed texts say how steady a model is, not which of two is better.
            if can_see(version, role=couple.role)
            and (version.perturbs_id is None if chosen is None else version.id == chosen)
        ]
        if chosen is not None and not found:
            raise DatasetNotFoundError
        return found

    async def _compare_on(
        self, couple: _Couple, version: DatasetVersion, *, round_number: int | None
    ) -> DatasetComparisonRead:
        split = compared_split(version.sizes)
        found = couple.evaluations_on(version.id)
        assert found is not None, "the caller asks for datasets that both are evaluated on"
        async with self._db.read() as session:
            parts = await ComparisonRepository(session).scores(
                left_id=found[0], right_id=found[1], version_id=version.id, split=split
            )
        is_owner = may_own(couple.role)
        told = [
            one
            for one in parts
            if is_owner
            or (
                is_whole_told(version, split)
                if one.tag is None
                else is_part_told(version, split, items=len(one.left))
            )
        ]
        # Of a large set this takes a while, and others are waiting.
        paired, tags = await asyncio.to_thread(_compare, told)
        return DatasetComparisonRead(
            dataset_version_id=version.id,
            dataset_name=version.name,
            dataset_version=version.version,
            round_number=round_number,
            access=version.access,
            split=split,
            view=couple.view(version, split),
            paired=paired,
            tags=tags,
        )


def _compare(parts: Sequence[PairedScores]) -> tuple[PairedRead | None, list[TagPairedRead]]:
    whole: PairedRead | None = None
    tags: list[TagPairedRead] = []
    for part in parts:
        read = _paired(part)
        if read is not None and part.tag is not None:
            tags.append(TagPairedRead(tag=part.tag, **dict(read)))
        elif part.tag is None:
            whole = read
    return whole, tags


def _paired(part: PairedScores) -> PairedRead | None:
    left, right = part.left, part.right
    found = paired_difference(left, right, part.contexts)
    if found is None:
        return None
    mcnemar, interval = found.mcnemar, found.interval
    return PairedRead(
        items=found.n,
        left=_PERCENT * sum(left) / found.n,
        right=_PERCENT * sum(right) / found.n,
        difference=_PERCENT * found.difference,
        low=None if interval is None else _PERCENT * interval.low,
        high=None if interval is None else _PERCENT * interval.high,
        p_value=found.p_value,
        mcnemar=None
        if mcnemar is None
        else McNemarRead(
            only_left=mcnemar.only_first,
            only_right=mcnemar.only_second,
            p_value=mcnemar.p_value,
        ),
    )


def _lack(couple: _Couple, version: DatasetVersion) -> LackRead:
    return LackRead(
        dataset_version_id=version.id,
        dataset_name=version.name,
        dataset_version=version.version,
        lacks=[
            one.id for one in (couple.left, couple.right) if (one.id, version.id) not in couple.done
        ],
    )


def _model(model: Model) -> ComparedModelRead:
    return ComparedModelRead(id=model.id, name=model.name, version=model.version)


def _item(item: PairedAnswer, *, is_full: bool) -> ComparedItemRead:
    def score(value: float | None) -> float | None:
        return value * _PERCENT if is_full and value is not None else None

    return ComparedItemRead(
        uid=item.uid,
        context=item.context,
        inputs=item.inputs,
        tags=[*item.tags],
        gold=item.gold if is_full else None,
        left=AnswerRead(
            outputs=item.left_outputs, error=item.left_error, score=score(item.left_score)
        ),
        right=AnswerRead(
            outputs=item.right_outputs, error=item.right_error, score=score(item.right_score)
        ),
    )
