"""Use cases of care: publish a model, have it checked again, read its log, delete it."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.errors import NothingToRetryError
from dynabench.loop.models.submissions.permissions import (
    may_change,
    require_author,
    require_caretaker,
)
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.submissions.rules import (
    artifact_of,
    awaits_files,
    require_publishable,
)
from dynabench.loop.models.submissions.schemas import ModelPatch
from dynabench.loop.models.submissions.service import SubmissionService
from dynabench.loop.models.values import CODE_KINDS, Model, ModelKind, ModelStatus
from dynabench.loop.tasks.service import TaskService

_LOG_LINES = 2_000


class CareService:
    """Lets people care for the models that they handed in, and owners for those of their task."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        models: ModelService,
        submissions: SubmissionService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._submissions = submissions
        self._queue = queue

    async def change(self, model_id: UUID, body: ModelPatch, *, actor: Actor) -> ModelRead:
        """Change what is said of a model, publish or withdraw it.

        Raises:
            NotYourModelError: If it is not the actor's; owners may withdraw any.
            ModelNotReadyError: If it is to be published and has not passed the checks.
            CardIncompleteError: If it is published, or to be, and its card says too little.
        """
        model, task = await self._models.get_visible(model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        values = body.model_dump(exclude_unset=True, exclude_none=True, mode="json")
        if may_change(model, actor=actor, role=role) or values != {"is_published": False}:
            require_author(model, actor=actor, role=role)
        else:
            require_caretaker(model, actor=actor, role=role)
        changed = replace(model, **values)
        if changed.is_published and values.keys() & {"card", "is_published"}:
            require_publishable(changed, changed.card)
        if values:
            async with self._db.transaction() as session:
                await SubmissionRepository(session).change(model_id, values)
        return await self._models.show(changed, task, actor=actor)

    async def retry(self, model_id: UUID, *, actor: Actor) -> ModelRead:
        """Have a model checked again that was rejected, or whose check could not be done.

        Raises:
            NotYourModelError: If it is neither the actor's nor of a task of theirs.
            NothingToRetryError: If it passed, is being checked, or waits for its files.
        """
        model, task = await self._models.get_visible(model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        require_caretaker(model, actor=actor, role=role)
        async with self._db.transaction() as session:
            if model.status is ModelStatus.REJECTED:
                await self._submissions.require_room(session, model)
            await self._require_over(session, model)
            changes: dict[str, object] = {
                "status": ModelStatus.SUBMITTED,
                "rejection": None,
                "problems": None,
                "job_id": await self._submissions.enqueue_check(session, model),
            }
            is_done = await SubmissionRepository(session).change(
                model.id, changes, states=[model.status]
            )
            if not is_done:
                raise NothingToRetryError(name=model.name, reason="it is being checked.")
        return await self._models.read(model_id, actor=actor)

    async def log(self, model_id: UUID, *, actor: Actor) -> list[str]:
        """Return the last lines of a model's check, for its submitter and the owners.

        Raises:
            NotYourModelError: If the actor is neither.
        """
        model, task = await self._models.get_visible(model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        require_caretaker(model, actor=actor, role=role)
        if model.job_id is None:
            return []
        async with self._db.read() as session:
            return await self._queue.log(session, model.job_id, limit=_LOG_LINES)

    async def mark_deleted(self, session: Session, model: Model) -> list[str] | None:
        """Delete a model in the caller's transaction; its row stays without what it says.

        Returns:
            The digests of its folder and artifact, or None if it was deleted meanwhile.
        """
        # It may have got its files, or passed its check, since it was looked at.
        await SubmissionRepository(session).hold(model.id)
        now = await ModelRepository(session).get(model.id) or model
        artifact = artifact_of(now)
        digests = [] if artifact is None else [artifact.digest]
        if now.kind in CODE_KINDS and now.status is ModelStatus.READY:
            digests.append(now.digest)
        is_done = await SubmissionRepository(session).change(
            model.id,
            {
                "deleted_at": self._clock.now(),
                "is_published": False,
                "description": "",
                "card": None,
                "problems": None,
                "rejection": None,
                "source": {},
            },
        )
        return digests if is_done else None

    async def drop_rejected(self, session: Session, *, before: datetime) -> list[str]:
        """Take their files from models that were handed in before and rejected.

        Returns:
            The digests of the files.
        """
        return await SubmissionRepository(session).drop_rejected(before=before)

    async def _require_over(self, session: Session, model: Model) -> None:
        """Refuse to check a model again whose check is not over, or that cannot be checked."""
        if model.status is ModelStatus.READY:
            raise NothingToRetryError(name=model.name, reason="it has passed.")
        if model.kind is ModelKind.PREDICTIONS or awaits_files(model):
            raise NothingToRetryError(name=model.name, reason="it waits for its files.")
        if model.status is ModelStatus.REJECTED or model.job_id is None:
            return
        try:
            job = await self._queue.get(session, model.job_id)
        except JobNotFoundError:
            return
        if not job.state.is_final:
            raise NothingToRetryError(name=model.name, reason="it is being checked.")
