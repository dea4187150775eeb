from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.db.database import Database


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
