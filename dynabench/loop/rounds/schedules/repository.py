"""All SQL of schedules: which rounds have an end that may have come."""

from uuid import UUID

from sqlalchemy import or_, select

from dynabench.kit.db.database import Session
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import RoundStatus


class ScheduleRepository:
    """Finds rounds by their times."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def with_an_end(self) -> list[UUID]:
        """Return the open rounds of all tasks that close at some time."""
        statement = select(rounds.c.id).where(
            rounds.c.status == RoundStatus.OPEN,
            or_(rounds.c.closes_at.is_not(None), rounds.c.budget_days.is_not(None)),
        )
        return list((await self._session.execute(statement)).scalars())
