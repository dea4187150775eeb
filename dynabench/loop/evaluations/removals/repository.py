"""All SQL of removals."""

from uuid import UUID

from sqlalchemy import delete, select, tuple_

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.tables import evaluations, predictions

_AT_ONCE = 20_000


class RemovalRepository:
    """Takes away what a model's evaluations have written."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def jobs_of(self, model_id: UUID) -> list[UUID]:
        """Return the jobs of a model's evaluations."""
        statement = select(evaluations.c.job_id).where(
            evaluations.c.model_id == model_id, evaluations.c.job_id.is_not(None)
        )
        return [one for one in (await self._session.execute(statement)).scalars() if one]

    async def delete_predictions(self, model_id: UUID) -> bool:
        """Delete some of a model's predictions; tell whether there may be more."""
        mine = select(evaluations.c.id).where(evaluations.c.model_id == model_id)
        some = (
            select(predictions.c.evaluation_id, predictions.c.uid)
            .where(predictions.c.evaluation_id.in_(mine))
            .limit(_AT_ONCE)
        )
        key = tuple_(predictions.c.evaluation_id, predictions.c.uid)
        done = await self._session.execute(delete(predictions).where(key.in_(some)))
        return done.rowcount == _AT_ONCE

    async def delete_evaluations(self, model_id: UUID) -> int:
        """Delete a model's evaluations with all that hangs on them; return how many."""
        done = await self._session.execute(
            delete(evaluations).where(evaluations.c.model_id == model_id)
        )
        return done.rowcount
