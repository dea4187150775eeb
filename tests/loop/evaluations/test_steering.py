"""Who may see, cancel and retry evaluations, and whose turn it is."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest
from sqlalchemy import text, update

from dynabench.engines.inference.protocol import FakeTargetModel, ModelInput
from dynabench.engines.jobs.errors import JobCancelled, JobInterrupted
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.tables import datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.evaluations.errors import (
    EvaluationNotFoundError,
    EvaluationStateError,
    TooManyRetriesError,
)
from dynabench.loop.evaluations.removals.repository import RemovalRepository
from dynabench.loop.evaluations.runs.probing.rules import PROBES
from dynabench.loop.evaluations.values import EVALUATE_MODEL, EvaluationState
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.values import Task, TaskRole
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import PATIENCE, HeldTargetModel, LaterChapters
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task
from tests.loop.evaluations.test_service import jobs_of, owner_of, run


async def submitted(db: Database, task: Task, by: Actor, *, is_published: bool = False) -> Model:
    model = await make_model(db, task, is_published=is_published)
    async with db.transaction() as session:
        await session.execute(
            update(models).where(models.c.id == model.id).values(submitted_by=by.user_id)
        )
    return replace(model, submitted_by=by.user_id)


async def hide(db: Database, version: DatasetVersion) -> None:
    async with db.transaction() as session:
        await session.execute(
            update(datasets)
            .where(datasets.c.id == version.dataset_id)
            .values(access=DatasetAccess.HIDDEN)
        )


async def enqueue(
    later: LaterChapters, db: Database, model: Model, version: DatasetVersion
) -> None:
    async with db.transaction() as session:
        await later.evaluations.enqueue_one(
            session, model.id, version.id, created_by=model.submitted_by
        )


async def test_a_cancelled_run_is_freed_and_a_retry_does_the_rest(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    total = PATIENCE.remote_shard_items + 9
    items = [make_item(number, split=Split.TEST) for number in range(total)]
    version = await make_dataset(database, task, items, clock=clock)
    builder = await make_user(database)
    model = await submitted(database, task, builder)
    held = HeldTargetModel(
        FakeTargetModel(lambda _: {"label": "neutral"}),
        answers=PROBES + PATIENCE.remote_shard_items,
    )
    first = LaterChapters.over(database, clock, factory=lambda _: held)
    await enqueue(first, database, model, version)
    (job,) = await jobs_of(database, first, EVALUATE_MODEL)
    running = asyncio.create_task(run(database, first, job.id))
    async with asyncio.timeout(30):
        await held.is_held.wait()
    (read,) = await first.views.of_model(model.id, actor=builder)
    assert (read.state, read.is_running, read.job_id) == (EvaluationState.PENDING, True, job.id)

    cancelled = await first.evaluations.cancel(read.id, actor=builder)

    assert (cancelled.state, cancelled.is_running) == (EvaluationState.CANCELLED, False)
    # The worker looks once a second and ends the task, and with it the model's process.
    running.cancel()
    with pytest.raises((JobCancelled, JobInterrupted)):
        await running
    with pytest.raises(EvaluationStateError, match="cancelled and cannot be cancelled"):
        await first.evaluations.cancel(read.id, actor=builder)

    again = FakeTargetModel(lambda _: {"label": "neutral"})
    second = LaterChapters.over(database, clock, factory=lambda _: again)
    retried = await second.evaluations.retry(read.id, actor=builder)
    assert (retried.state, retried.queue_position) == (EvaluationState.PENDING, 1)
    assert retried.job_id is not None
    assert (await run(database, second, retried.job_id)).state is JobState.DONE
    assert len(again.asked) == PROBES + 9
    with pytest.raises(EvaluationStateError, match="done and cannot be retried"):
        await second.evaluations.retry(read.id, actor=builder)


async def test_a_submitter_retries_as_often_as_allowed_and_an_owner_goes_on(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    items = [make_item(number, split=Split.TEST) for number in range(PROBES)]
    version = await make_dataset(database, task, items, clock=clock)
    builder, owner = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    model = await submitted(database, task, builder)
    later = LaterChapters.over(database, clock)
    await enqueue(later, database, model, version)
    (read,) = await later.views.of_model(model.id, actor=builder)
    for _ in range(3):
        await later.evaluations.cancel(read.id, actor=builder)
        await later.evaluations.retry(read.id, actor=builder)
    await later.evaluations.cancel(read.id, actor=builder)

    with pytest.raises(TooManyRetriesError, match="tried again 3 times"):
        await later.evaluations.retry(read.id, actor=builder)

    assert (await later.evaluations.retry(read.id, actor=owner)).state is EvaluationState.PENDING


async def test_a_model_that_fails_on_every_item_has_failed_and_a_retry_asks_anew(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    items = [make_item(number, split=Split.TEST) for number in range(PROBES + 5)]
    version = await make_dataset(database, task, items, clock=clock)
    builder = await make_user(database)
    model = await submitted(database, task, builder)
    asked = iter(range(3 * PROBES + 5))

    def answer(_: ModelInput) -> Mapping[str, object]:
        # To the probes it answers as ever; then its code breaks.
        return {"label": "neutral" if next(asked) < PROBES else "maybe"}

    broken = LaterChapters.over(database, clock, factory=lambda _: FakeTargetModel(answer))
    await enqueue(broken, database, model, version)
    (job,) = await jobs_of(database, broken, EVALUATE_MODEL)

    failed = await run(database, broken, job.id)

    assert failed.state is JobState.FAILED
    assert failed.error is not None
    assert f"failed on every one of {PROBES + 5} items" in failed.error
    (read,) = await broken.views.of_model(model.id, actor=builder)
    assert (read.state, read.scores) == (EvaluationState.FAILED, [])
    assert read.reason == failed.error
    mended = LaterChapters.over(database, clock)
    retried = await mended.evaluations.retry(read.id, actor=builder)
    assert retried.job_id is not None
    assert (await run(database, mended, retried.job_id)).state is JobState.DONE
    (read,) = await mended.views.of_model(model.id, actor=builder)
    assert (read.state, read.failed_items) == (EvaluationState.DONE, 0)


async def test_its_submitter_and_owners_steer_an_evaluation_and_nobody_else(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner, builder = await owner_of(database, task), await make_user(database)
    admin, annotator = await make_user(database, is_admin=True), await make_user(database)
    await add_member(database, task, annotator, TaskRole.EXPERT)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    later = LaterChapters.over(database, clock)
    shown = await submitted(database, task, builder, is_published=True)
    kept = await submitted(database, task, builder)
    for model in (shown, kept):
        await enqueue(later, database, model, version)
    ids = {}
    for model in (shown, kept):
        (read,) = await later.views.of_model(model.id, actor=builder)
        ids[model.id] = read.id
        assert read.job_id is not None
    # Everybody sees that the published one waits, and no more of it than that.
    (read,) = await later.views.of_model(shown.id, actor=VISITOR)
    assert (read.state, read.job_id, read.queue_position) == (EvaluationState.PENDING, None, 1)
    for other in (annotator, VISITOR):
        with pytest.raises(ModelNotFoundError):
            await later.views.of_model(kept.id, actor=other)
        with pytest.raises(EvaluationNotFoundError):
            await later.views.log(ids[shown.id], actor=other)
    for steer in (later.evaluations.cancel, later.evaluations.retry):
        with pytest.raises(EvaluationNotFoundError):
            await steer(ids[shown.id], actor=annotator)
        with pytest.raises(SignInRequiredError):
            await steer(ids[shown.id], actor=VISITOR)
        with pytest.raises(EvaluationNotFoundError):
            await steer(task.id, actor=owner)
    for actor in (owner, admin, builder):
        assert await later.views.log(ids[kept.id], actor=actor) == []
        done = await later.evaluations.cancel(ids[kept.id], actor=actor)
        assert done.state is EvaluationState.CANCELLED
        assert (await later.evaluations.retry(ids[kept.id], actor=actor)).job_id is not None


async def test_hidden_sets_exist_for_owners_alone_and_wait_until_one_asks(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner, builder = await owner_of(database, task), await make_user(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    await hide(database, version)
    model = await submitted(database, task, builder, is_published=True)
    later = LaterChapters.over(database, clock)
    assert await later.evaluations.enqueue_version(version.id) == 0
    assert await later.evaluations.enqueue_submitted(model.id) == 0

    await enqueue(later, database, model, version)

    (job,) = await jobs_of(database, later, EVALUATE_MODEL)
    # The log would show its submitter hidden inputs, if the job were theirs.
    assert job.created_by is None
    await run(database, later, job.id)
    assert await later.views.of_model(model.id, actor=builder) == []
    assert await later.evaluations.scores(task.slug, actor=builder) == []
    (read,) = await later.views.of_model(model.id, actor=owner)
    assert len(await later.evaluations.scores(task.slug, actor=owner)) == 1
    with pytest.raises(EvaluationNotFoundError):
        await later.views.read(read.id, actor=builder)
    with pytest.raises(EvaluationNotFoundError):
        await later.views.log(read.id, actor=builder)
    assert await later.views.log(read.id, actor=owner) != []


async def test_who_has_many_under_way_lets_others_go_first(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    busy, patient = await make_user(database), await make_user(database)
    versions = [await make_dataset(database, task, [make_item(1)], clock=clock) for _ in range(4)]
    many, one = await submitted(database, task, busy), await submitted(database, task, patient)
    later = LaterChapters.over(database, clock)
    for version in versions:
        await enqueue(later, database, many, version)
    await enqueue(later, database, one, versions[0])

    (read,) = await later.views.of_model(one.id, actor=patient)
    assert read.queue_position == 2
    found = await later.views.of_model(many.id, actor=busy)
    assert sorted(item.queue_position or 0 for item in found) == [1, 3, 4, 5]
    # The job engine takes them in the very same order.
    query = text("SELECT workflow_uuid FROM dbos.workflow_status ORDER BY priority, created_at")
    async with database.read() as session:
        order = list((await session.execute(query)).scalars())
    assert order.index(str(read.job_id)) == 1


async def test_what_a_job_could_not_write_down_is_shown_as_failed(
    database: Database, clock: HeldClock
) -> None:

    task = await make_task(database)
    builder = await make_user(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    model = await submitted(database, task, builder)
    later = LaterChapters.over(database, clock)
    await enqueue(later, database, model, version)
    async with database.transaction() as session:
        await session.execute(text("UPDATE jobs SET state = 'failed', error = 'It was lost.'"))
    (read,) = await later.views.of_model(model.id, actor=builder)
    assert (read.state, read.reason) == (EvaluationState.FAILED, "It was lost.")
    retried = await later.evaluations.retry(read.id, actor=builder)
    assert retried.state is EvaluationState.PENDING


async def test_an_evaluation_that_went_with_its_model_ends_in_words(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(0)], clock=clock)
    model = await make_model(database, task)
    later = LaterChapters.over(database, clock)
    await enqueue(later, database, model, version)
    (job,) = await jobs_of(database, later, EVALUATE_MODEL)
    async with database.transaction() as session:
        await RemovalRepository(session).delete_evaluations(model.id)
    done = await run(database, later, job.id)
    assert (done.state, done.error) == (JobState.FAILED, "There is no such evaluation.")


async def test_a_deleted_model_is_scored_on_nothing_that_comes_later(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [make_item(0)], clock=clock)
    model = await make_model(database, task)
    async with database.transaction() as session:
        await session.execute(
            update(models).where(models.c.id == model.id).values(deleted_at=clock.now())
        )
    later = LaterChapters.over(database, clock)
    await enqueue(later, database, model, version)
    assert await jobs_of(database, later, EVALUATE_MODEL) == []
