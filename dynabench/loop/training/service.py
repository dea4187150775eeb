"""Use cases of training: choose a recipe and data, train, submit the result as a model."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue

from dynabench.catalog.lines import has_lines, read_lines
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.practice.values import Variant
from dynabench.engines.storage.store import Digest, parse_digest
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Model, ModelPurpose, Submission
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.training.errors import NoTrainingDataError
from dynabench.loop.training.learners.service import Learners, Progress
from dynabench.loop.training.rules import (
    choose_recipe,
    fitting_recipes,
    practice_assistant,
    require_learnable,
    summarise,
)
from dynabench.loop.training.schemas import RecipeRead, TrainingRequest
from dynabench.loop.training.values import (
    STARTER_FILE,
    TRAIN_MODEL,
    LabelledItem,
    Origin,
    RecipeName,
    StarterModel,
    TrainingOrder,
)


def starter_bytes(task: Task, name: str = STARTER_FILE) -> bytes | None:
    """Return a training set of a task from the catalogue as it is shipped; None for others."""
    if task.catalog_folder is None:
        return None
    lines = read_lines(task.catalog_folder, name)
    return None if lines is None else b"".join(line + b"\n" for line in lines)


def has_starter_items(task: Task) -> bool:
    """Tell whether a task brings starter data."""
    return task.catalog_folder is not None and has_lines(task.catalog_folder, STARTER_FILE)


def starter_items(task: Task, name: str = STARTER_FILE) -> list[LabelledItem]:
    """Return the starter items of a task from the catalogue; none for others."""
    return items_of(starter_bytes(task, name))


def items_of(starter: bytes | None) -> list[LabelledItem]:
    """Return the items in the bytes of a training set."""
    lines = [json.loads(line) for line in (starter or b"").splitlines() if line]
    return [
        LabelledItem(context=one["context"], inputs=one["inputs"], answer=one["answer"])
        for one in lines
    ]


async def ignore_progress(done: float, total: float, message: str) -> None:
    """Tell nobody."""


class Steps(Protocol):
    """What a training needs of its job."""

    async def step(self, key: str, work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Do a step once, or return what it gave before."""
        ...

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is."""
        ...


class TrainingService:
    """Turns starter data and releases into models."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        models: ModelService,
        datasets: DatasetService,
        evaluations: EvaluationService,
        learners: Learners,
        media: MediaInliner,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._models = models
        self._datasets = datasets
        self._evaluations = evaluations
        self._learners = learners
        self._media = media
        self._queue = queue

    async def recipes(self, slug: str, *, actor: Actor) -> list[RecipeRead]:
        """Return the recipes that fit a task, the default first."""
        task = await self._tasks.get_for(slug, actor)
        return [
            RecipeRead(
                name=recipe.name,
                title=recipe.title,
                description=recipe.description,
                is_default=position == 0,
            )
            for position, recipe in enumerate(fitting_recipes(task.config))
        ]

    async def train(
        self, slug: str, body: TrainingRequest, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a model to be trained; a job does it.

        Raises:
            RecipeUnknownError: If no recipe of this name fits the task.
            DatasetNotFoundError: If a version is not one of the task.
            NoTrainingDataError: If the choice holds no item.
        """
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        order = TrainingOrder(
            task_id=task.id,
            name=body.name,
            recipe=choose_recipe(task.config, body.recipe),
            with_starter_data=body.with_starter_data,
            dataset_version_ids=tuple(dict.fromkeys(body.dataset_version_ids)),
            seed=body.seed,
            description=body.description,
        )
        await self._require_data(task, order)
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, TRAIN_MODEL, order.payload(), created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def run(self, order: TrainingOrder, *, steps: Steps, submitted_by: UUID | None) -> Model:
        """Do what a job was ordered; a model that was trained is not trained again.

        Raises:
            NoTrainingDataError: If the items do not suffice.
            TrainingProcessError: If the learning process ended without a model.
        """
        task = await self._tasks.get_by_id(order.task_id)
        items, origin = await self._gather(task, order)

        async def fit() -> JsonValue:
            return await self._fit(
                task, recipe=order.recipe, items=items, seed=order.seed, progress=steps.progress
            )

        digest = await steps.step("fit", fit)
        return await self._submit(
            task,
            Submission(
                name=order.name,
                digest=parse_digest(str(digest)),
                description=order.description,
                source=describe_source(order.recipe, seed=order.seed, origin=origin),
                submitted_by=submitted_by,
            ),
        )

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
        digest = await self._fit(task, recipe=recipe, items=items, seed=seed, progress=progress)
        return await self._submit(
            task,
            Submission(
                name=name,
                digest=digest,
                description=description,
                source=describe_source(recipe, seed=seed, origin=origin),
                submitted_by=submitted_by,
                purpose=purpose,
            ),
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
        return await self.train_now(
            task,
            name=model.name,
            recipe=choose_recipe(task.config, model.recipe),
            items=await asyncio.to_thread(items_of, starter),
            origin=Origin(
                starter_digest=None if starter is None else hashlib.sha256(starter).hexdigest()
            ),
            description=model.description,
            purpose=model.purpose,
            progress=progress,
        )

    async def _take_practice(self, task: Task, model: StarterModel, variant: Variant) -> Model:
        digest = await self._learners.write_practice(practice_assistant(task.config, variant))
        return await self._submit(
            task,
            Submission(
                name=model.name,
                digest=digest,
                description=model.description,
                source={"practice": variant.value},
                purpose=model.purpose,
            ),
        )

    async def _gather(self, task: Task, order: TrainingOrder) -> tuple[list[LabelledItem], Origin]:
        """Return the items of an order: starter data, then the train splits, never others."""
        starter = None
        if order.with_starter_data:
            starter = await asyncio.to_thread(starter_bytes, task)
        items = await asyncio.to_thread(items_of, starter)
        versions = await self._datasets.get_of_task(order.dataset_version_ids, task_id=task.id)
        for version in versions:
            async for page in self._datasets.pages(version.id, Split.TRAIN):
                items += [
                    LabelledItem(
                        context=await self._media.inline(one.context),
                        inputs=await self._media.inline(one.inputs),
                        answer=one.gold,
                    )
                    for one in page
                ]
        return items, Origin(
            starter_digest=None if starter is None else hashlib.sha256(starter).hexdigest(),
            dataset_digests=tuple(version.digest for version in versions),
        )

    async def _fit(
        self,
        task: Task,
        *,
        recipe: RecipeName,
        items: Sequence[LabelledItem],
        seed: int,
        progress: Progress,
    ) -> Digest:
        config = summarise(task.config)
        require_learnable(items, config)
        return await self._learners.fit(recipe, items, config=config, seed=seed, progress=progress)

    async def _submit(self, task: Task, submission: Submission) -> Model:
        """Take trained files as a model, and have it scored on every dataset of the task."""
        async with self._db.transaction() as session:
            model = await self._models.register_handler(session, submission, task=task)
            if submission.purpose is ModelPurpose.TARGET:
                await self._evaluations.enqueue_model(
                    session, model.id, task_id=task.id, created_by=submission.submitted_by
                )
        return model

    async def _require_data(self, task: Task, order: TrainingOrder) -> None:
        versions = await self._datasets.get_of_task(order.dataset_version_ids, task_id=task.id)
        has_starter = order.with_starter_data and has_starter_items(task)
        if has_starter or any(version.sizes[Split.TRAIN] for version in versions):
            return
        reason = (
            "the train splits of the chosen releases are empty."
            if versions
            else "this task has no starter data; choose a release of it."
        )
        raise NoTrainingDataError(reason=reason)

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))


def describe_source(recipe: RecipeName, *, seed: int, origin: Origin) -> dict[str, object]:
    """Return what a model says about where it comes from."""
    return {
        "recipe": recipe.value,
        # Text, since a seed may be larger than JSON's numbers.
        "seed": str(seed),
        "starter_digest": origin.starter_digest,
        "dataset_digests": [*origin.dataset_digests],
    }
