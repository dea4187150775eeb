"""Training against a real database and a real learning process."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from uuid import UUID

import pytest
from pydantic import JsonValue

from dynabench.engines.baselines.loading import load
from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobInterrupted
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.evaluations.values import EVALUATE_MODEL
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.training.errors import NoTrainingDataError, RecipeUnknownError
from dynabench.loop.training.gathering.service import items_of, starter_bytes
from dynabench.loop.training.jobs import handlers
from dynabench.loop.training.schemas import TrainingRequest
from dynabench.loop.training.values import (
    TRAIN_MODEL,
    LabelledItem,
    Origin,
    RecipeName,
    StarterModel,
    TrainingOrder,
)
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task


async def owner_of(db: Database, task: Task) -> Actor:
    owner = await make_user(db)
    await add_member(db, task, owner, TaskRole.OWNER)
    return owner


def train_item(number: int) -> DatasetItem:
    label = ("entailment", "contradiction")[number % 2]
    word = ("always", "never")[number % 2]
    item = make_item(number, split=Split.TRAIN, label=label)
    return replace(item, inputs={"hypothesis": f"It is {word} so, number {number}."})


class LosesPower:
    """A job whose worker is lost right after its first finished step."""

    def __init__(self, context: JobContext) -> None:
        self._context = context

    async def step(self, key: str, work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        await self._context.step(key, work)
        raise JobInterrupted

    async def progress(self, done: float, total: float, message: str = "") -> None:
        await self._context.progress(done, total, message)

    async def log(self, line: str) -> None:
        await self._context.log(line)

    async def end(self, session: Session, result: dict[str, JsonValue], *, line: str) -> None:
        await self._context.end(session, result, line=line)


async def the_job(db: Database, later: LaterChapters, job_id: UUID) -> Job:
    async with db.read() as session:
        return await later.earlier.queue.get(session, job_id)


async def run(db: Database, later: LaterChapters, job_id: UUID) -> Job:
    runner = JobRunner(db, handlers(training=later.training), executor_id="one")
    await runner.run(job_id)
    return await the_job(db, later, job_id)


async def test_a_release_is_trained_on_and_the_model_is_scored_everywhere(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    items = [train_item(number) for number in range(40)]
    version = await make_dataset(
        database, task, [*items, make_item(99, split=Split.TEST)], clock=clock
    )
    other = await make_dataset(database, task, [make_item(7)], clock=clock)
    owner = await owner_of(database, task)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="second", dataset_version_ids=[version.id], seed=3)
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    done = await run(database, later, job.id)
    assert (done.state, done.error) == (JobState.DONE, None)
    assert done.result is not None
    model = await later.earlier.models.get(UUID(str(done.result["model_id"])))
    assert (model.name, model.version, model.submitted_by) == ("second", 1, owner.user_id)
    assert model.source["dataset_digests"] == [version.digest]
    assert (model.source["recipe"], model.source["seed"]) == ("text-classifier", "3")
    async with database.read() as session:
        jobs = await later.earlier.queue.list_jobs(session, name=EVALUATE_MODEL)
    assert {one.payload["dataset_version_id"] for one in jobs} == {str(version.id), str(other.id)}
    trained = load(FolderBlobStore(tmp_path).folder(parse_digest(model.digest)))
    (answer,) = trained.predict([{"premise": "x", "hypothesis": "It is never so."}])
    assert answer["label"] == "contradiction"


async def test_a_training_that_was_interrupted_submits_what_it_has_trained(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    version = await make_dataset(
        database, task, [train_item(number) for number in range(20)], clock=clock
    )
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", recipe="majority", dataset_version_ids=[version.id])
    owner = await owner_of(database, task)
    job = await later.training.train(task.slug, body, actor=owner, key=None)

    order = TrainingOrder.of_payload((await the_job(database, later, job.id)).payload)

    async def train_and_lose_power(context: JobContext) -> None:
        await later.training.run(order, steps=LosesPower(context), submitted_by=None)

    with pytest.raises(JobInterrupted):
        await JobRunner(database, {TRAIN_MODEL: train_and_lose_power}, executor_id="lost").run(
            job.id
        )
    # Where nothing can be trained any more, the second start must not train.
    fresh = LaterChapters.over(database, clock, blobs=Path("/nonexistent"))
    done = await run(database, fresh, job.id)
    assert (done.state, done.error, done.attempts) == (JobState.DONE, None, 2)


async def test_the_same_data_and_seed_give_the_same_model(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    training = LaterChapters.over(database, clock, blobs=tmp_path).training
    items = [
        LabelledItem(context=one.context, inputs=one.inputs, answer=one.gold)
        for one in map(train_item, range(30))
    ]
    models = [
        await training.train_now(
            task,
            name="mine",
            recipe=RecipeName.TEXT_CLASSIFIER,
            items=items,
            origin=Origin(),
            seed=5,
        )
        for _ in range(2)
    ]
    assert models[0].id == models[1].id


async def test_a_core_tasks_first_target_comes_from_its_starter_data(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    config = files("dynabench.catalog").joinpath("tasks", "sentiment", "task.yaml")
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    task = await later.earlier.tasks.ensure(
        "feelings", config.read_text(encoding="utf-8"), catalog_folder="tasks/sentiment"
    )
    model = await later.training.train_starter(task, StarterModel())
    assert (model.version, model.submitted_by) == (1, None)
    assert model.source["starter_digest"]
    assert items_of(starter_bytes(await make_task(database))) == []


async def test_data_that_does_not_suffice_fails_the_job_with_the_reason(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    odd = replace(train_item(0), gold={"label": "entailment"})
    version = await make_dataset(database, task, [odd], clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    owner = await owner_of(database, task)
    body = TrainingRequest(name="m", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    done = await run(database, later, job.id)
    assert done.state is JobState.FAILED
    assert "every item has the answer" in str(done.error)


async def test_a_choice_without_data_or_recipe_is_refused_at_once(
    database: Database, clock: HeldClock
) -> None:
    task, other = await make_task(database), await make_task(database)
    owner = await owner_of(database, task)
    empty = await make_dataset(database, task, [make_item(1)], clock=clock)
    foreign = await make_dataset(database, other, [train_item(1)], clock=clock)
    training = LaterChapters.over(database, clock).training

    async def train(body: TrainingRequest) -> None:
        await training.train(task.slug, body, actor=owner, key=None)

    with pytest.raises(NoTrainingDataError, match="no starter data"):
        await train(TrainingRequest(name="m"))
    with pytest.raises(NoTrainingDataError, match="empty"):
        await train(TrainingRequest(name="m", dataset_version_ids=[empty.id]))
    with pytest.raises(DatasetNotFoundError):
        await train(TrainingRequest(name="m", dataset_version_ids=[foreign.id]))
    with pytest.raises(RecipeUnknownError):
        await train(TrainingRequest(name="m", recipe="magic"))


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_train_and_everyone_sees_the_recipes(
    database: Database, clock: HeldClock, role: TaskRole | None
) -> None:
    task = await make_task(database)
    actor = await make_user(database)
    if role is not None:
        await add_member(database, task, actor, role)
    training = LaterChapters.over(database, clock).training
    with pytest.raises(TaskRoleNeededError):
        await training.train(task.slug, TrainingRequest(name="m"), actor=actor, key=None)
    with pytest.raises(SignInRequiredError):
        await training.train(task.slug, TrainingRequest(name="m"), actor=VISITOR, key=None)
    recipes = await training.recipes(task.slug, actor=VISITOR)
    assert [(one.name, one.is_default) for one in recipes] == [
        ("text-classifier", True),
        ("majority", False),
        ("transformers", False),
    ]


async def test_the_same_request_is_one_training(database: Database, clock: HeldClock) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [train_item(1)], clock=clock)
    training = LaterChapters.over(database, clock).training
    body = TrainingRequest(name="m", dataset_version_ids=[version.id])
    key = RequestKey.of(actor_id=owner.user_id, route="POST /t", key="k", body=b"{}")
    first = await training.train(task.slug, body, actor=owner, key=key)
    assert (await training.train(task.slug, body, actor=owner, key=key)).id == first.id
