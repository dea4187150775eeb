"""SQL of scales: the attempts of closed rounds, and what was fitted last."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.examples.tables import example_predictions
from dynabench.loop.leaderboards.scales.values import AttemptCount
from dynabench.loop.leaderboards.tables import task_scales
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.folds.tables import annotator_days
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.values import Verdict


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A fitted scale as it lies in the database."""

    inputs_digest: str
    result: dict[str, object]
    computed_at: datetime


class ScaleRepository:
    """Reads attempts, and reads and keeps scales."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def stored(self, task_id: UUID) -> StoredRow | None:
        """Return the scale that is there."""
        statement = select(
            task_scales.c.inputs_digest, task_scales.c.result, task_scales.c.computed_at
        ).where(task_scales.c.task_id == task_id)
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else StoredRow(row.inputs_digest, row.result, row.computed_at)

    async def keep(
        self, task_id: UUID, *, inputs_digest: str, result: dict[str, object], now: datetime
    ) -> None:
        """Keep a scale in place of the one that is there."""
        values = {"inputs_digest": inputs_digest, "result": result, "computed_at": now}
        await self._session.execute(
            upsert(task_scales)
            .values(task_id=task_id, **values)
            .on_conflict_do_update(index_elements=["task_id"], set_=values)
        )

    async def attempts_stamp(self, round_ids: Collection[UUID]) -> str:
        """Return what changes whenever attempts of rounds or their outcomes do."""
        statement = select(
            func.count(),
            func.sum(annotator_days.c.collected),
            func.sum(annotator_days.c.fooled),
            func.max(annotator_days.c.as_of),
        ).where(annotator_days.c.round_id.in_(round_ids))
        return " ".join(map(str, (await self._session.execute(statement)).one()))

    async def attempts(self, round_id: UUID, *, is_one_asked: bool) -> list[AttemptCount]:
        """Return how often each annotator of a round fooled each model about each context.

        What was taken out of every count is left out, and so is what was tried without a
        model. What its author took back has fooled nobody.

        Args:
            round_id: The round.
            is_one_asked: Whether one model answers each attempt; the outcome tells then whether
                it was fooled. Of several each answer is compared with the author's.
        """
        fooled: ColumnElement[bool | None] = (
            outcomes.c.fooled if is_one_asked else example_predictions.c.is_wrong
        )
        statement = (
            select(
                outcomes.c.annotator_id,
                example_predictions.c.model_id,
                outcomes.c.context_id,
                func.count().label("tried"),
                func.count().filter(and_(fooled, ~outcomes.c.is_retracted)).label("fooled"),
            )
            .join(example_predictions, example_predictions.c.example_id == outcomes.c.example_id)
            .where(
                outcomes.c.round_id == round_id,
                outcomes.c.arm != Arm.NO_MODEL,
                outcomes.c.voided_at.is_(None),
                outcomes.c.verdict != Verdict.FLAGGED,
                fooled.is_not(None),
            )
            .group_by(
                outcomes.c.annotator_id, example_predictions.c.model_id, outcomes.c.context_id
            )
            .order_by(
                outcomes.c.annotator_id, example_predictions.c.model_id, outcomes.c.context_id
            )
        )
        return [
            AttemptCount(
                annotator_id=row.annotator_id,
                model_id=row.model_id,
                context_id=row.context_id,
                round_id=round_id,
                tried=row.tried,
                fooled=row.fooled,
            )
            for row in await self._session.execute(statement)
        ]
