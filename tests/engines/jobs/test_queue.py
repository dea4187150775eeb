import asyncio
from uuid import uuid4

import pytest

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.db.database import Database
from tests.factories.waiting import until_waiting


async def test_those_that_wait_have_places_in_the_queue(database: Database) -> None:
    queue = JobQueue()
    made = []
    for number in range(4):
        async with database.transaction() as session:
            made.append(await queue.enqueue(session, "any", {"number": number}))
    async with database.transaction() as session:
        await queue.cancel(session, made[1])

    async with database.read() as session:
        assert await queue.positions(session, made[1:]) == {made[2]: 2, made[3]: 3}
        assert await queue.positions(session, []) == {}


async def test_a_lower_number_starts_before_what_waits_longer(database: Database) -> None:
    queue = JobQueue()
    async with database.transaction() as session:
        late = await queue.enqueue(session, "any", {}, priority=2)
        early = await queue.enqueue(session, "any", {}, priority=1)
        first = await queue.enqueue(session, "other", {})
        assert await queue.unfinished(session, "any", created_by=None) == 2

    async with database.read() as session:
        places = await queue.positions(session, [late, early, first])
    assert places == {first: 1, early: 2, late: 3}


@pytest.mark.parametrize("is_first_undone", [False, True])
async def test_one_job_comes_of_two_that_ask_for_it_at_once(
    database: Database, *, is_first_undone: bool
) -> None:
    queue, job_id = JobQueue(), uuid4()

    async def ask() -> None:
        async with database.transaction() as session:
            await queue.enqueue(session, "any", {}, job_id=job_id)

    async with database.transaction() as session:
        await queue.enqueue(session, "any", {}, job_id=job_id)
        second = asyncio.create_task(ask())
        await until_waiting(database)
        if is_first_undone:
            await session.rollback()
    await second

    async with database.read() as session:
        assert [one.id for one in await queue.list_jobs(session)] == [job_id]
