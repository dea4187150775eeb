"""What a worker that is told to stop leaves behind, and how often a job may be left."""

import asyncio
import threading
from contextlib import suppress

import pytest
from dbos import DBOS
from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import MOST_ATTEMPTS
from dynabench.engines.jobs.runtime import JobRuntime
from dynabench.engines.jobs.values import JobState
from dynabench.kit.db.database import Database, DatabaseBusyError
from tests.engines.jobs.test_runtime import enqueue, look, until, working


async def test_a_job_whose_workers_were_told_to_stop_again_and_again_is_done(
    database: Database,
) -> None:
    started, is_last = asyncio.Event(), False

    async def linger(context: JobContext) -> dict[str, JsonValue]:
        del context
        started.set()
        if not is_last:
            await asyncio.sleep(60)
        return {}

    job_id = await enqueue(database, "linger")
    for _ in range(MOST_ATTEMPTS + 1):
        started.clear()
        async with working(database, {"linger": linger}):
            await asyncio.wait_for(started.wait(), 30)
        assert (await look(database, job_id)).attempts == 0
    is_last = True
    async with working(database, {"linger": linger}):
        job = await until(database, job_id, JobState.DONE)

    assert job.attempts == 1


async def test_a_job_that_the_database_never_lets_through_fails_at_last(
    database: Database,
) -> None:
    runs = 0

    async def ask_too_much(context: JobContext) -> None:
        nonlocal runs
        del context
        runs += 1
        raise DatabaseBusyError

    job_id = await enqueue(database, "ask_too_much")
    async with working(database, {"ask_too_much": ask_too_much}):
        job = await until(database, job_id, JobState.FAILED)

    assert runs == MOST_ATTEMPTS
    assert "or the database was lost 5 times" in str(job.error)


async def test_a_stop_that_a_driver_tells_as_a_failure_fails_no_job(database: Database) -> None:
    started, is_last = asyncio.Event(), False

    async def linger(context: JobContext) -> dict[str, JsonValue]:
        del context
        started.set()
        if not is_last:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                raise RuntimeError("the connection is closed") from None
        return {}

    job_id = await enqueue(database, "linger")
    async with working(database, {"linger": linger}):
        await asyncio.wait_for(started.wait(), 30)
    assert (await look(database, job_id)).state is JobState.RUNNING
    is_last = True
    async with working(database, {"linger": linger}):
        await until(database, job_id, JobState.DONE)


async def test_a_worker_that_is_told_to_stop_as_it_starts_ends_its_engine_once_it_began(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    begun, may_launch = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    launch, destroy = DBOS.launch, DBOS.destroy

    def launch_slowly() -> None:
        order.append("launching")
        loop.call_soon_threadsafe(begun.set)
        may_launch.wait(30)
        launch()
        order.append("launched")

    def end(*, destroy_registry: bool) -> None:
        order.append("ended")
        may_launch.set()
        destroy(destroy_registry=destroy_registry)

    monkeypatch.setattr(DBOS, "launch", launch_slowly)
    monkeypatch.setattr(DBOS, "destroy", end)
    running = asyncio.create_task(JobRuntime(database, {}).run())
    await asyncio.wait_for(begun.wait(), 30)
    running.cancel()
    # Long enough for an end that does not wait.
    await asyncio.sleep(0.5)
    may_launch.set()
    with suppress(asyncio.CancelledError):
        await running

    assert order == ["launching", "launched", "ended"]
