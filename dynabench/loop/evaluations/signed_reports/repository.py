"""All SQL of signed results: everything that is known of a model's finished evaluations."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.signed_reports.values import Recorded, Row
from dynabench.loop.evaluations.tables import deltas, evaluations, measurements
from dynabench.loop.evaluations.values import EvaluationState


class SignedReportRepository:
    """Reads what a report states."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def finished(self, model_id: UUID) -> list[Recorded]:
        """Return a model's finished evaluations, oldest first."""
        statement = (
            select(evaluations)
            .where(evaluations.c.model_id == model_id, evaluations.c.state == EvaluationState.DONE)
            .order_by(evaluations.c.evaluated_at, evaluations.c.id)
        )
        done = [dict(row) for row in (await self._session.execute(statement)).mappings()]
        ids = [row["id"] for row in done]
        measured = await self._measurements(ids)
        varied = await self._deltas(ids)
        return [Recorded(row, measured.get(row["id"]), varied.get(row["id"], [])) for row in done]

    async def _measurements(self, ids: Collection[UUID]) -> dict[UUID, Row]:
        statement = select(measurements).where(measurements.c.evaluation_id.in_(ids))
        found = (await self._session.execute(statement)).mappings()
        return {row["evaluation_id"]: dict(row) for row in found}

    async def _deltas(self, ids: Collection[UUID]) -> dict[UUID, list[Row]]:
        statement = (
            select(deltas)
            .where(deltas.c.evaluation_id.in_(ids))
            .order_by(deltas.c.kind, deltas.c.split, deltas.c.transform)
        )
        found: dict[UUID, list[Row]] = {}
        for row in (await self._session.execute(statement)).mappings():
            found.setdefault(row["evaluation_id"], []).append(dict(row))
        return found
