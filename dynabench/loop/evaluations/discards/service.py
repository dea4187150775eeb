"""Use case of owners: take an uploaded dataset away while nothing was made of it."""

import contextlib
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetOrigin
from dynabench.loop.evaluations.discards.errors import DatasetInUseError
from dynabench.loop.evaluations.discards.repository import DiscardRepository
from dynabench.loop.evaluations.removals.service import RemovalService


class DiscardService:
    """Deletes uploaded versions with variants and scores; snapshots keep what they froze."""

    def __init__(
        self,
        *,
        db: Database,
        datasets: DatasetService,
        perturbations: PerturbationService,
        removals: RemovalService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._datasets = datasets
        self._perturbations = perturbations
        self._removals = removals
        self._queue = queue

    async def discard(self, version_id: UUID, *, actor: Actor) -> None:
        """Delete an uploaded version, or a perturbed set that no model was scored on (owners).

        Raises:
            DatasetNotFoundError: If there is none, or it is not for the actor.
            TaskRoleNeededError: If the actor owns not the task.
            DatasetInUseError: If it is a release, or a model learned from it.
            PerturbationInUseError: If it varies another one and models were scored on it.
        """
        seen = await self._datasets.require_owned(version_id, actor=actor)
        version = seen.version
        if version.perturbs_id is not None:
            await self._perturbations.drop(version_id, actor=actor)
            return
        if version.origin is not DatasetOrigin.UPLOAD:
            raise DatasetInUseError(name=version.name, reason="it is what a round released.")
        try:
            async with self._db.transaction() as session:
                repository = DiscardRepository(session)
                family = await repository.family_of(version_id)
                learned = await repository.trained_on(version.task_id, family)
                if learned is not None:
                    reason = f"the model “{learned}” learned from it."
                    raise DatasetInUseError(name=version.name, reason=reason)
                for job_id in await repository.jobs_of(family):
                    with contextlib.suppress(JobNotFoundError, JobFinishedError):
                        await self._queue.cancel(session, job_id)
                digests = await repository.files_of(family)
                await repository.delete(family)
        except IntegrityError as error:
            reason = "something was made of it meanwhile."
            raise DatasetInUseError(name=version.name, reason=reason) from error
        await self._removals.forget_files(digests)
