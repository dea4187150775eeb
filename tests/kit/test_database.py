import asyncio

import pytest
from sqlalchemy import cast, select, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import DBAPIError

from dynabench.kit.db.database import Database, DatabaseBusyError, DatabaseUnavailableError, Session


async def test_a_transaction_is_committed_once_at_its_end(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE kept (id int)"))
        await session.execute(text("INSERT INTO kept VALUES (1)"))

    async with database.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM kept")) == 1


async def test_a_block_that_raises_leaves_nothing_behind(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE kept (id int)"))

    async def fail() -> None:
        async with database.transaction() as session:
            await session.execute(text("INSERT INTO kept VALUES (1)"))
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    async with database.read() as session:
        assert await session.scalar(text("SELECT count(*) FROM kept")) == 0


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(DBAPIError, match="read-only"):
        async with database.read() as session:
            await session.execute(text("CREATE TABLE refused (id int)"))


async def test_json_goes_there_and_back_unchanged(database: Database) -> None:
    value = {"text": "für “you” 🙂", "numbers": [1, 2.5, None, True]}

    async with database.read() as session:
        found = await session.scalar(select(cast(value, JSONB)))

    assert found == value


async def test_connections_that_the_server_closed_are_replaced_without_a_failure(
    database: Database,
) -> None:
    async with database.read() as one, database.read() as other:
        await one.scalar(text("SELECT 1"))
        await other.scalar(text("SELECT 1"))
    async with database.transaction() as session:
        await session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    await asyncio.sleep(0.05)

    for _ in range(3):
        async with database.read() as one, database.read() as other:
            assert await one.scalar(text("SELECT 1")) == 1
            assert await other.scalar(text("SELECT 1")) == 1


async def test_a_database_that_is_gone_is_told_in_a_sentence() -> None:
    nowhere = Database.from_url("postgresql://nobody@127.0.0.1:1/none")

    with pytest.raises(DatabaseUnavailableError, match="Try again"):
        async with nowhere.read():
            pass

    await nowhere.close()


async def test_a_statement_that_takes_too_long_is_given_up(database_url: str) -> None:
    impatient = Database.from_url(database_url, statement_timeout_seconds=0.05)

    with pytest.raises(DatabaseBusyError):
        async with impatient.read() as session:
            await session.execute(text("SELECT pg_sleep(5)"))

    await impatient.close()


async def test_work_that_loses_a_race_is_run_again(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE counters (id int PRIMARY KEY, value int)"))
        await session.execute(text("INSERT INTO counters VALUES (1, 0), (2, 0)"))
    both_hold_one = asyncio.Barrier(2)
    raced = 0

    async def add(first: int, second: int) -> None:
        waited = False

        async def work(session: Session) -> None:
            nonlocal raced, waited
            raced += 1
            query = text("UPDATE counters SET value = value + 1 WHERE id = :id")
            await session.execute(query, {"id": first})
            if not waited:
                waited = True
                await both_hold_one.wait()
            await session.execute(query, {"id": second})

        await database.run(work)

    await asyncio.gather(add(1, 2), add(2, 1))

    async with database.read() as session:
        values = (await session.execute(text("SELECT value FROM counters"))).scalars().all()
    assert values == [2, 2]
    assert raced == 3


async def test_work_that_keeps_losing_ends_as_busy(database: Database) -> None:
    async def lose(session: Session) -> None:
        await session.execute(
            text("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$")
        )

    with pytest.raises(DatabaseBusyError):
        await database.run(lose, attempts=2)


async def test_a_read_inside_a_block_needs_no_second_connection(database_url: str) -> None:
    database = Database.from_url(database_url, pool_size=1)

    async with database.transaction() as outer:
        await outer.execute(text("CREATE TABLE seen_inside (id int)"))
        async with database.read() as inner:
            assert await inner.scalar(text("SELECT count(*) FROM seen_inside")) == 0
    async with database.read() as outer, database.read() as inner:
        assert await inner.scalar(text("SELECT count(*) FROM seen_inside")) == 0

    await database.close()


async def test_a_task_started_inside_a_block_has_its_own_connection(database: Database) -> None:
    async def count_tables() -> object:
        async with database.read() as session:
            return await session.scalar(
                text("SELECT count(*) FROM pg_tables WHERE tablename = 'uncommitted'")
            )

    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE uncommitted (id int)"))
        assert await count_tables() == 1
        assert await asyncio.create_task(count_tables()) == 0


async def test_what_was_to_be_written_stands_in_no_error(database: Database) -> None:
    with pytest.raises(DBAPIError) as caught:
        async with database.transaction() as session:
            await session.execute(
                text("SELECT 1 / (length(:secret) - 11)"), {"secret": "open sesame"}
            )
    assert "open sesame" not in str(caught.value)
