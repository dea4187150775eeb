"""Use cases of training: choose a recipe and data, ask for a model, follow, cancel and resume."""

import asyncio
import hashlib
from collections.abc import Sequence
from uuid import UUID, uuid5

from dynabench.engines.baselines.options import read_recipe_options
from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import CHANNEL, Job, JobState
from dynabench.engines.practice.values import Variant
from dynabench.engines.runners.installed import require_runner
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.kit.streams import Snapshot
from dynabench.kit.streams import Source as StreamSource
from dynabench.loop.datasets.selections.values import ItemSelection
from dynabench.loop.models.values import Model, ModelPurpose, Submission
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.training.checkpoints.service import Checkpoints
from dynabench.loop.training.errors import TrainingNotFoundError, TrainingStateError
from dynabench.loop.training.gathering.service import items_of, starter_bytes, starter_ingredient
from dynabench.loop.training.learners.service import Learners, Progress
from dynabench.loop.training.plans.service import Planner
from dynabench.loop.training.provenance.values import Lineage
from dynabench.loop.training.rules import (
    choose_recipe,
    combine_sources,
    find_recipe,
    fitting_recipes,
    practice_assistant,
)
from dynabench.loop.training.runs.service import TrainingRunner
from dynabench.loop.training.runs.values import Steps
from dynabench.loop.training.schemas import (
    RecipeRead,
    TrainingNewsRead,
    TrainingPlanRead,
    TrainingRead,
    TrainingRequest,
)
from dynabench.loop.training.values import (
    TRAIN_MODEL,
    TRAINING_EVENT,
    LabelledItem,
    Origin,
    RecipeName,
    Source,
    StarterModel,
    TrainingOrder,
)
from dynabench.loop.training.views.rules import read_recipe, read_training

_MOST_LISTED = 50


async def ignore_progress(done: float, total: float, message: str) -> None:
    """Tell nobody."""


class TrainingService:
    """Turns starter data and releases into models."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        planner: Planner,
        runner: TrainingRunner,
        learners: Learners,
        checkpoints: Checkpoints,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._planner = planner
        self._runner = runner
        self._learners = learners
        self._checkpoints = checkpoints
        self._queue = queue

    async def recipes(self, slug: str, *, actor: Actor) -> list[RecipeRead]:
        """Return the recipes that fit a task, the default first."""
        task = await self._tasks.get_for(slug, actor)
        checkpoints = await asyncio.to_thread(self._checkpoints.names)
        return [
            read_recipe(recipe, is_default=position == 0, checkpoints=checkpoints)
            for position, recipe in enumerate(fitting_recipes(task.config))
        ]

    async def plan(self, slug: str, body: TrainingRequest, *, actor: Actor) -> TrainingPlanRead:
        """Return what a training would learn from, and why it would be refused.

        Raises:
            RecipeUnknownError: If no recipe of this name fits the task.
            RecipeOptionsError: If an option is unknown or out of bounds.
            DatasetNotFoundError: If a version is not one of the task.
            TrainingSourceError: If a weight or a kind of set cannot be.
        """
        task = await self._owned(slug, actor)
        return await self._planner.plan(task, await self._order(task, body))

    async def train(
        self, slug: str, body: TrainingRequest, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a model to be trained; a job does it.

        Raises:
            NoTrainingDataError: If the choice holds no item.
            TrainingTooLargeError: If it holds too many.
            RunnerNotInstalledError: If the recipe needs what is not installed.
            JobTimeError: If the actor's or the task's jobs have taken all the time of a day.
            DynabenchError: As `plan`.
        """
        task = await self._owned(slug, actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        order = await self._order(task, body)
        if order.recipe is RecipeName.TRANSFORMERS:
            require_runner("huggingface")
        await self._planner.require(task, order)
        try:
            async with self._db.transaction() as session:
                await self._queue.require_time(session, person=actor.user_id, subject=task.id)
                job_id = await self._queue.enqueue(
                    session,
                    TRAIN_MODEL,
                    order.payload(),
                    created_by=actor.user_id,
                    subject_id=task.id,
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def log(self, slug: str, training_id: UUID, *, actor: Actor) -> list[str]:
        """Return what a training has logged, to the task's owners.

        Raises:
            TrainingNotFoundError: If the task has no such training.
        """
        task = await self._owned(slug, actor)
        async with self._db.read() as session:
            await self._training(session, training_id, task)
            return await self._queue.log(session, training_id)

    async def watching(self, slug: str, training_id: UUID, *, actor: Actor) -> StreamSource:
        """Return what a stream of a training watches, for owners; it ends when that is over.

        Raises:
            TrainingNotFoundError: If the task has no such training.
        """
        task = await self._owned(slug, actor)

        async def subject() -> str:
            return str(training_id)

        async def read(not_before: float) -> Snapshot:
            del not_before
            async with self._db.read() as session:
                job = await self._training(session, training_id, task)
                log = await self._queue.log(session, training_id)
            body = TrainingNewsRead(training=read_training(job), log=log).model_dump_json().encode()
            digest = hashlib.sha256(body).hexdigest()
            return Snapshot(body=body, digest=digest, is_last=job.state.is_final)

        async def require_visible(actor: Actor) -> None:
            await self._owned(slug, actor)
            async with self._db.read() as session:
                await self._training(session, training_id, task)

        return StreamSource(
            event=TRAINING_EVENT,
            channel=CHANNEL,
            subject=subject,
            read=read,
            require_visible=require_visible,
        )

    async def cancel(self, slug: str, training_id: UUID, *, actor: Actor) -> TrainingRead:
        """Stop a training, whichever owner asked for it; nothing of it stays.

        Raises:
            TrainingNotFoundError: If the task has no such training.
            JobFinishedError: If it is over.
        """
        task = await self._owned(slug, actor)
        async with self._db.transaction() as session:
            await self._training(session, training_id, task)
            await self._queue.cancel(session, training_id)
            return read_training(await self._queue.get(session, training_id))

    async def resume(self, slug: str, training_id: UUID, *, actor: Actor) -> TrainingRead:
        """Go on with a training that failed or was cancelled, as a job of its own.

        Epochs that were finished before its process was lost are not repeated. Resuming it
        twice is the same as once.

        Raises:
            TrainingNotFoundError: If the task has no such training.
            TrainingStateError: If it is under way or done.
            JobTimeError: If the actor's or the task's jobs have taken all the time of a day.
        """
        task = await self._owned(slug, actor)
        async with self._db.transaction() as session:
            job = await self._training(session, training_id, task)
            if job.state not in {JobState.FAILED, JobState.CANCELLED}:
                raise TrainingStateError(state=job.state)
            await self._queue.require_time(session, person=actor.user_id, subject=task.id)
            job_id = await self._queue.enqueue(
                session,
                TRAIN_MODEL,
                job.payload,
                job_id=uuid5(training_id, "resumed"),
                created_by=actor.user_id,
                subject_id=task.id,
            )
            return read_training(await self._queue.get(session, job_id))

    async def require_author(self, order: TrainingOrder, author_id: UUID | None) -> None:
        """Refuse to begin a training whose author owns the task no more.

        Raises:
            OrderLapsedError: If somebody asked for it who may not any more.
        """
        await self._tasks.require_still(order.task_id, author_id=author_id)

    async def run(self, order: TrainingOrder, *, steps: Steps, submitted_by: UUID | None) -> Model:
        """Do what a job was ordered; see `TrainingRunner.run`."""
        return await self._runner.run(order, steps=steps, submitted_by=submitted_by)

    async def train_now(
        self,
        task: Task,
        *,
        name: str,
        recipe: RecipeName,
        items: Sequence[LabelledItem],
        origin: Origin,
        seed: int = 0,
        description: str = "",
        submitted_by: UUID | None = None,
        purpose: ModelPurpose = ModelPurpose.TARGET,
        progress: Progress = ignore_progress,
    ) -> Model:
        """Train and submit without a job; doing it again gives the same model.

        Raises:
            NoTrainingDataError: If the items do not suffice.
        """
        known = find_recipe(task.config, recipe)
        return await self._runner.run_at_once(
            task,
            Submission(
                name=name,
                digest="",
                description=description,
                submitted_by=submitted_by,
                purpose=purpose,
            ),
            Lineage(
                recipe=recipe,
                seed=seed,
                options=read_recipe_options(known.options, {}),
                origin=origin,
            ),
            items=items,
            progress=progress,
        )

    async def train_starter(
        self, task: Task, model: StarterModel, *, progress: Progress = ignore_progress
    ) -> Model:
        """Make one of the first models of a task from the catalogue.

        It is trained on the task's starter data, or a practice model to talk with.

        Raises:
            NoTrainingDataError: If the task has none.
            RecipeUnknownError: If the model's recipe does not fit the task.
        """
        if model.practice is not None:
            return await self._take_practice(task, model, model.practice)
        starter = await asyncio.to_thread(starter_bytes, task, model.file)
        items = await asyncio.to_thread(items_of, starter)
        origin = Origin()
        if starter is not None:
            part = starter_ingredient(starter, items, weight=1)
            origin = Origin(starter_digest=part.digest, ingredients=(part,))
        return await self.train_now(
            task,
            name=model.name,
            recipe=choose_recipe(task.config, model.recipe),
            items=items,
            origin=origin,
            description=model.description,
            purpose=model.purpose,
            progress=progress,
        )

    async def _take_practice(self, task: Task, model: StarterModel, variant: Variant) -> Model:
        digest = await self._learners.write_practice(practice_assistant(task.config, variant))
        return await self._runner.take(
            task,
            Submission(
                name=model.name,
                digest=digest,
                description=model.description,
                source={"practice": variant.value},
                purpose=model.purpose,
            ),
        )

    async def _owned(self, slug: str, actor: Actor) -> Task:
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return task

    async def _order(self, task: Task, body: TrainingRequest) -> TrainingOrder:
        """Return an order with every option's value; what it names was looked for."""
        recipe = find_recipe(task.config, body.recipe)
        options = read_recipe_options(recipe.options, body.options)
        checkpoint = options.get("checkpoint")
        if checkpoint is not None:
            await asyncio.to_thread(self._checkpoints.require, str(checkpoint))
        return TrainingOrder(
            task_id=task.id,
            work_id=new_id(),
            name=body.name,
            recipe=recipe.name,
            with_starter_data=body.with_starter_data,
            starter_weight=body.starter_weight,
            sources=combine_sources(
                [
                    Source(dataset_version_id=one.dataset_version_id, weight=one.weight)
                    for one in body.sources
                ],
                body.dataset_version_ids,
            ),
            selection=ItemSelection(
                only_verified=body.only_verified,
                only_fooling=body.only_fooling,
                without_controls=body.without_controls,
            ),
            options=options,
            seed=body.seed,
            description=body.description,
        )

    async def _training(self, session: Session, training_id: UUID, task: Task) -> Job:
        try:
            job = await self._queue.get(session, training_id)
        except JobNotFoundError as error:
            raise TrainingNotFoundError(training_id) from error
        if job.name != TRAIN_MODEL or job.payload.get("task_id") != str(task.id):
            raise TrainingNotFoundError(training_id)
        return job

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))

    # Last, so that above it `list` still is the built-in type.
    async def list(self, slug: str, *, actor: Actor) -> list[TrainingRead]:
        """Return a task's newest trainings, the newest first, to its owners."""
        task = await self._owned(slug, actor)
        async with self._db.read() as session:
            found = await self._queue.list_jobs(
                session, name=TRAIN_MODEL, payload={"task_id": str(task.id)}, limit=_MOST_LISTED
            )
        return [read_training(job) for job in found]
