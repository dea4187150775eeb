"""SQL of forgetting leases of examples to judge."""

from datetime import datetime

from sqlalchemy import delete

from dynabench.kit.db.database import Session
from dynabench.loop.validations.tables import validation_leases


class ValidationLeaseRepository:
    """Deletes leases."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def remove_before(self, time: datetime) -> int:
        """Delete leases that ran out before a time; returns how many.

        What a validator passed over stays: it is not offered to them again.
        """
        statement = delete(validation_leases).where(
            validation_leases.c.expires_at < time, validation_leases.c.is_skipped.is_(False)
        )
        return (await self._session.execute(statement)).rowcount
