"""Trainings whose author lost the role that allowed them, before and after they began."""

from pathlib import Path

import pytest
from sqlalchemy import Executable, delete, func, update

from dynabench.engines.jobs.errors import JobInterrupted
from dynabench.engines.jobs.values import JobState
from dynabench.kit.db.database import Database
from dynabench.loop.tasks.tables import task_members
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.training.schemas import TrainingRequest
from dynabench.people.tables import users
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset
from tests.factories.evaluations import LaterChapters
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task
from tests.loop.training.test_service import owner_of, run, train_item

# What another process does, of which the worker is told nothing.
ANNOTATOR = update(task_members).values(role=TaskRole.ANNOTATOR)
GONE = delete(task_members)
DISABLED = update(users).values(disabled_at=func.now())


async def lapse(db: Database, how: Executable) -> None:
    async with db.transaction() as session:
        await session.execute(how)


@pytest.mark.parametrize("how", [ANNOTATOR, GONE, DISABLED], ids=["annotator", "gone", "disabled"])
async def test_a_waiting_training_is_refused_whose_author_may_not_order_it_any_more(
    database: Database, clock: HeldClock, tmp_path: Path, how: Executable
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [train_item(one) for one in range(4)], clock=clock)
    owner = await owner_of(database, task)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", recipe="majority", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)

    await lapse(database, how)
    refused = await run(database, later, job.id)

    assert refused.state is JobState.FAILED
    assert refused.error == (
        f"{owner.username} asked for this and may not do so any more: it needs the role owner in "
        f"task “{task.slug}” and an account that is not disabled. Nothing was begun. Whoever has "
        "the role can ask for it again."
    )
    another = await make_user(database)
    await add_member(database, task, another, TaskRole.OWNER)
    again = await later.training.resume(task.slug, job.id, actor=another)
    assert (await run(database, later, again.id)).state is JobState.DONE


async def test_a_training_that_has_begun_ends_whoever_owns_the_task_by_then(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [train_item(one) for one in range(4)], clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", recipe="majority", dataset_version_ids=[version.id])
    job = await later.training.train(
        task.slug, body, actor=await owner_of(database, task), key=None
    )

    async def lose_power(*_: object, **__: object) -> None:
        raise JobInterrupted

    with monkeypatch.context() as patch:
        patch.setattr(later.training, "run", lose_power)
        with pytest.raises(JobInterrupted):
            await run(database, later, job.id)
    await lapse(database, GONE)

    done = await run(database, later, job.id)
    assert (done.state, done.attempts) == (JobState.DONE, 2)


async def test_what_an_administrator_ordered_lapses_with_that(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    version = await make_dataset(database, task, [train_item(one) for one in range(4)], clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", recipe="majority", dataset_version_ids=[version.id])
    admin = await make_user(database, is_admin=True)
    first, second = [
        await later.training.train(task.slug, body, actor=admin, key=None) for _ in range(2)
    ]

    assert (await run(database, later, first.id)).state is JobState.DONE
    await lapse(database, update(users).values(is_admin=False))
    assert "may not do so any more" in str((await run(database, later, second.id)).error)
