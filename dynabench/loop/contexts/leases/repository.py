"""SQL of forgetting leases of contexts."""

from datetime import datetime

from sqlalchemy import delete

from dynabench.kit.db.database import Session
from dynabench.loop.contexts.tables import context_leases


class ContextLeaseRepository:
    """Deletes leases."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def remove_before(self, time: datetime) -> int:
        """Delete leases that ran out before a time; returns how many."""
        statement = delete(context_leases).where(context_leases.c.expires_at < time)
        return (await self._session.execute(statement)).rowcount
