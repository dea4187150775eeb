"""SQL of a plan: scores on the last releases, speed, use of contexts, what is released."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, and_, any_, exists, func, literal, select
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import evaluations, measurements, scores
from dynabench.loop.leaderboards.next_round.values import ReleaseScore, Speed, TagUse
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.validations.folds.tables import context_counts

_UUIDS = ARRAY(Uuid)


class NextRoundRepository:
    """Reads what a plan is made from."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def scores(
        self, model_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> dict[tuple[UUID, UUID], ReleaseScore]:
        """Return the principal metric on each test split, by model and version."""
        statement = (
            select(
                evaluations.c.model_id,
                evaluations.c.dataset_version_id,
                scores.c.value,
                scores.c.low,
                scores.c.high,
            )
            .join(scores, scores.c.evaluation_id == evaluations.c.id)
            .where(
                evaluations.c.model_id == any_(literal(list(model_ids), type_=_UUIDS)),
                evaluations.c.dataset_version_id == any_(literal(list(version_ids), type_=_UUIDS)),
                scores.c.split == Split.TEST,
                scores.c.is_principal,
            )
        )
        return {
            (row.model_id, row.dataset_version_id): ReleaseScore(
                version_id=row.dataset_version_id, value=row.value, low=row.low, high=row.high
            )
            for row in await self._session.execute(statement)
        }

    async def speeds(self, model_ids: Collection[UUID]) -> dict[UUID, Speed]:
        """Return how fast models answer one at a time: the median over their evaluations."""
        median = func.percentile_cont(0.5).within_group(measurements.c.throughput)
        statement = (
            select(
                evaluations.c.model_id,
                median.label("throughput"),
                func.bool_or(measurements.c.is_measured_at_client).label("at_client"),
            )
            .join(measurements, measurements.c.evaluation_id == evaluations.c.id)
            .where(
                evaluations.c.model_id == any_(literal(list(model_ids), type_=_UUIDS)),
                measurements.c.throughput.is_not(None),
            )
            .group_by(evaluations.c.model_id)
        )
        return {
            row.model_id: Speed(
                examples_per_second=row.throughput, is_measured_at_client=row.at_client
            )
            for row in await self._session.execute(statement)
        }

    async def tags(self, task_id: UUID) -> list[TagUse]:
        """Return each tag's contexts that are handed out, and how many were written on."""
        used = (
            select(
                context_counts.c.context_id,
                func.sum(context_counts.c.annotators).label("annotators"),
            )
            .join(rounds, rounds.c.id == context_counts.c.round_id)
            .where(rounds.c.task_id == task_id, context_counts.c.attempts > 0)
            .group_by(context_counts.c.context_id)
            .subquery()
        )
        statement = (
            select(
                contexts.c.tag,
                func.count().label("contexts"),
                func.count(used.c.context_id).label("used"),
                func.coalesce(func.sum(used.c.annotators), 0).label("annotators"),
            )
            .outerjoin(used, used.c.context_id == contexts.c.id)
            .where(*_drawn(task_id, ()))
            .group_by(contexts.c.tag)
            .order_by(contexts.c.tag)
        )
        return [
            TagUse(
                tag=row.tag,
                contexts=row.contexts,
                used=row.used,
                annotators=int(row.annotators),
            )
            for row in await self._session.execute(statement)
        ]

    async def count_released(
        self, task_id: UUID, *, tags: Sequence[str], version_ids: Collection[UUID]
    ) -> int:
        """Return how many of the contexts that a round draws from released train items stand on."""
        statement = (
            select(func.count())
            .select_from(contexts)
            .where(*_drawn(task_id, tags), _is_released(version_ids))
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def sample_new(
        self, task_id: UUID, *, tags: Sequence[str], version_ids: Collection[UUID], limit: int
    ) -> list[Values]:
        """Return some of the other contexts, in their order by chance."""
        statement = (
            select(contexts.c.content)
            .where(*_drawn(task_id, tags), ~_is_released(version_ids))
            .order_by(contexts.c.shuffle_key)
            .limit(limit)
        )
        return list((await self._session.execute(statement)).scalars())


def _drawn(task_id: UUID, tags: Sequence[str]) -> list[ColumnElement[bool]]:
    conditions = [contexts.c.task_id == task_id, contexts.c.retired_at.is_(None)]
    if tags:
        conditions.append(contexts.c.tag == any_(literal(list(tags), type_=ARRAY(Text))))
    return conditions


def _is_released(version_ids: Collection[UUID]) -> ColumnElement[bool]:
    return exists().where(
        and_(
            dataset_items.c.version_id == any_(literal(list(version_ids), type_=_UUIDS)),
            dataset_items.c.split == Split.TRAIN,
            dataset_items.c.context_digest == contexts.c.digest,
        )
    )
