"""Use cases of removals: delete a model, and take away what it leaves behind."""

import contextlib
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.evaluations.prediction_files.service import PredictionFileService
from dynabench.loop.evaluations.removals.errors import ModelInUseError
from dynabench.loop.evaluations.removals.repository import RemovalRepository
from dynabench.loop.evaluations.removals.values import REMOVE_MODEL
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.care.service import CareService
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.submissions.permissions import require_caretaker
from dynabench.loop.models.values import MODEL_FILES_LEFT, Model
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.service import TaskService

_NOT_OVER = frozenset({RoundStatus.DRAFT, RoundStatus.OPEN})


class RemovalService:
    """Deletes models: their row alone stays, for the rounds and releases that name it."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        models: ModelService,
        care: CareService,
        files: PredictionFileService,
        leftovers: Leftovers,
        media: MediaService,
        archives: ArchiveService,
        sent: SentFiles,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._care = care
        self._files = files
        self._leftovers = leftovers
        self._media = media
        self._archives = archives
        self._sent = sent
        self._queue = queue

    async def delete(self, model_id: UUID, *, actor: Actor) -> None:
        """Delete a model; a job takes its files, predictions and scores away.

        Raises:
            ModelNotFoundError: If there is none, or not for the actor.
            NotYourModelError: If it is neither the actor's nor of a task of theirs.
            ModelInUseError: If a round that is not over has it as a target, an earlier one too.
        """
        require_signed_in(actor)
        model, task = await self._models.get_visible(model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        require_caretaker(model, actor=actor, role=role)
        for round_ in await self._rounds.of_task(task.id):
            if round_.status in _NOT_OVER and model_id in round_.asked_model_ids:
                raise ModelInUseError(name=model.name, round_number=round_.number)
        async with self._db.transaction() as session:
            digests = await self._care.mark_deleted(session, model)
            if digests is None:
                return
            await self._stop_jobs(session, model)
            payload: dict[str, JsonValue] = {"model_id": str(model_id), "digests": [*digests]}
            await self._queue.enqueue(session, REMOVE_MODEL, payload, created_by=actor.user_id)

    async def remove(self, model_id: UUID, digests: Collection[str]) -> int:
        """Take away what a deleted model left; doing it again does no harm.

        Returns:
            How many files were forgotten.
        """
        is_more = True
        while is_more:
            async with self._db.transaction() as session:
                is_more = await RemovalRepository(session).delete_predictions(model_id)
        async with self._db.transaction() as session:
            await RemovalRepository(session).delete_evaluations(model_id)
            files = await self._files.of_model(session, model_id)
        gone = await self.forget_files([*digests, *files], of_deleted=model_id)
        async with self._db.transaction() as session:
            await self._files.forget(session, model_id)
        return gone

    async def drop_rejected(self, *, before: datetime) -> int:
        """Have the files deleted of models that were handed in before and rejected.

        Their rows stay, with what was wrong; their authors may hand files in again.

        Returns:
            How many models had files.
        """
        async with self._db.transaction() as session:
            digests = await self._care.drop_rejected(session, before=before)
            if digests:
                await self._queue.enqueue(session, MODEL_FILES_LEFT, {"digests": [*digests]})
        return len(digests)

    async def drop_unused(self, *, before: datetime) -> int:
        """Have files forgotten that were sent before to become datasets, and became none.

        Returns:
            How many files of tasks there were.
        """
        async with self._db.transaction() as session:
            digests = await self._sent.drop_unused(session, before=before)
            if digests:
                await self._queue.enqueue(session, MODEL_FILES_LEFT, {"digests": [*digests]})
        return len(digests)

    async def forget_files(
        self, digests: Collection[str], *, of_deleted: UUID | None = None
    ) -> int:
        """Forget stored files, but for those that something else is made of.

        Args:
            digests: What may go.
            of_deleted: A model whose own predictions keep nothing.

        Returns:
            How many were forgotten.
        """

        async def needed(session: Session, wanted: Collection[str]) -> set[str]:
            kept = await self._files.needed(session, wanted, but_of=of_deleted)
            kept |= await self._media.needed(session, wanted)
            kept |= await self._sent.needed(session, wanted)
            return kept | await self._archives.needed(session, wanted)

        return await self._leftovers.forget(digests, needed=needed)

    async def _stop_jobs(self, session: Session, model: Model) -> None:
        jobs = await RemovalRepository(session).jobs_of(model.id)
        for job_id in jobs if model.job_id is None else [*jobs, model.job_id]:
            with contextlib.suppress(JobNotFoundError, JobFinishedError):
                await self._queue.cancel(session, job_id)
