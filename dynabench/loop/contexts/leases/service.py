"""Use case of leases of contexts: forget those that ran out long ago."""

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.contexts.leases.repository import ContextLeaseRepository
from dynabench.loop.contexts.values import LEASE_KEPT_FOR


class ContextLeaseService:
    """Keeps the table of leases small; a lease that ran out holds nothing anyway."""

    def __init__(self, *, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def purge(self) -> int:
        """Delete leases that ran out more than a day ago; returns how many."""
        async with self._db.transaction() as session:
            repository = ContextLeaseRepository(session)
            return await repository.remove_before(self._clock.now() - LEASE_KEPT_FOR)
