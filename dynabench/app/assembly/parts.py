"""What every service of a process stands on, and the services made so far."""

from dataclasses import dataclass, field
from typing import TypeVar

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.settings import Settings

ServiceT = TypeVar("ServiceT")


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Services made so far, looked up by class with their type kept."""

    settings: Settings
    clock: Clock
    db: Database
    queue: JobQueue
    blobs: BlobStore
    made: dict[type[object], object] = field(default_factory=dict)

    def keep(self, service: ServiceT) -> ServiceT:
        """Add a service, under its class."""
        self.made[type(service)] = service
        return service

    def get(self, kind: type[ServiceT]) -> ServiceT:
        """Return a service that was added before."""
        found = self.made[kind]
        assert isinstance(found, kind)
        return found
