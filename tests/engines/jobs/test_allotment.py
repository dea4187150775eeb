"""A person and a subject have so many hours of jobs within a day."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, update

from dynabench.engines.jobs.allotment import JobHours
from dynabench.engines.jobs.errors import JobTimeError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.tables import jobs
from dynabench.kit.db.database import Database

pytestmark = pytest.mark.anyio

PERSON, TASK = uuid4(), uuid4()


async def ran(
    db: Database,
    *,
    began: float,
    ended: float | None,
    person: UUID = PERSON,
    task: UUID | None = TASK,
) -> None:
    """Write down a job that began and ended so many hours ago."""
    async with db.transaction() as session:
        job_id = await JobQueue().enqueue(session, "any", {}, created_by=person, subject_id=task)
        ago = None if ended is None else func.now() - timedelta(hours=ended)
        await session.execute(
            update(jobs)
            .where(jobs.c.id == job_id)
            .values(started_at=func.now() - timedelta(hours=began), finished_at=ago)
        )


async def refused(
    db: Database,
    hours: JobHours,
    *,
    person: UUID = PERSON,
    task: UUID = TASK,
) -> JobTimeError | None:
    async with db.read() as session:
        try:
            await JobQueue(hours=hours).require_time(session, person=person, subject=task)
        except JobTimeError as error:
            return error
    return None


async def test_hours_of_the_last_day_count_and_come_back(database: Database) -> None:
    # Ended before the day, reaches half an hour into it, ended within it, still runs.
    await ran(database, began=30, ended=25)
    await ran(database, began=26, ended=23.5)
    await ran(database, began=10, ended=9)
    assert await refused(database, JobHours(person=1.6)) is None
    error = await refused(database, JobHours(person=1.4))
    assert error is not None
    assert (error.facts["whose"], error.facts["hours"]) == ("you", 1.4)
    assert error.retry_after_seconds is not None
    assert 60 <= error.retry_after_seconds <= 24 * 3600
    await ran(database, began=0.5, ended=None)
    assert await refused(database, JobHours(person=1.6)) is not None


async def test_persons_and_subjects_are_counted_apart(database: Database) -> None:
    await ran(database, began=3, ended=1)
    other = uuid4()
    assert await refused(database, JobHours(person=2), person=other) is None
    assert await refused(database, JobHours(person=2), task=uuid4()) is not None
    assert await refused(database, JobHours(subject=2), task=uuid4()) is None
    error = await refused(database, JobHours(subject=2), person=other)
    assert error is not None
    assert error.facts["whose"] == "task"


async def test_what_has_no_subject_or_did_not_start_is_not_counted(database: Database) -> None:
    await ran(database, began=20, ended=1, task=None)
    async with database.transaction() as session:
        await JobQueue().enqueue(session, "any", {}, created_by=PERSON, subject_id=TASK)
    assert await refused(database, JobHours(person=0.1, subject=0.1)) is None
    assert await refused(database, JobHours()) is None
