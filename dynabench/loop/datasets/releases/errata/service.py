"""Where a release learns what experts found wrong in those before it."""

from typing import Protocol
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.releases.values import Errata


class ErrataSource(Protocol):
    """Knows what experts found; a later chapter, which keeps it, is one."""

    async def of_task(self, session: Session, task_id: UUID) -> Errata:
        """Return the errata of a task's releases, the latest release first."""
        ...
