"""Use case of leases of examples to judge: forget those that ran out long ago."""

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.validations.leases.repository import ValidationLeaseRepository
from dynabench.loop.validations.values import LEASE_KEPT_FOR


class ValidationLeaseService:
    """Keeps the table of leases small; a lease that ran out holds nothing anyway."""

    def __init__(self, *, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def purge(self) -> int:
        """Delete leases that ran out more than a day ago; returns how many."""
        async with self._db.transaction() as session:
            repository = ValidationLeaseRepository(session)
            return await repository.remove_before(self._clock.now() - LEASE_KEPT_FOR)
