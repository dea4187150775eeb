import asyncio

import pytest
from pydantic import JsonValue

from dynabench.engines.jobs.outbox import announce, drain
from dynabench.kit.db.database import Database


async def announce_all(database: Database, *numbers: int, consumer: str = "fold") -> None:
    async with database.transaction() as session:
        for number in numbers:
            await announce(session, consumer=consumer, payload={"number": number})


async def test_announcements_come_out_once_and_oldest_first(database: Database) -> None:
    await announce_all(database, 1, 2, 3)

    async with database.transaction() as session:
        assert await drain(session, "fold", limit=2) == [{"number": 1}, {"number": 2}]
    async with database.transaction() as session:
        assert await drain(session, "fold") == [{"number": 3}]
        assert await drain(session, "fold") == []


async def test_a_consumer_hears_only_its_own(database: Database) -> None:
    await announce_all(database, 1, consumer="fold")
    await announce_all(database, 2, consumer="notify")

    async with database.transaction() as session:
        assert await drain(session, "notify") == [{"number": 2}]


async def test_a_consumer_that_fails_finds_them_again(database: Database) -> None:
    await announce_all(database, 1)

    async def fail() -> None:
        async with database.transaction() as session:
            assert await drain(session, "fold") == [{"number": 1}]
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    async with database.transaction() as session:
        assert await drain(session, "fold") == [{"number": 1}]


async def test_two_consumers_at_once_share_without_waiting(database: Database) -> None:
    await announce_all(database, *range(40))
    both_have_some = asyncio.Barrier(2)

    async def consume() -> list[dict[str, JsonValue]]:
        async with database.transaction() as session:
            taken = await drain(session, "fold", limit=20)
            await both_have_some.wait()
        return taken

    async with asyncio.timeout(20):
        one, other = await asyncio.gather(consume(), consume())

    assert sorted(str(item) for item in one + other) == sorted(
        str({"number": number}) for number in range(40)
    )
