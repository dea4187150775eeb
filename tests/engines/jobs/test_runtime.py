import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from pydantic import JsonValue
from sqlalchemy import func, select, text

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import Handler
from dynabench.engines.jobs.runtime import JobRuntime
from dynabench.engines.jobs.tables import job_steps
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.db.database import Database
from dynabench.kit.errors import InvalidError

queue = JobQueue()
WORKER = Path(__file__).with_name("shard_worker.py")


@asynccontextmanager
async def working(database: Database, handlers: Mapping[str, Handler]) -> AsyncIterator[None]:
    task = asyncio.create_task(JobRuntime(database, handlers, concurrency=2).run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def enqueue(
    database: Database, name: str, payload: dict[str, JsonValue] | None = None
) -> UUID:
    async with database.transaction() as session:
        return await queue.enqueue(session, name, payload or {})


async def look(database: Database, job_id: UUID) -> Job:
    async with database.read() as session:
        return await queue.get(session, job_id)


async def until(database: Database, job_id: UUID, state: JobState) -> Job:
    async with asyncio.timeout(60):
        while (job := await look(database, job_id)).state is not state:
            assert not job.state.is_final, job
            await asyncio.sleep(0.02)
    return job


async def until_nothing_is_pending(database: Database) -> None:
    query = text("SELECT count(*) FROM dbos.workflow_status WHERE status <> 'SUCCESS'")
    for _ in range(600):
        async with database.read() as session:
            if await session.scalar(query) == 0:
                return
        await asyncio.sleep(0.05)
    pytest.fail("The job engine still has work.")


async def until_lines(file: Path, count: int) -> None:
    def is_long_enough() -> bool:
        return file.exists() and len(file.read_text().splitlines()) >= count

    for _ in range(1200):
        if is_long_enough():
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"{file} never had {count} lines.")


async def test_a_job_is_done_and_keeps_its_result_progress_and_log(database: Database) -> None:
    async def greet(context: JobContext) -> dict[str, JsonValue]:
        await context.log("Greeting.")
        await context.progress(1, 2, "Half way")
        return {"greeting": f"Hello {context.payload['name']}"}

    job_id = await enqueue(database, "greet", {"name": "Ada"})
    assert (await look(database, job_id)).state is JobState.QUEUED
    async with working(database, {"greet": greet}):
        job = await until(database, job_id, JobState.DONE)

    assert job.result == {"greeting": "Hello Ada"}
    assert (job.progress, job.message, job.attempts) == (1.0, "", 1)
    assert job.started_at is not None
    assert job.finished_at is not None
    async with database.read() as session:
        assert await queue.log(session, job_id) == ["Greeting."]


async def test_a_job_whose_transaction_is_undone_never_was(database: Database) -> None:
    job_id = uuid4()

    async def fail() -> None:
        async with database.transaction() as session:
            await queue.enqueue(session, "greet", {}, job_id=job_id)
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    with pytest.raises(JobNotFoundError):
        await look(database, job_id)
    async with database.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM dbos.workflow_status")) == 0


async def test_enqueueing_an_id_twice_makes_one_job(database: Database) -> None:
    job_id = uuid4()
    for _ in range(2):
        async with database.transaction() as session:
            assert await queue.enqueue(session, "greet", {}, job_id=job_id) == job_id

    async with database.read() as session:
        assert len(await queue.list_jobs(session)) == 1


async def test_a_failure_is_kept_with_its_reason(database: Database) -> None:
    async def refuse(context: JobContext) -> None:
        del context
        raise InvalidError("The round has no examples.")

    async def crash(context: JobContext) -> None:
        del context
        raise ZeroDivisionError

    refused, crashed = await enqueue(database, "refuse"), await enqueue(database, "crash")
    unknown = await enqueue(database, "unknown")
    async with working(database, {"refuse": refuse, "crash": crash}):
        assert (
            await until(database, refused, JobState.FAILED)
        ).error == "The round has no examples."
        assert "ZeroDivisionError" in str((await until(database, crashed, JobState.FAILED)).error)
        assert "no job called unknown" in str(
            (await until(database, unknown, JobState.FAILED)).error
        )


async def test_a_cancelled_job_stops_or_never_starts(database: Database) -> None:
    started = asyncio.Event()
    ended_at_all = False

    async def linger(context: JobContext) -> None:
        nonlocal ended_at_all
        started.set()
        await asyncio.sleep(60)
        await context.progress(1, 1)
        ended_at_all = True

    waiting, running = await enqueue(database, "linger"), await enqueue(database, "linger")
    async with database.transaction() as session:
        await queue.cancel(session, waiting)
    async with working(database, {"linger": linger}):
        await asyncio.wait_for(started.wait(), 30)
        async with database.transaction() as session:
            await queue.cancel(session, running)
        next_one = await enqueue(database, "unknown")
        await until(database, next_one, JobState.FAILED)
        await until_nothing_is_pending(database)

    assert not ended_at_all
    assert (await look(database, running)).state is JobState.CANCELLED
    assert (await look(database, waiting)).attempts == 0
    with pytest.raises(JobFinishedError, match="already cancelled"):
        async with database.transaction() as session:
            await queue.cancel(session, running)


async def test_a_worker_that_stops_leaves_its_job_to_the_next_one(database: Database) -> None:
    started, done = asyncio.Event(), 0

    async def count(context: JobContext) -> dict[str, JsonValue]:
        async def work() -> JsonValue:
            nonlocal done
            done += 1
            return done

        first = await context.step("first", work)
        if not started.is_set():
            started.set()
            await asyncio.sleep(60)
        return {"first": first, "second": await context.step("second", work)}

    job_id = await enqueue(database, "count")
    async with working(database, {"count": count}):
        await asyncio.wait_for(started.wait(), 30)
    assert (await look(database, job_id)).state is JobState.RUNNING
    async with working(database, {"count": count}):
        job = await until(database, job_id, JobState.DONE)

    assert (job.result, job.attempts) == ({"first": 1, "second": 2}, 1)


async def test_a_worker_goes_on_after_losing_every_connection(database: Database) -> None:
    runs = 0
    started = asyncio.Event()

    async def count(context: JobContext) -> None:
        nonlocal runs
        runs += 1
        started.set()
        await context.progress(runs, 2)
        if runs == 1:
            await asyncio.sleep(60)

    job_id = await enqueue(database, "count")
    async with working(database, {"count": count}):
        await asyncio.wait_for(started.wait(), 30)
        async with database.transaction() as session:
            await session.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        job = await until(database, job_id, JobState.DONE)

    assert (runs, job.attempts) == (2, 1)


def start_worker(database_url: str, ledger: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(WORKER), database_url, str(ledger)]
    # Our own interpreter and script.
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603


async def test_jobs_of_killed_workers_are_finished_by_another_with_no_step_twice(
    database: Database, tmp_path: Path
) -> None:
    ledger = tmp_path / "ledger"
    shards = 40
    job_id = await enqueue(database, "shards", {"count": shards})
    victims = [start_worker(database.url, ledger) for _ in range(2)]
    survivor = None
    try:
        await until_lines(ledger, 5)
        for victim in victims:
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait()
        async with database.read() as session:
            kept = await session.scalar(select(func.count()).select_from(job_steps))
        survivor = start_worker(database.url, ledger)
        job = await until(database, job_id, JobState.DONE)
    finally:
        for process in [*victims, survivor]:
            if process is not None:
                process.kill()
                process.wait()

    assert kept is not None
    assert kept >= 4
    assert job.attempts == 2
    done = ledger.read_text().splitlines()
    assert set(done) == {f"shard-{number}" for number in range(shards)}
    # Only the shard in hand when the worker died may have been begun a second time.
    assert len(done) <= shards + 1


async def test_a_worn_worker_finishes_what_it_has_and_ends(database: Database) -> None:
    began, may_end = asyncio.Event(), asyncio.Event()

    async def wait(context: JobContext) -> dict[str, JsonValue]:
        del context
        began.set()
        await may_end.wait()
        return {}

    is_worn = False
    runtime = JobRuntime(database, {"wait": wait}, is_worn=lambda: is_worn)
    running = asyncio.create_task(runtime.run())
    job_id = await enqueue(database, "wait")
    async with asyncio.timeout(60):
        await began.wait()
    is_worn = True
    done, _ = await asyncio.wait([running], timeout=2.5)
    assert not done

    may_end.set()
    async with asyncio.timeout(60):
        await running

    assert (await look(database, job_id)).state is JobState.DONE


async def test_the_next_worker_takes_what_a_worn_one_did_not_begin(database: Database) -> None:
    async def nothing(context: JobContext) -> dict[str, JsonValue]:
        del context
        return {}

    await JobRuntime(database, {"nothing": nothing}, is_worn=lambda: True).run()
    job_id = await enqueue(database, "nothing")
    async with working(database, {"nothing": nothing}):
        await until(database, job_id, JobState.DONE)
