"""Evaluations against a real database, run as a worker runs them."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

import pytest

from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    Prediction,
    TargetModel,
    TargetSpec,
)
from dynabench.engines.jobs.errors import JobInterrupted
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.errors import UnavailableError
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.values import DATASET_PUBLISHED, Split
from dynabench.loop.evaluations.jobs import handlers
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.runs.probing.rules import PROBES
from dynabench.loop.evaluations.schemas import EvaluationCreate
from dynabench.loop.evaluations.values import EVALUATE_MODEL
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.models.schemas import ModelCreate
from dynabench.loop.models.values import MODEL_SUBMITTED, ModelKind, ModelStatus
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import PATIENCE, HeldTargetModel, LaterChapters
from tests.factories.models import make_model, make_model_service
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task


async def owner_of(db: Database, task: Task) -> Actor:
    owner = await make_user(db)
    await add_member(db, task, owner, TaskRole.OWNER)
    return owner


async def ask(later: LaterChapters, model_id: UUID, version_id: UUID, owner: Actor) -> UUID:
    body = EvaluationCreate(dataset_version_id=version_id)
    return (await later.evaluations.evaluate(model_id, body, actor=owner, key=None)).id


async def run(db: Database, later: LaterChapters, job_id: UUID) -> Job:
    found = handlers(evaluations=later.evaluations, runner=later.runner)
    await JobRunner(db, found, executor_id="one").run(job_id)
    async with db.read() as session:
        return await later.earlier.queue.get(session, job_id)


async def jobs_of(db: Database, later: LaterChapters, name: str) -> list[Job]:
    async with db.read() as session:
        return await later.earlier.queue.list_jobs(session, name=name)


async def test_a_model_is_scored_on_dev_and_test_and_never_on_train(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    items = [
        *(make_item(n, split=Split.TEST, label=("neutral", "entailment")[n % 2]) for n in range(8)),
        *(make_item(n + 100, split=Split.DEV) for n in range(3)),
        *(make_item(n + 200, split=Split.TRAIN) for n in range(5)),
    ]
    version = await make_dataset(database, task, items, clock=clock)
    model = await make_model(database, task, name="mine")
    later = LaterChapters.over(database, clock)
    job_id = await ask(later, model.id, version.id, await owner_of(database, task))
    done = await run(database, later, job_id)
    assert (done.state, done.error) == (JobState.DONE, None)
    test, dev = await later.evaluations.scores(task.slug, actor=VISITOR)
    assert (test.split, test.items, test.model_name) == ("test", 8, "mine")
    assert test.value == pytest.approx(100 / 3)
    assert (dev.split, dev.value, dev.items) == ("dev", 100.0, 3)
    assert (test.metric, test.is_principal, test.failed_items) == ("macro_f1", True, 0)
    # Each label is right in four contexts, which say next to nothing of others.
    assert (test.low, test.high) == (None, None)


async def test_an_item_that_fails_is_counted_and_the_rest_goes_on(
    database: Database, clock: HeldClock
) -> None:
    def rule(item: ModelInput) -> Mapping[str, object]:
        number = int(str(item["hypothesis"]).split()[1].strip("."))
        if number == 1:
            raise ValueError
        return {"label": "maybe" if number == 2 else "neutral"}

    def build(spec: TargetSpec) -> TargetModel:
        return FakeTargetModel(rule, name=spec.name)

    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(n) for n in range(5)], clock=clock)
    model = await make_model(database, task)
    later = LaterChapters.over(database, clock, factory=build)
    job_id = await ask(later, model.id, version.id, await owner_of(database, task))
    done = await run(database, later, job_id)
    assert done.result is not None
    assert done.result["failed_items"] == 2
    (score,) = await later.evaluations.scores(task.slug, actor=VISITOR)
    assert (score.failed_items, score.items) == (2, 5)
    async with database.read() as session:
        repository = EvaluationRepository(session)
        found = await repository.find(model_id=model.id, version_id=version.id)
        assert found is not None
        kept = await repository.predictions(found.id, [item.uid for item in map(make_item, (1, 2))])
    assert all(one.error and one.outputs == {} for one in kept.values())


async def test_a_killed_evaluation_goes_on_behind_its_last_finished_shard(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    total = PATIENCE.remote_shard_items + 44
    items = [make_item(number) for number in range(total)]
    version = await make_dataset(database, task, items, clock=clock)
    model = await make_model(database, task)
    fake = FakeTargetModel(lambda _: {"label": "neutral"})
    held = HeldTargetModel(fake, answers=PROBES + PATIENCE.remote_shard_items)
    first = LaterChapters.over(database, clock, factory=lambda _: held)
    job_id = await ask(first, model.id, version.id, await owner_of(database, task))
    running = asyncio.create_task(run(database, first, job_id))
    async with asyncio.timeout(30):
        await held.is_held.wait()
    running.cancel()
    with pytest.raises(JobInterrupted):
        await running
    again = FakeTargetModel(lambda _: {"label": "neutral"})
    second = LaterChapters.over(database, clock, factory=lambda _: again)
    done = await run(database, second, job_id)
    assert (done.state, done.error, done.attempts) == (JobState.DONE, None, 2)
    assert len(again.asked) == total - PATIENCE.remote_shard_items + PROBES
    (score,) = await second.evaluations.scores(task.slug, actor=VISITOR)
    assert (score.value, score.items) == (100.0, total)


async def test_a_model_that_cannot_be_asked_fails_with_the_reason_and_may_be_tried_again(
    database: Database, clock: HeldClock
) -> None:
    class Gone(FakeTargetModel):
        async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
            self.batch_sizes.append(len(batch))
            raise UnavailableError("It is switched off.")

    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await make_model(database, task)
    owner = await owner_of(database, task)
    gone = LaterChapters.over(
        database, clock, factory=lambda _: Gone(lambda _: {"label": "neutral"})
    )
    job_id = await ask(gone, model.id, version.id, owner)
    failed = await run(database, gone, job_id)
    assert failed.state is JobState.FAILED
    assert await gone.evaluations.scores(task.slug, actor=VISITOR) == []
    later = LaterChapters.over(database, clock)
    again = await ask(later, model.id, version.id, owner)
    assert again != job_id
    assert (await run(database, later, again)).state is JobState.DONE


async def test_what_is_done_or_under_way_is_not_done_again(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await make_model(database, task)
    owner = await owner_of(database, task)
    later = LaterChapters.over(database, clock)
    body = EvaluationCreate(dataset_version_id=version.id)
    key = RequestKey.of(actor_id=owner.user_id, route="POST /e", key="k", body=b"{}")
    first = await later.evaluations.evaluate(model.id, body, actor=owner, key=key)
    assert (await later.evaluations.evaluate(model.id, body, actor=owner, key=key)).id == first.id
    assert await ask(later, model.id, version.id, owner) == first.id
    await run(database, later, first.id)
    assert await ask(later, model.id, version.id, owner) == first.id


async def test_a_new_dataset_has_every_ready_model_scored(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    ready = [await make_model(database, task) for _ in range(2)]
    await make_model(database, task, status=ModelStatus.REJECTED)
    await make_model(database, task, kind=ModelKind.RECORDED)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    later = LaterChapters.over(database, clock)
    async with database.transaction() as session:
        job_id = await later.earlier.queue.enqueue(
            session, DATASET_PUBLISHED, {"version_id": str(version.id)}
        )
    assert (await run(database, later, job_id)).result == {"models": 2}
    async with database.read() as session:
        jobs = await later.earlier.queue.list_jobs(session, name=EVALUATE_MODEL)
    assert {one.payload["model_id"] for one in jobs} == {str(model.id) for model in ready}


async def test_a_submitted_model_is_scored_on_every_dataset_there_is(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    items = [make_item(1), make_item(2)]
    versions = [await make_dataset(database, task, items, clock=clock) for _ in range(2)]
    elsewhere = await make_task(database)
    await make_dataset(database, elsewhere, items, clock=clock)
    later = LaterChapters.over(database, clock)
    body = ModelCreate(
        name="mine", kind=ModelKind.ENDPOINT, options={"url": "http://127.0.0.1:9/v2/models/mine"}
    )
    models = make_model_service(database, clock, allowed_hosts=frozenset({"127.0.0.1"}))

    model = await models.create(task.slug, body, actor=owner, key=None)
    assert (await models.create(task.slug, body, actor=owner, key=None)).id == model.id

    (asked,) = await jobs_of(database, later, MODEL_SUBMITTED)
    assert (await run(database, later, asked.id)).result == {"datasets": 2}
    found = await jobs_of(database, later, EVALUATE_MODEL)
    assert {one.payload["dataset_version_id"] for one in found} == {str(one.id) for one in versions}
    for one in found:
        await run(database, later, one.id)
    scores = await later.evaluations.scores(task.slug, actor=VISITOR)
    assert {one.dataset_version_id for one in scores} == {one.id for one in versions}
    assert {one.model_name for one in scores} == {"mine"}


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_ask_for_an_evaluation(
    database: Database, clock: HeldClock, role: TaskRole | None
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await make_model(database, task)
    actor = await make_user(database)
    if role is not None:
        await add_member(database, task, actor, role)
    later = LaterChapters.over(database, clock)
    with pytest.raises(TaskRoleNeededError):
        await ask(later, model.id, version.id, actor)
    with pytest.raises(SignInRequiredError):
        await ask(later, model.id, version.id, VISITOR)


async def test_missing_or_foreign_things_and_models_that_are_not_ready_are_refused(
    database: Database, clock: HeldClock
) -> None:
    task, other = await make_task(database), await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    foreign = await make_dataset(database, other, [make_item(1)], clock=clock)
    model = await make_model(database, task)
    rejected = await make_model(database, task, status=ModelStatus.REJECTED)
    later = LaterChapters.over(database, clock)
    with pytest.raises(ModelNotFoundError):
        await ask(later, version.id, version.id, owner)
    with pytest.raises(DatasetNotFoundError):
        await ask(later, model.id, foreign.id, owner)
    with pytest.raises(ModelNotReadyError):
        await ask(later, rejected.id, version.id, owner)


async def test_scores_of_unpublished_models_are_shown_to_owners_alone(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await make_model(database, task, is_published=False)
    later = LaterChapters.over(database, clock)
    await run(database, later, await ask(later, model.id, version.id, owner))
    assert await later.evaluations.scores(task.slug, actor=VISITOR) == []
    assert len(await later.evaluations.scores(task.slug, actor=owner)) == 1


SPEECH = """
context: [{name: premise, type: string}]
input: [{name: hypothesis, type: string}, {name: label, type: string}]
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric:
  - {type: wer, reference_name: label}
  - {type: chrf, reference_name: label}
"""


async def test_every_metric_is_kept_in_its_own_range(database: Database, clock: HeldClock) -> None:
    task = await make_task(database, config=SPEECH)
    items = [make_item(n, split=Split.TEST, label="yes") for n in range(4)]
    version = await make_dataset(database, task, items, clock=clock)
    model = await make_model(database, task, name="mine")

    def wordy(spec: TargetSpec) -> TargetModel:
        return FakeTargetModel(
            lambda _: {"label": "no not at all"}, name=spec.name, output_names=spec.output_names
        )

    later = LaterChapters.over(database, clock, factory=wordy)
    job_id = await ask(later, model.id, version.id, await owner_of(database, task))
    done = await run(database, later, job_id)
    assert (done.state, done.error) == (JobState.DONE, None)
    found = {one.metric: one for one in await later.evaluations.scores(task.slug, actor=VISITOR)}
    assert (found["wer"].value, found["wer"].is_principal) == (400.0, True)
    assert found["chrf"].value is not None
    assert 0 <= found["chrf"].value < 50


async def test_spbleu_without_its_model_fails_before_a_model_is_asked(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database, config=SPEECH.replace("type: chrf", "type: sp_bleu"))
    version = await make_dataset(database, task, [make_item(1, split=Split.TEST)], clock=clock)
    model = await make_model(database, task, name="mine")

    def unasked(spec: TargetSpec) -> TargetModel:
        message = f"{spec.name} was asked."
        raise AssertionError(message)

    later = LaterChapters.over(database, clock, factory=unasked)
    job_id = await ask(later, model.id, version.id, await owner_of(database, task))
    done = await run(database, later, job_id)
    assert done.state is JobState.FAILED
    assert done.error is not None
    assert "DYNABENCH_SENTENCEPIECE_MODEL" in done.error
