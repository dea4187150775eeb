"""All SQL of scoring: what a model answered, shard by shard, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

import psycopg
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
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
)

_COPY = b"COPY predictions (evaluation_id, uid, outputs, probabilities, error, score) FROM STDIN"


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

    async def clear(self, evaluation_id: UUID) -> None:
        """Forget all that a model has answered."""
        for table in (predictions, evaluation_shards):
            await self._session.execute(delete(table).where(table.c.evaluation_id == evaluation_id))

    async def add_shard(self, evaluation_id: UUID, shard: FinishedShard, rows: bytes) -> bool:
        """Write a shard with its predictions; return False if somebody has done that before.

        Args:
            evaluation_id: Whose it is.
            shard: What is known of it.
            rows: Its predictions, as `rows.rules.encode_rows` wrote them.
        """
        inserted = await self._session.execute(
            upsert(evaluation_shards)
            .values(evaluation_id=evaluation_id, **asdict(shard))
            .on_conflict_do_nothing()
            .returning(evaluation_shards.c.number)
        )
        if inserted.first() is None:
            return False
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        async with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            await copy.write(rows)
        return True

    async def outputs(self, evaluation_id: UUID, uids: Sequence[str]) -> Mapping[str, Values]:
        """Return what a model answered to items, by uid; nothing where it failed."""
        query = select(predictions.c.uid, predictions.c.outputs).where(
            predictions.c.evaluation_id == evaluation_id, predictions.c.uid.in_(uids)
        )
        return {row.uid: row.outputs for row in await self._session.execute(query)}

    async def first_probes(self, model_id: UUID) -> str | None:
        """Return what a remote model answered to the probes when it was first scored."""
        query = (
            select(evaluations.c.probes)
            .where(evaluations.c.model_id == model_id, evaluations.c.probes.is_not(None))
            .order_by(evaluations.c.evaluated_at.asc().nulls_last(), evaluations.c.id)
            .limit(1)
        )
        found: str | None = await self._session.scalar(query)
        return found

    async def keep_probes(self, evaluation_id: UUID, probes: str) -> None:
        """Write what a remote model answered to the probes."""
        await self._session.execute(
            update(evaluations).where(evaluations.c.id == evaluation_id).values(probes=probes)
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
