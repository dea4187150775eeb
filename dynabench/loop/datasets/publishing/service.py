"""What follows from a new version, asked for in the transaction that writes it."""

from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.db.database import Session
from dynabench.loop.datasets.archives.values import ARCHIVE_DATASET, ArchiveOrder
from dynabench.loop.datasets.perturbing.values import PERTURB_DATASET, PerturbationOrder
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.values import (
    DATASET_PUBLISHED,
    DatasetAccess,
    DatasetOrigin,
    DatasetVersion,
)
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.task_config.schema import TaskConfig


class Publisher:
    """Asks for the jobs that a new version needs."""

    def __init__(self, *, queue: JobQueue) -> None:
        self._queue = queue

    async def publish(self, session: Session, version: DatasetVersion, config: TaskConfig) -> None:
        """Have models scored on a version and, where the task compares answers, vary it."""
        await self.announce(session, version.id, access=version.access)
        if version.origin is DatasetOrigin.PERTURBATION:
            return
        await self.archive(session, version.id)
        for wanted in config.delta_metrics:
            kind = TransformKind(wanted.name)
            order = PerturbationOrder(version_id=version.id, kind=kind, is_asked=False)
            await self._queue.enqueue(
                session, PERTURB_DATASET, order.payload(), created_by=version.created_by
            )

    async def announce(self, session: Session, version_id: UUID, *, access: DatasetAccess) -> None:
        """Have every ready model scored on a version, unless it is hidden."""
        if access is not DatasetAccess.HIDDEN:
            payload = {"version_id": str(version_id)}
            await self._queue.enqueue(session, DATASET_PUBLISHED, payload)

    async def archive(self, session: Session, version_id: UUID) -> UUID:
        """Have a version's archive made, of what it is when the job comes to it."""
        payload = ArchiveOrder(version_id).payload()
        job_id = await self._queue.enqueue(session, ARCHIVE_DATASET, payload)
        await DatasetRepository(session).note_archive_job(version_id, job_id)
        return job_id
