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
