"""Use cases of submissions: hand a model in, publish it, have it checked again, read its log."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

from dynabench.engines.inference.protocol import digest_of
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.kit.under_way import UnderWay
from dynabench.loop.models.addresses.service import check_address
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.rules import SPEC, isolation_of, spec_for
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore, Received
from dynabench.loop.models.submissions.errors import (
    ArtifactThereError,
    NameTakenError,
    NoArtifactError,
    SameModelError,
    UploadsBusyError,
)
from dynabench.loop.models.submissions.permissions import (
    require_author,
    require_open_task,
    require_own_key,
)
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.submissions.rules import (
    artifact_of,
    is_checked_at_once,
    options_of,
    read_submitted_options,
    require_room,
    source_with,
    takes_files,
)
from dynabench.loop.models.submissions.schemas import SubmissionCreate
from dynabench.loop.models.submissions.values import (
    CHECK_MODEL,
    PERIOD,
    ChooseIsolation,
    SubmissionLimits,
)
from dynabench.loop.models.values import (
    CODE_KINDS,
    MODEL_SUBMITTED,
    REMOTE_KINDS,
    Model,
    ModelKind,
    ModelStatus,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task

_MOST_COMING = 2
_LOG_LINES = 2_000


class SubmissionService:
    """Takes models from whoever sees an active task, and lets them care for their own.

    Args:
        db: Where models are.
        clock: The clock.
        tasks: Whose models they are.
        models: Who may see a model, and as what.
        artifacts: Where files go.
        queue: Where checks wait.
        limits: What the operator allows.
        quota: How many bytes of files may be kept.
        isolate: Says how submitted code is kept apart here, or refuses it.
        allowed_hosts: Private hosts that the operator lets every model lie on.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        models: ModelService,
        artifacts: ArtifactStore,
        queue: JobQueue,
        limits: SubmissionLimits,
        quota: FileQuota,
        isolate: ChooseIsolation,
        allowed_hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._artifacts = artifacts
        self._queue = queue
        self._limits = limits
        self._quota = quota
        self._isolate = isolate
        self._allowed_hosts = allowed_hosts
        self._coming = UnderWay(most=_MOST_COMING, refuse=UploadsBusyError)

    async def create(
        self, slug: str, body: SubmissionCreate, *, actor: Actor, key: RequestKey | None
    ) -> ModelRead:
        """Take a submission; its check is queued at once unless files are to follow.

        Raises:
            TaskStateError: If the task is not active.
            ModelOptionsError: With every wrong option.
            CodeRefusedError: If this machine runs no submitted code.
            NameTakenError: If another person's model has the name.
            SameModelError: If nothing differs from the newest version of the name.
            TooManyWaitingError: If too many of the actor's are on their way.
            DailyLimitError: If as many as may have passed today.
        """
        require_signed_in(actor)
        task = await self._tasks.get_for(slug, actor)
        require_open_task(task)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self._models.read(done, actor=actor)
        model = await self._draft(task, body, actor)
        try:
            async with self._db.transaction() as session:
                await self.require_room(session, model)
                model = await self._number(session, model)
                if is_checked_at_once(model.kind, body.options):
                    model = replace(model, job_id=await self.enqueue_check(session, model))
                await ModelRepository(session).add(model)
                if key is not None:
                    await claim(session, key, model.id)
        except AlreadyDone as done_before:
            return await self._models.read(done_before.resource_id, actor=actor)
        return await self._models.show(model, task, actor=actor)

    async def upload(
        self,
        model_id: UUID,
        *,
        chunks: AsyncIterator[bytes],
        announced_bytes: int | None,
        actor: Actor,
    ) -> ModelRead:
        """Take a model's files, and queue its check; the same files again change nothing.

        Raises:
            NotYourModelError: If another person submitted it.
            NoArtifactError: If models of its kind have no files.
            ArtifactThereError: If it has other files already.
            ArtifactTooLargeError: If they have too many bytes.
            ArtifactFormatError: If they are of no kind that is taken.
            StorageFullError: If there is no room.
            FilesQuotaError: If the submitter, or the task, may not keep so much.
            UploadsBusyError: If too many of the actor's files are coming in.
        """
        user_id = require_signed_in(actor)
        model, task = await self._models.get_visible(model_id, actor)
        require_author(model, actor=actor, role=await self._tasks.role_of(task.id, actor))
        if not takes_files(model.kind, options_of(model)):
            raise NoArtifactError(kind=model.kind)
        with self._coming.one_more(user_id):
            async with self._artifacts.receive(
                chunks, kind=model.kind, announced_bytes=announced_bytes
            ) as received:
                known = artifact_of(model)
                if known is not None and known.digest == received.digest:
                    return await self._models.show(model, task, actor=actor)
                model = await self._attach(model, received)
        return await self._models.show(model, task, actor=actor)

    async def require_file_room(self, session: Session, model: Model, coming_bytes: int) -> None:
        """Refuse a file that its submitter, or its task, may not keep besides what is kept.

        Until the transaction ends others of either wait, so that none is counted past.

        Raises:
            FilesQuotaError: With whose files these are and how many bytes they have.
        """
        await self._quota.require(
            session, coming_bytes, task_id=model.task_id, user_id=model.submitted_by
        )

    async def take_predictions(
        self, session: Session, model: Model, digest: str, *, size_bytes: int
    ) -> None:
        """Note in the caller's transaction that a model of predictions got a file.

        Its first one makes it ready, and has it scored on every dataset that it has files for.

        Raises:
            ModelNotFoundError: If it was deleted meanwhile.
        """
        held = await SubmissionRepository(session).hold(model.id)
        if held is None:
            raise ModelNotFoundError
        values: dict[str, object] = {
            "digest": digest_of({"before": held.digest, "file": digest}),
            "artifact_bytes": (held.artifact_bytes or 0) + size_bytes,
        }
        if held.status is not ModelStatus.READY:
            values |= {"status": ModelStatus.READY, "passed_at": self._clock.now()}
            payload = {"model_id": str(model.id)}
            await self._queue.enqueue(
                session, MODEL_SUBMITTED, payload, created_by=model.submitted_by
            )
        await SubmissionRepository(session).change(model.id, values)

    async def require_room(self, session: Session, model: Model) -> None:
        """Refuse one more check of a person's models in the caller's transaction.

        Raises:
            TooManyWaitingError: If too many of theirs are on their way.
            DailyLimitError: If as many as may have passed today.
            JobTimeError: If their jobs or the task's have taken all the time of a day.
        """
        if model.submitted_by is None:
            return
        whose = {"task_id": model.task_id, "user_id": model.submitted_by}
        await self.require_time(session, model)
        repository = SubmissionRepository(session)
        await repository.lock_submitter(**whose)
        passed = await repository.passed_since(self._clock.now() - PERIOD, **whose)
        waiting = await repository.waiting(**whose)
        require_room(passed_at=passed, waiting=waiting, limits=self._limits)

    async def require_time(self, session: Session, model: Model) -> None:
        """Refuse one more job about a person's model where the day's time is used up.

        Raises:
            JobTimeError: If their jobs or the task's have taken all the time of a day.
        """
        await self._queue.require_time(session, person=model.submitted_by, subject=model.task_id)

    async def enqueue_check(self, session: Session, model: Model) -> UUID:
        """Have a model checked, in the caller's transaction; return the job."""
        payload = {"model_id": str(model.id)}
        return await self._queue.enqueue(
            session,
            CHECK_MODEL,
            payload,
            created_by=model.submitted_by,
            subject_id=model.task_id,
        )

    async def _draft(self, task: Task, body: SubmissionCreate, actor: Actor) -> Model:
        options = read_submitted_options(body.kind, body.options, config=task.config)
        isolation = isolation_of(body.kind)
        if body.kind in REMOTE_KINDS:
            require_own_key(options, role=await self._tasks.role_of(task.id, actor))
            await check_address(
                options,
                actor=actor,
                may_be_private=False,
                allowed_hosts=self._allowed_hosts,
            )
        if body.kind in CODE_KINDS:
            # The first time the machine is tried out, which takes a moment.
            isolation = await asyncio.to_thread(self._isolate)
        spec = spec_for(task.config, kind=body.kind, name=body.name, options=options)
        model_id = new_id()
        # What has files is known by them; of the rest this tells whether anything has changed.
        digest = digest_of({"model": str(model_id)} if body.kind in CODE_KINDS else spec.to_json())
        return Model(
            id=model_id,
            task_id=task.id,
            name=body.name,
            version=1,
            kind=body.kind,
            status=ModelStatus.SUBMITTED,
            rejection=None,
            source={SPEC: spec.to_json()},
            digest=digest,
            description=body.description,
            submitted_by=actor.user_id,
            created_at=self._clock.now(),
            is_published=False,
            is_anonymous=body.is_anonymous,
            isolation=isolation,
            card=None if body.card is None else body.card.model_dump(),
        )

    async def _attach(self, model: Model, received: Received) -> Model:
        """Store the files that came in for a model that has none, and queue its check."""
        async with self._db.transaction() as session:
            repository = SubmissionRepository(session)
            await repository.keep_files()
            await self.require_file_room(session, model, received.size_bytes)
            artifact = await self._artifacts.keep(received)
            job_id = await self.enqueue_check(session, model)
            values = {
                "source": source_with(model, artifact),
                "artifact_bytes": artifact.size_bytes,
                "job_id": job_id,
            }
            if not await repository.attach(model.id, values):
                raise ArtifactThereError(name=model.name)
        return replace(
            model,
            source=source_with(model, artifact),
            artifact_bytes=artifact.size_bytes,
            job_id=job_id,
        )

    async def _number(self, session: Session, model: Model) -> Model:
        """Return the model as the next version of its name."""
        repository = ModelRepository(session)
        await repository.lock_name(task_id=model.task_id, name=model.name)
        newest = await repository.newest(task_id=model.task_id, name=model.name)
        if newest is None:
            return model
        if newest.submitted_by != model.submitted_by:
            raise NameTakenError(name=model.name)
        is_same = newest.kind is model.kind and newest.source.get(SPEC) == model.source[SPEC]
        if (
            is_same
            and model.kind in {*REMOTE_KINDS, ModelKind.CONTAINER}
            and newest.deleted_at is None
            and newest.status is not ModelStatus.REJECTED
        ):
            raise SameModelError(name=model.name, version=newest.version)
        return replace(model, version=newest.version + 1)
