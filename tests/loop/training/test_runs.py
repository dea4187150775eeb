"""Trainings that are repeated, killed, cancelled and resumed."""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobFinishedError
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import DatasetItem
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.training.errors import (
    TrainingNotFoundError,
    TrainingProcessError,
    TrainingStateError,
)
from dynabench.loop.training.jobs import handlers
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.learners.values import ITEMS_FILE
from dynabench.loop.training.schemas import (
    TrainingNewsRead,
    TrainingRead,
    TrainingRequest,
    TrainingSource,
)
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset
from tests.factories.evaluations import LaterChapters
from tests.factories.people import make_user
from tests.factories.tasks import NLI_CONFIG, make_task
from tests.factories.waiting import until_waiting
from tests.loop.training.test_service import owner_of, run, the_job, train_item

# Whoever trains here, waits; it is killed by the test.
PARENT = """
import asyncio, sys
from pathlib import Path
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.learners.values import LearningOrder
from dynabench.loop.training.rules import summarise
from dynabench.loop.training.values import RecipeName
from dynabench.science.task_config.loader import load_task_config

async def tell(done, total, doing):
    print(doing, flush=True)

folder = Path(sys.argv[1])
config = summarise(load_task_config((folder / "task.yaml").read_text()))
order = LearningOrder(recipe=RecipeName.TEXT_CLASSIFIER, config=config, seed=3, options=OPTIONS)
asyncio.run(Learners(blobs=FolderBlobStore(folder)).learn(folder, order, progress=tell))
"""
OPTIONS = {
    "inverse_regularisation": 1.0,
    "word_ngrams": 2,
    "character_ngrams": 5,
    "max_features": None,
}


def is_there(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        # The system tells nobody which processes there are.
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(one) for one in tasks.read_text(encoding="utf-8").split()]


async def trained(
    db: Database, clock: HeldClock, blobs: Path, items: list[DatasetItem]
) -> tuple[LaterChapters, Model, Job]:
    task = await make_task(db)
    version = await make_dataset(db, task, items, clock=clock)
    later = LaterChapters.over(db, clock, blobs=blobs)
    body = TrainingRequest(
        name="m",
        options={"inverse_regularisation": 2},
        sources=[TrainingSource(dataset_version_id=version.id, weight=2)],
        seed=7,
    )
    job = await later.training.train(task.slug, body, actor=await owner_of(db, task), key=None)
    done = await run(db, later, job.id)
    assert done.error is None
    assert done.result is not None
    return later, await later.earlier.models.get(UUID(str(done.result["model_id"]))), done


async def test_the_same_data_in_another_order_gives_the_same_model_and_says_all_of_it(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    items = [train_item(number) for number in range(24)]
    _, one, job = await trained(database, clock, tmp_path / "one", items)
    turned = [
        replace(item, position=place, uid=f"other-{place}")
        for place, item in enumerate(reversed(items))
    ]
    _, other, _ = await trained(database, clock, tmp_path / "other", turned)
    assert one.digest == other.digest
    assert one.source["items_digest"] == other.source["items_digest"]
    data = one.source["data"]
    assert isinstance(data, list)
    (part,) = data
    assert (part["weight"], part["items"], part["licence"]) == (2, 24, "CC-BY-4.0")
    assert one.source["examples"] == 48
    environment = one.source["environment"]
    assert isinstance(environment, dict)
    assert {"numpy", "scipy", "scikit-learn"} == {*environment["packages"]}
    assert environment["processor"]
    card = one.card or {}
    for fact in (
        part["digest"],
        environment["lock_digest"],
        one.digest,
        "inverse_regularisation 2",
    ):
        assert fact in str(card["training_data"])
    assert card["licence"] == "CC-BY-4.0"
    async with database.read() as session:
        assert "Trained." in await LaterChapters.over(database, clock).earlier.queue.log(
            session, job.id
        )
    assert not [*(tmp_path / "one" / "trainings").iterdir()], "nothing is left to clear away"


async def test_a_learning_process_ends_with_whoever_started_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "task.yaml").write_text(NLI_CONFIG, encoding="utf-8")
    rows = [
        '{{"premise":"p {0}"}}\t{{"hypothesis":"h {0} {1}"}}\t{{"label":"{1}"}}\t1\n'.format(
            number, ("neutral", "entailment")[number % 2]
        )
        for number in range(4_000)
    ]
    (tmp_path / ITEMS_FILE).write_text("".join(rows), encoding="utf-8")
    program = f"OPTIONS = {OPTIONS!r}\n{PARENT}"
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, str(tmp_path), stdout=PIPE
    )
    assert parent.stdout is not None
    await parent.stdout.readline()
    (child,) = children_of(parent.pid)
    parent.kill()
    await parent.wait()
    await until(lambda: not is_there(child))


async def test_a_cancelled_training_leaves_nothing_and_can_be_resumed(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    items = [train_item(number) for number in range(400)]
    version = await make_dataset(database, task, items, clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    training = later.training
    body = TrainingRequest(name="m", dataset_version_ids=[version.id])
    job = await training.train(task.slug, body, actor=owner, key=None)
    with pytest.raises(TrainingStateError, match="queued"):
        await training.resume(task.slug, job.id, actor=owner)
    runner = JobRunner(database, handlers(training=training), executor_id="one")
    # What other tests keep for later ones, such as a pool of processes, is no training.
    others = children_of(os.getpid())
    running = asyncio.create_task(runner.run(job.id))
    await until(lambda: children_of(os.getpid()) != others)
    cancelled = await training.cancel(task.slug, job.id, actor=owner)
    assert cancelled.state is JobState.CANCELLED
    # What a worker does with the jobs that it finds cancelled.
    running.cancel()
    with contextlib.suppress(BaseException):
        await running
    assert children_of(os.getpid()) == others
    assert not [*(tmp_path / "trainings").iterdir()]
    with pytest.raises(JobFinishedError):
        await training.cancel(task.slug, job.id, actor=owner)
    with pytest.raises(TrainingNotFoundError):
        await training.log(task.slug, version.id, actor=owner)

    again = await training.resume(task.slug, job.id, actor=owner)
    assert (await training.resume(task.slug, job.id, actor=owner)).id == again.id
    assert (await run(database, later, again.id)).state is JobState.DONE
    listed = await training.list(task.slug, actor=owner)
    assert [(one.state, one.model_id is None) for one in listed] == [
        (JobState.DONE, False),
        (JobState.CANCELLED, True),
    ]


async def ordered(
    database: Database, clock: HeldClock, tmp_path: Path
) -> tuple[Callable[[], Awaitable[TrainingRead]], Callable[[], Awaitable[Job]]]:
    """Order a training; return what cancels it and what runs it."""
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [train_item(one) for one in range(4)], clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", recipe="majority", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    return (
        lambda: later.training.cancel(task.slug, job.id, actor=owner),
        lambda: run(database, later, job.id),
    )


async def test_a_training_that_is_cancelled_while_its_model_is_written_leaves_none(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel, work = await ordered(database, clock, tmp_path)
    end = JobContext.end

    # It is called as it was.
    async def cancelled_before(*given: Any, **more: Any) -> None:
        await cancel()
        await end(*given, **more)

    monkeypatch.setattr(JobContext, "end", cancelled_before)
    assert (await work()).state is JobState.CANCELLED
    async with database.read() as session:
        assert await session.scalar(select(func.count()).select_from(models)) == 0


async def test_whoever_cancels_a_training_whose_model_is_there_is_told_so(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel, work = await ordered(database, clock, tmp_path)
    end = JobContext.end
    late: list[asyncio.Task[TrainingRead]] = []

    # It is called as it was.
    async def cancelled_after(*given: Any, **more: Any) -> None:
        await end(*given, **more)
        late.append(asyncio.ensure_future(cancel()))
        await until_waiting(database)

    monkeypatch.setattr(JobContext, "end", cancelled_after)
    done = await work()
    with pytest.raises(JobFinishedError):
        await late[0]
    assert (done.state, done.progress, [*(done.result or {})]) == (JobState.DONE, 1, ["model_id"])


async def test_owners_watch_a_training_and_its_log_until_it_is_over(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    items = [train_item(number) for number in range(20)]
    version = await make_dataset(database, task, items, clock=clock)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    source = await later.training.watching(task.slug, job.id, actor=owner)
    before = await source.read(0)
    await run(database, later, job.id)
    after = await source.read(0)
    assert (await source.subject(), before.is_last, after.is_last) == (str(job.id), False, True)
    assert before.digest != after.digest
    news = TrainingNewsRead.model_validate_json(after.body)
    assert (news.training.id, news.training.state) == (job.id, JobState.DONE)
    assert news.log == await later.training.log(task.slug, job.id, actor=owner)
    assert any("Learns from" in line for line in news.log)
    with pytest.raises(TaskRoleNeededError):
        await source.require_visible(await make_user(database))


async def test_a_lost_process_keeps_its_folder_for_whoever_resumes(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(
        database, task, [train_item(number) for number in range(20)], clock=clock
    )
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="m", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)

    async def lost(*told: object, **more: object) -> None:
        del told, more
        raise TrainingProcessError(status=-9)

    with monkeypatch.context() as patched:
        patched.setattr(Learners, "learn", lost)
        failed = await run(database, later, job.id)
    assert "Resume it" in str(failed.error)
    (folder,) = (tmp_path / "trainings").iterdir()
    gathered = (folder / ITEMS_FILE).stat().st_ino
    again = await later.training.resume(task.slug, job.id, actor=owner)

    seen: list[int] = []
    learn = Learners.learn

    async def look(self: Learners, folder: Path, *told: object, **more: object) -> object:
        seen.append((folder / ITEMS_FILE).stat().st_ino)
        # It is called as it was.
        return await learn(self, folder, *told, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Learners, "learn", look)
    done = await run(database, later, again.id)
    assert (done.state, done.error, seen) == (JobState.DONE, None, [gathered])
    assert (await the_job(database, later, job.id)).state is JobState.FAILED
