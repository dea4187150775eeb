"""A release is whole or not there at all, whoever is killed whenever."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import select

from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.jobs import handlers
from dynabench.loop.datasets.values import DATASET_PUBLISHED, RELEASE_ROUND, ReleaseOrder
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import Round, RoundStatus
from tests.conftest import HeldClock
from tests.factories.datasets import Chapters
from tests.factories.releases import PLANTED_DIGEST, PLANTED_SEED, plant_round, release_rows

WORKER = Path(__file__).with_name("crashing_worker.py")
Crash = Callable[[dict[str, object]], int]


@pytest.fixture(scope="module")
def crash() -> Iterator[Crash]:
    """Have a worker kill itself at a chosen moment; returns how it ended."""
    worker = subprocess.Popen(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    orders, endings = worker.stdin, worker.stdout

    def give(order: dict[str, object]) -> int:
        orders.write(json.dumps(order) + "\n")
        orders.flush()
        return int(endings.readline())

    yield give
    orders.close()
    worker.wait()
    endings.close()


async def ask(db: Database, chapters: Chapters, round_: Round) -> UUID:
    order = ReleaseOrder(round_id=round_.id, seed=PLANTED_SEED, licence="CC0")
    async with db.transaction() as session:
        return await chapters.queue.enqueue(session, RELEASE_ROUND, order.payload())


async def run(db: Database, job_id: UUID) -> Job:
    chapters = Chapters.over(db, SystemClock())
    found = handlers(releases=chapters.releases, desk=chapters.desk)
    await JobRunner(db, found, executor_id=f"worker-{job_id}").run(job_id)
    async with db.read() as session:
        return await chapters.queue.get(session, job_id)


async def test_a_killed_worker_leaves_no_half_release_and_the_next_one_makes_it(
    database: Database, clock: HeldClock, crash: Crash
) -> None:
    round_ = await plant_round(database, clock, order=Random(3))
    chapters = Chapters.over(database, clock)
    for moment, number in (
        ("after mark", 1),
        ("before copy", 1),
        ("after copy", 2),
        ("after seal", 1),
        ("after publish", 1),
    ):
        job_id = await ask(database, chapters, round_)
        order = {
            "url": database.url,
            "job_id": str(job_id),
            "moment": moment,
            "number": number,
            "rows_at_once": 20,
        }
        assert await asyncio.to_thread(crash, order) == -signal.SIGKILL, moment
        assert await release_rows(database) == [0, 0, 0], moment
        async with database.read() as session:
            status = await session.scalar(select(rounds.c.status))
            published = await chapters.queue.list_jobs(session, name=DATASET_PUBLISHED)
        assert (status, published) == (RoundStatus.CLOSED, []), moment

    job_id = await ask(database, chapters, round_)
    order |= {"moment": "after commit", "job_id": str(job_id), "number": 1}
    assert await asyncio.to_thread(crash, order) == -signal.SIGKILL
    assert (await release_rows(database))[:2] == [1, 1]
    done = await run(database, job_id)
    assert (done.state, (done.result or {})["digest"]) == (JobState.DONE, PLANTED_DIGEST)


async def test_two_jobs_at_once_make_one_release(database: Database, clock: HeldClock) -> None:
    round_ = await plant_round(database, clock, order=Random(4))
    chapters = Chapters.over(database, clock)
    ids = [await ask(database, chapters, round_) for _ in range(2)]
    first, second = await asyncio.gather(*(run(database, job_id) for job_id in ids))
    assert (first.state, second.state) == (JobState.DONE, JobState.DONE)
    assert first.result == second.result
    assert (await release_rows(database))[:2] == [1, 1]
    async with database.read() as session:
        assert len(await chapters.queue.list_jobs(session, name=DATASET_PUBLISHED)) == 1
