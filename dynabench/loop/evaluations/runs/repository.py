"""All SQL of scoring: what a model answered, shard by shard, and what came of it."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.tables import (
    evaluation_shards,
    evaluations,
    measurements,
    predictions,
    scores,
    tag_scores,
)
from dynabench.loop.evaluations.values import (
    EvaluationState,
    Findings,
    FinishedShard,
    ItemPrediction,
)


class RunRepository:
    """Writes the shards of an evaluation and its results."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def shards(self, evaluation_id: UUID) -> list[FinishedShard]:
        """Return the shards that are finished."""
        columns = [
            column
            for column in evaluation_shards.c
            if column.name not in {"evaluation_id", "finished_at"}
        ]
        query = select(*columns).where(evaluation_shards.c.evaluation_id == evaluation_id)
        return [FinishedShard(**row) for row in (await self._session.execute(query)).mappings()]

    async def add_predictions(self, evaluation_id: UUID, found: Sequence[ItemPrediction]) -> None:
        """Write what a model answered; what is there of these items is replaced."""
        if not found:
            return
        statement = upsert(predictions)
        columns = ("outputs", "probabilities", "error", "score")
        await self._session.execute(
            statement.on_conflict_do_update(
                index_elements=["evaluation_id", "uid"],
                set_={name: statement.excluded[name] for name in columns},
            ),
            [asdict(one) | {"evaluation_id": evaluation_id} for one in found],
        )

    async def finish(self, evaluation_id: UUID, found: Findings, *, now: datetime) -> None:
        """Write the results of an evaluation; doing it again writes the same.

        One that was cancelled meanwhile stays as it is.
        """
        updated = await self._session.execute(
            update(evaluations)
            .where(
                evaluations.c.id == evaluation_id, evaluations.c.state == EvaluationState.PENDING
            )
            .values(
                state=EvaluationState.DONE,
                reason=None,
                failed_items=found.failed_items,
                seconds=found.seconds,
                evaluated_at=now,
            )
        )
        if not updated.rowcount:
            return
        mine = {"evaluation_id": evaluation_id}
        for table in (scores, tag_scores, measurements):
            await self._session.execute(delete(table).where(table.c.evaluation_id == evaluation_id))
        if found.scores:
            await self._session.execute(
                insert(scores), [asdict(one) | mine for one in found.scores]
            )
        if found.tags:
            await self._session.execute(
                insert(tag_scores), [asdict(one) | mine for one in found.tags]
            )
        if found.measurement is not None:
            await self._session.execute(insert(measurements), [asdict(found.measurement) | mine])
