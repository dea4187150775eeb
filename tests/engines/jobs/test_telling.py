"""What a job says of itself, for readers in any language."""

from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobFinishedError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import Handler, JobRunner
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.db.database import Database
from dynabench.kit.sentences import Phrase, Told

BAKING = Phrase("cakes.baking", "baking {count} cakes")


async def _enqueue(database: Database) -> UUID:
    async with database.transaction() as session:
        return await JobQueue().enqueue(session, "bake", {})


async def _look(database: Database, job_id: UUID) -> Job:
    async with database.read() as session:
        return await JobQueue().get(session, job_id)


async def _run(database: Database, job_id: UUID, handler: Handler) -> Job:
    await JobRunner(database, {"bake": handler}, executor_id="here").run(job_id)
    return await _look(database, job_id)


async def test_a_message_says_what_it_means_until_there_is_a_result(database: Database) -> None:
    job_id = await _enqueue(database)
    seen: list[Job] = []

    async def bake(context: JobContext) -> dict[str, JsonValue]:
        await context.progress(1, 1, BAKING.say(count=3))
        seen.append(await _look(database, job_id))
        await context.progress(1, 1, "cleaning")
        seen.append(await _look(database, job_id))
        await context.progress(1, 1, BAKING.say(count=4))
        return {"cakes": 7}

    done = await _run(database, job_id, bake)
    told = Told(code="cakes.baking", values={"count": 3})
    assert [(one.message, one.told, one.result) for one in seen] == [
        ("baking 3 cakes", told, None),
        ("cleaning", None, None),
    ]
    assert (done.state, done.told, done.result) == (JobState.DONE, None, {"cakes": 7})


async def test_a_failure_says_which_it_was(database: Database) -> None:
    job_id = await _enqueue(database)

    async def bake(context: JobContext) -> None:
        await context.progress(1, 1, BAKING.say(count=3))
        raise JobFinishedError(job_id, state=JobState.DONE)

    failed = await _run(database, job_id, bake)
    raised = JobFinishedError(job_id, state=JobState.DONE)
    assert (failed.state, failed.error) == (JobState.FAILED, raised.message)
    assert failed.told is not None
    assert failed.told.code == raised.code
    assert failed.told.values.keys() == raised.facts.keys()
    assert str(job_id) in failed.told.values.values()
    assert failed.result is None
    assert JobRead.model_validate(failed, extra="ignore").told == failed.told


async def test_what_was_last_told_is_no_result_of_a_cancelled_job(database: Database) -> None:
    job_id = await _enqueue(database)

    async def bake(context: JobContext) -> None:
        await context.progress(1, 1, BAKING.say(count=3))
        async with database.transaction() as session:
            await JobQueue().cancel(session, job_id)
        await context.log("never")

    cancelled = await _run(database, job_id, bake)
    assert (cancelled.state, cancelled.result) == (JobState.CANCELLED, None)
    assert cancelled.told == BAKING.say(count=3).told


async def test_an_unknown_job_and_a_defect_say_what_they_are(database: Database) -> None:
    async def bake(context: JobContext) -> None:
        raise ZeroDivisionError(context.job_id)

    broken = await _run(database, await _enqueue(database), bake)
    assert broken.told == Told(code="jobs.stopped", values={"kind": "ZeroDivisionError"})
    job_id = await _enqueue(database)
    await JobRunner(database, {}, executor_id="here").run(job_id)
    unknown = await _look(database, job_id)
    assert unknown.told == Told(code="jobs.unknown", values={"name": "bake"})
