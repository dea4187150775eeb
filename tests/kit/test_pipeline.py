"""Statements that travel together, and what their failure leaves behind."""

import asyncio
from collections.abc import Sequence

import psycopg
import pytest
from sqlalchemy import literal_column, select

from dynabench.kit.db.database import Database, DatabaseUnavailableError
from dynabench.kit.db.pipeline import PlainRow, Prepared, ask, send

_ONE = Prepared(select(literal_column("1").label("one")))
_TWO = Prepared(select(literal_column("2").label("two")))
_BROKEN = Prepared(select(literal_column("1 / 0").label("never")))
_LONG = Prepared(select(literal_column("pg_sleep(5)").label("slept")))


def _rows(rows: Sequence[PlainRow]) -> list[PlainRow]:
    return [dict(row) for row in rows]


@pytest.fixture
def narrow(database_url: str) -> Database:
    """One connection, so that whoever comes next gets the one that failed."""
    return Database.from_url(database_url, pool_size=1)


async def _ask_for_two(database: Database, *, is_reading: bool) -> list[PlainRow]:
    async with database.read() if is_reading else database.transaction() as session:
        return await ask(session, _TWO.with_values(_rows))


@pytest.mark.parametrize("is_reading", [True, False])
@pytest.mark.parametrize("times_asked_before", [0, 1, 2, 3])
async def test_what_follows_a_failed_statement_can_still_be_asked_afterwards(
    narrow: Database, times_asked_before: int, *, is_reading: bool
) -> None:
    for _ in range(times_asked_before):
        await _ask_for_two(narrow, is_reading=is_reading)
    for _ in range(3):
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with narrow.read() if is_reading else narrow.transaction() as session:
                await send(session, _BROKEN.with_values(_rows), _TWO.with_values(_rows))
        assert await _ask_for_two(narrow, is_reading=is_reading) == [{"two": 2}]
    await narrow.close()


@pytest.mark.parametrize("is_reading", [True, False])
async def test_a_cancelled_trip_leaves_a_connection_that_answers(
    narrow: Database, *, is_reading: bool
) -> None:
    async def travel() -> None:
        async with narrow.read() if is_reading else narrow.transaction() as session:
            await send(session, _LONG.with_values(_rows), _TWO.with_values(_rows))

    for _ in range(3):
        assert await _ask_for_two(narrow, is_reading=is_reading) == [{"two": 2}]
        travelling = asyncio.create_task(travel())
        await asyncio.sleep(0.1)
        travelling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await travelling
    assert await _ask_for_two(narrow, is_reading=is_reading) == [{"two": 2}]
    await narrow.close()


@pytest.mark.parametrize("is_reading", [True, False])
async def test_a_connection_that_dies_on_the_way_is_not_lent_again(
    narrow: Database, *, is_reading: bool
) -> None:
    ended = Prepared(select(literal_column("pg_terminate_backend(pg_backend_pid())")))
    with pytest.raises(DatabaseUnavailableError):
        async with narrow.read() if is_reading else narrow.transaction() as session:
            await send(session, ended.with_values(_rows))
    assert await _ask_for_two(narrow, is_reading=is_reading) == [{"two": 2}]
    await narrow.close()


async def test_statements_that_travel_together_are_handed_over_at_once(
    narrow: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send_each(pipeline: psycopg.AsyncPipeline) -> None:
        message = f"{pipeline} sent a statement by itself"
        raise AssertionError(message)

    monkeypatch.setattr(psycopg.AsyncPipeline, "_communicate_gen", send_each)
    first, second = _ONE.with_values(_rows), _TWO.with_values(_rows)
    async with narrow.transaction() as session:
        await send(session, first, second)
    assert (first.result, second.result) == ([{"one": 1}], [{"two": 2}])
    await narrow.close()
