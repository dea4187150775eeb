"""SQL of figures: everything that was measured of a task's models, and what was made of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import and_, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import deltas, evaluations, measurements, predictions, scores
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.figures.values import DoneEvaluation, Measured
from dynabench.loop.leaderboards.tables import board_figures
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import ModelPurpose

# All transforms of a perturbed set together.
_EVERY_TRANSFORM = ""


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """Computed figures as they lie in the database."""

    stamp: str
    payload: bytes
    computed_at: datetime


@dataclass(frozen=True, slots=True)
class RunFigures:
    """How fast and how large a model was in an evaluation."""

    throughput: Measured | None
    memory: Measured | None
    is_measured_at_client: bool


class FigureRepository:
    """Reads what was measured, in bulk, and keeps what was computed of it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def stamp(self, task_id: UUID) -> str:
        """Return what changes whenever an evaluation of a task does.

        Perturbed sets' evaluations count too: fairness and robustness come of them.
        """
        done = (
            select(func.count(evaluations.c.id), func.max(evaluations.c.evaluated_at))
            .join(models, models.c.id == evaluations.c.model_id)
            .where(models.c.task_id == task_id, evaluations.c.state == EvaluationState.DONE)
        )
        varied = (
            select(func.count())
            .select_from(
                deltas.join(evaluations, evaluations.c.id == deltas.c.evaluation_id).join(
                    models, models.c.id == evaluations.c.model_id
                )
            )
            .where(models.c.task_id == task_id, deltas.c.transform == _EVERY_TRANSFORM)
        )
        parts = [tuple((await self._session.execute(one)).one()) for one in (done, varied)]
        return " ".join(str(value) for part in parts for value in part)

    async def stored_stamp(self, task_id: UUID) -> str | None:
        """Return the stamp of the figures that are there, without the figures."""
        found: str | None = await self._session.scalar(
            select(board_figures.c.stamp).where(board_figures.c.task_id == task_id)
        )
        return found

    async def stored(self, task_id: UUID) -> StoredFigures | None:
        """Return the figures that are there."""
        row = (
            await self._session.execute(
                select(
                    board_figures.c.stamp, board_figures.c.payload, board_figures.c.computed_at
                ).where(board_figures.c.task_id == task_id)
            )
        ).one_or_none()
        return (
            None if row is None else StoredFigures(row.stamp, bytes(row.payload), row.computed_at)
        )

    async def keep(self, task_id: UUID, *, stamp: str, payload: bytes, now: datetime) -> None:
        """Keep figures in place of those that are there."""
        values = {"stamp": stamp, "payload": payload, "computed_at": now}
        await self._session.execute(
            upsert(board_figures)
            .values(task_id=task_id, **values)
            .on_conflict_do_update(index_elements=["task_id"], set_=values)
        )

    async def done(self, version_ids: Collection[UUID]) -> list[DoneEvaluation]:
        """Return the finished evaluations of models that can stand on a board."""
        statement = (
            select(
                evaluations.c.id,
                evaluations.c.model_id,
                evaluations.c.dataset_version_id.label("version_id"),
                evaluations.c.evaluated_at,
                evaluations.c.failed_items,
            )
            .join(models, models.c.id == evaluations.c.model_id)
            .where(
                evaluations.c.dataset_version_id.in_(version_ids),
                evaluations.c.state == EvaluationState.DONE,
                models.c.purpose == ModelPurpose.TARGET,
                models.c.deleted_at.is_(None),
            )
            .order_by(evaluations.c.id)
        )
        return [
            DoneEvaluation(
                id=row.id,
                model_id=row.model_id,
                version_id=row.version_id,
                evaluated_at=row.evaluated_at,
                failed_items=row.failed_items,
            )
            for row in await self._session.execute(statement)
        ]

    async def scores(self, version_ids: Collection[UUID]) -> dict[tuple[UUID, str], Measured]:
        """Return the scores on test splits by evaluation and metric."""
        statement = (
            select(
                scores.c.evaluation_id,
                scores.c.metric,
                scores.c.value,
                scores.c.low,
                scores.c.high,
                scores.c["items"],
            )
            .join(evaluations, evaluations.c.id == scores.c.evaluation_id)
            .where(
                evaluations.c.dataset_version_id.in_(version_ids),
                scores.c.split == Split.TEST,
                scores.c.value.is_not(None),
            )
        )
        return {
            (row.evaluation_id, row.metric): Measured(row.value, row.low, row.high, row.items)
            for row in await self._session.execute(statement)
        }

    async def runs(self, version_ids: Collection[UUID]) -> dict[UUID, RunFigures]:
        """Return throughput and memory by evaluation."""
        statement = (
            select(
                measurements.c.evaluation_id,
                measurements.c.throughput,
                measurements.c.throughput_low,
                measurements.c.throughput_high,
                measurements.c.memory_mean_bytes,
                measurements.c.is_measured_at_client,
            )
            .join(evaluations, evaluations.c.id == measurements.c.evaluation_id)
            .where(evaluations.c.dataset_version_id.in_(version_ids))
        )
        found = {}
        for row in await self._session.execute(statement):
            speed = row.throughput
            size = row.memory_mean_bytes
            found[row.evaluation_id] = RunFigures(
                throughput=None
                if speed is None
                else Measured(speed, row.throughput_low, row.throughput_high),
                memory=None if size is None else Measured(float(size)),
                is_measured_at_client=row.is_measured_at_client,
            )
        return found

    async def deltas(
        self, version_ids: Collection[UUID], perturbed_ids: Collection[UUID]
    ) -> dict[tuple[UUID, str], list[Measured]]:
        """Return robustness and fairness by evaluation, one for each current perturbed set."""
        statement = (
            select(
                deltas.c.evaluation_id,
                deltas.c.kind,
                deltas.c.value,
                deltas.c.low,
                deltas.c.high,
                deltas.c["items"],
            )
            .join(evaluations, evaluations.c.id == deltas.c.evaluation_id)
            .where(
                evaluations.c.dataset_version_id.in_(version_ids),
                deltas.c.perturbed_version_id.in_(perturbed_ids),
                deltas.c.split == Split.TEST.value,
                deltas.c.transform == _EVERY_TRANSFORM,
                deltas.c.value.is_not(None),
            )
            .order_by(deltas.c.perturbed_version_id)
        )
        found: dict[tuple[UUID, str], list[Measured]] = {}
        for row in await self._session.execute(statement):
            measured = Measured(row.value, row.low, row.high, row.items)
            found.setdefault((row.evaluation_id, row.kind.value), []).append(measured)
        return found

    async def contexts(self, version_id: UUID) -> list[bytes]:
        """Return the context of each test item, in the order of positions."""
        statement = (
            select(dataset_items.c.context_digest)
            .where(dataset_items.c.version_id == version_id, dataset_items.c.split == Split.TEST)
            .order_by(dataset_items.c.position)
        )
        return [bytes(row.context_digest) for row in await self._session.execute(statement)]

    async def item_scores(
        self, version_id: UUID, evaluation_ids: Collection[UUID]
    ) -> Mapping[UUID, Sequence[float]]:
        """Return each test item's score by evaluation, in the order of positions.

        An item that the model did not answer scores 0.
        """
        statement = (
            select(
                evaluations.c.id,
                func.array_agg(
                    aggregate_order_by(
                        func.coalesce(predictions.c.score, 0.0), dataset_items.c.position
                    )
                ).label("scores"),
            )
            .select_from(
                evaluations.join(
                    dataset_items,
                    and_(
                        dataset_items.c.version_id == evaluations.c.dataset_version_id,
                        dataset_items.c.split == Split.TEST,
                    ),
                ).outerjoin(
                    predictions,
                    and_(
                        predictions.c.evaluation_id == evaluations.c.id,
                        predictions.c.uid == dataset_items.c.uid,
                    ),
                )
            )
            .where(
                evaluations.c.id.in_(evaluation_ids),
                evaluations.c.dataset_version_id == version_id,
            )
            .group_by(evaluations.c.id)
        )
        return {row.id: row.scores for row in await self._session.execute(statement)}
