"""Use cases of models: submit one, ask it, see how it is doing."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from uuid import UUID

from dynabench.engines.inference.protocol import SAMPLE_KEY, Prediction, TargetSpec, digest_of
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.models.addresses.rules import read_options
from dynabench.loop.models.addresses.service import (
    PRIVATE_HOST,
    TargetAccess,
    check_address,
)
from dynabench.loop.models.errors import (
    ModelCheckFailedError,
    ModelNotFoundError,
    ModelNotReadyError,
)
from dynabench.loop.models.judges.rules import judge_spec_for
from dynabench.loop.models.permissions import can_see
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.rules import (
    SPEC,
    isolation_of,
    require_usable,
    spec_for,
    stored_spec,
)
from dynabench.loop.models.schemas import (
    ModelCheckRead,
    ModelCreate,
    ModelHealthRead,
    ModelRead,
)
from dynabench.loop.models.trials.service import try_out
from dynabench.loop.models.values import (
    CODE_KINDS,
    MODEL_SUBMITTED,
    Model,
    ModelKind,
    ModelLabel,
    ModelPurpose,
    ModelStatus,
    Submission,
)
from dynabench.loop.models.views.service import ModelViews
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole


class ModelService:
    """Models of all tasks, and the one way to ask them.

    How a version is reached never changes, so this process remembers it (`spec_of`).
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        views: ModelViews,
        access: TargetAccess,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._views = views
        self._access = access
        self._host = access.host
        self._queue = queue
        self._specs: dict[UUID, TargetSpec] = {}
        self._answered: Counter[UUID] = Counter()
        self._failed: Counter[UUID] = Counter()

    async def create(
        self, slug: str, body: ModelCreate, *, actor: Actor, key: RequestKey | None
    ) -> ModelRead:
        """Take a model that answers somewhere else, once it has answered a trial input.

        Other options under a name that is there make its next version; the same options
        give the version that is there.
        """
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self.read(done, actor=actor)
        options = read_options(body.kind, body.options, config=task.config, purpose=body.purpose)
        leave = await check_address(
            options,
            actor=actor,
            may_be_private=body.allow_private_address,
            allowed_hosts=self._access.allowed_hosts,
        )
        if leave is not None:
            options |= {PRIVATE_HOST: leave}
        is_judge = body.purpose is ModelPurpose.JUDGE
        describe = judge_spec_for if is_judge else spec_for
        spec = describe(task.config, kind=body.kind, name=body.name, options=options)
        digest, _ = await self._try_out(spec, task, body.purpose)
        submission = Submission(
            name=body.name,
            purpose=body.purpose,
            digest=digest,
            description=body.description,
            submitted_by=actor.user_id,
        )
        model = self._new(task, spec, submission)
        try:
            async with self._db.transaction() as session:
                added = await self._add_version(session, model)
                if added.id == model.id and not is_judge:
                    await self._announce(session, added)
                model = added
                if key is not None:
                    await claim(session, key, model.id)
        except AlreadyDone as done_before:
            return await self.read(done_before.resource_id, actor=actor)
        return await self.show(model, task, actor=actor)

    async def read(self, model_id: UUID, *, actor: Actor) -> ModelRead:
        """Return a model as everyone sees it."""
        model, task = await self.get_visible(model_id, actor)
        return await self.show(model, task, actor=actor)

    async def show(self, model: Model, task: Task, *, actor: Actor) -> ModelRead:
        """Return a model that the actor may see as they see it."""
        role = await self._tasks.role_of(task.id, actor)
        return (await self._views.read([model], slug=task.slug, actor=actor, role=role))[0]

    async def health(self, model_id: UUID, *, actor: Actor) -> ModelHealthRead:
        """Return how a model is doing in this process."""
        await self._get_owned(model_id, actor)
        health = self._host.health().get(str(model_id))
        p50 = None if health is None else health.p50_seconds
        return ModelHealthRead(
            model_id=model_id,
            state="cold" if health is None else health.state,
            queue_length=0 if health is None else health.waiting,
            restarts=0 if health is None else health.restarts,
            answered=self._answered[model_id],
            failed=self._failed[model_id],
            median_latency_ms=None if p50 is None else round(p50 * 1000, 3),
            last_error=None if health is None else health.last_error,
        )

    async def check(self, model_id: UUID, *, actor: Actor) -> ModelCheckRead:
        """Ask a model a trial input, past everything that is remembered of it."""
        model, task = await self._get_owned(model_id, actor)
        if model.kind is ModelKind.RECORDED:
            raise ModelCheckFailedError(reason="it is a record of answers and cannot be asked.")
        spec = await self.spec_of(model_id)
        _, prediction = await self._try_out(spec, task, model.purpose)
        return ModelCheckRead.model_validate(
            {
                "outputs": prediction.outputs,
                "probabilities": prediction.probabilities,
                "latency_ms": round(prediction.latency_seconds * 1000, 3),
                "error": None,
            }
        )

    async def predict(
        self, model_id: UUID, values: Mapping[str, object], *, sample: int = 0
    ) -> Prediction:
        """Ask a model one input through this process's host.

        Args:
            model_id: The version to ask.
            values: Everything that is known; the model is sent what it may see.
            sample: Which further answer to the same input is wanted; 0 is the usual one.

        Raises:
            TargetUnavailableError: If it cannot be asked.
            TargetTimeoutError: If it took too long.
            TargetBusyError: If its queue is full.
        """
        key = str(model_id)
        spec = await self.spec_of(model_id)
        if not self._host.is_registered(key):
            self._host.register(key, spec)
        try:
            wanted = {SAMPLE_KEY: sample} if sample else {}
            asked = spec.visible({**values, **wanted})
            prediction = await self._host.predict(key, asked, complete=self._access.complete)
        except DynabenchError:
            self._failed[model_id] += 1
            raise
        counter = self._answered if prediction.error is None else self._failed
        counter[model_id] += 1
        return prediction

    async def spec_of(self, model_id: UUID) -> TargetSpec:
        """Return how a model is reached; where it is code, it is laid out on this machine.

        Raises:
            ModelNotFoundError: If there is no such model.
        """
        known = self._specs.get(model_id)
        if known is not None:
            return known
        model = await self.get(model_id)
        if model.deleted_at is not None:
            raise ModelNotFoundError
        spec = stored_spec(model)
        if model.kind in CODE_KINDS:
            folder = await asyncio.to_thread(self._access.blobs.folder, parse_digest(model.digest))
            spec = replace(spec, options={**spec.options, "folder": str(folder)})
        self._specs[model_id] = spec
        return spec

    async def get(self, model_id: UUID) -> Model:
        """Return a model.

        Raises:
            ModelNotFoundError: If there is none.
        """
        async with self._db.read() as session:
            model = await ModelRepository(session).get(model_id)
        if model is None:
            raise ModelNotFoundError
        return model

    async def names(self, model_ids: Collection[UUID]) -> dict[UUID, ModelLabel]:
        """Return how models are called; an id that no model has is left out."""
        async with self._db.read() as session:
            found = await ModelRepository(session).labels(model_ids)
        return {label.model_id: label for label in found}

    async def newest_ready(self, task_id: UUID, *, model_id: UUID | None = None) -> Model | None:
        """Return a published model of the task that can be asked: the chosen or newest one."""
        async with self._db.read() as session:
            repository = ModelRepository(session)
            if model_id is None:
                return await repository.newest_ready(task_id)
            model = await repository.get(model_id)
        if model is None or model.task_id != task_id or not model.is_published:
            return None
        require_usable(model)
        return model

    async def newest_judge(self, task_id: UUID, *, name: str) -> UUID | None:
        """Return the newest ready version of a task's judge; None if there is none."""
        async with self._db.read() as session:
            return await ModelRepository(session).newest_judge(task_id, name=name)

    async def register_handler(
        self, session: Session, submission: Submission, *, task: Task
    ) -> Model:
        """Take a folder that a worker can run from blob storage, in the caller's transaction.

        The submission's digest is what `BlobStore.put_folder` returned. The version of this
        name that has it already is returned; other files make the name's next version.
        """
        describe = judge_spec_for if submission.purpose is ModelPurpose.JUDGE else spec_for
        spec = describe(
            task.config,
            kind=submission.kind,
            name=submission.name,
            options=submission.options,
            digest=submission.digest,
        )
        return await self._add_once(session, self._new(task, spec, submission))

    async def register_recorded(
        self, session: Session, name: str, *, task: Task, description: str = ""
    ) -> Model:
        """Take the name of a model whose answers were recorded elsewhere.

        It stands in replayed rounds and is never asked; there is one version per name.
        """
        spec = spec_for(task.config, kind=ModelKind.RECORDED, name=name, options={})
        submission = Submission(
            name=name, digest=digest_of({"recorded": name}), description=description
        )
        return await self._add_once(session, self._new(task, spec, submission))

    async def get_many(self, session: Session, model_ids: Collection[UUID]) -> list[Model]:
        """Return those of the models that are there, in the caller's transaction."""
        return await ModelRepository(session).get_many(model_ids)

    async def require_ready(
        self, session: Session, model_ids: Collection[UUID], *, is_for_all: bool = False
    ) -> None:
        """Refuse models that cannot be targets: `is_for_all` also private ones.

        Raises:
            ModelNotFoundError: If one is not there.
            ModelNotReadyError: If one cannot be asked.
        """
        found = await self.get_many(session, model_ids)
        if len(found) < len(set(model_ids)):
            raise ModelNotFoundError
        for model in found:
            require_usable(model)
            if is_for_all and not model.is_published:
                raise ModelNotReadyError(name=model.name, status="private")

    async def _try_out(
        self, spec: TargetSpec, task: Task, purpose: ModelPurpose
    ) -> tuple[str, Prediction]:
        return await try_out(spec, task.config, purpose=purpose, factory=self._access.factory)

    def _new(self, task: Task, spec: TargetSpec, submission: Submission) -> Model:
        return Model(
            id=new_id(),
            task_id=task.id,
            name=submission.name,
            version=1,
            kind=ModelKind(spec.kind),
            status=ModelStatus.READY,
            rejection=None,
            source={**submission.source, SPEC: spec.to_json()},
            digest=submission.digest,
            description=submission.description,
            submitted_by=submission.submitted_by,
            created_at=self._clock.now(),
            is_published=True,
            is_anonymous=False,
            purpose=submission.purpose,
            isolation=submission.isolation or isolation_of(ModelKind(spec.kind)),
            card=submission.card,
        )

    async def _announce(self, session: Session, model: Model) -> None:
        """Have a new model scored on every dataset of its task."""
        await self._queue.enqueue(
            session, MODEL_SUBMITTED, {"model_id": str(model.id)}, created_by=model.submitted_by
        )

    async def _add_once(self, session: Session, model: Model) -> Model:
        repository = ModelRepository(session)
        await repository.lock_name(task_id=model.task_id, name=model.name)
        existing = await repository.by_digest(
            task_id=model.task_id, name=model.name, kind=model.kind, digest=model.digest
        )
        return existing or await self._add_version(session, model)

    async def _add_version(self, session: Session, model: Model) -> Model:
        """Store a model as its name's next version, unless the newest is the very same."""
        repository = ModelRepository(session)
        await repository.lock_name(task_id=model.task_id, name=model.name)
        newest = await repository.newest(task_id=model.task_id, name=model.name)
        if newest is not None:
            is_same = (newest.source, newest.digest) == (model.source, model.digest)
            if is_same and newest.deleted_at is None:
                return newest
            model = replace(model, version=newest.version + 1)
        await repository.add(model)
        return model

    async def get_visible(self, model_id: UUID, actor: Actor) -> tuple[Model, Task]:
        """Return a model that the actor may see, and its task.

        Raises:
            ModelNotFoundError: If there is none, or not for them.
        """
        model = await self.get(model_id)
        try:
            slug = (await self._tasks.get_by_id(model.task_id)).slug
            task = await self._tasks.get_for(slug, actor)
        except TaskNotFoundError as error:
            raise ModelNotFoundError from error
        role = await self._tasks.role_of(task.id, actor)
        if not can_see(model, actor=actor, role=role):
            raise ModelNotFoundError
        return model, task

    async def _get_owned(self, model_id: UUID, actor: Actor) -> tuple[Model, Task]:
        model, task = await self.get_visible(model_id, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return model, task

    async def list(self, slug: str, *, actor: Actor) -> list[ModelRead]:
        """Return the models that the actor may see, newest first."""
        task = await self._tasks.get_for(slug, actor)
        role = await self._tasks.role_of(task.id, actor)
        async with self._db.read() as session:
            found = await ModelRepository(session).of_task(task.id)
        seen = [model for model in found if can_see(model, actor=actor, role=role)]
        return await self._views.read(seen, slug=slug, actor=actor, role=role)
