"""Rates on a real database, over several processes' worth of counters."""

import asyncio

import pytest
from sqlalchemy import event, func, select

from dynabench.kit.db.database import Database
from dynabench.kit.rate_limits.errors import TooOftenError
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.rate_limits.tables import rate_limits
from dynabench.kit.rate_limits.values import RateLimit, RateName
from tests.conftest import HeldClock

pytestmark = pytest.mark.anyio

_VOTES = RateName.VOTES
_FEW = {_VOTES: RateLimit(_VOTES, 3, 60)}
_MANY = {_VOTES: RateLimit(_VOTES, 100, 60)}


async def let_through(limiter: RateLimiter, *, tries: int, subject: str = "ada") -> int:
    waits = [await limiter.wait_for(_VOTES, subject) for _ in range(tries)]
    return waits.count(None)


async def test_no_more_than_the_rate_is_let_through(database: Database, clock: HeldClock) -> None:
    limiter = RateLimiter(database, clock, limits=_FEW)

    assert await let_through(limiter, tries=10) == 3
    assert await let_through(limiter, tries=10, subject="grace") == 3


async def test_one_more_fits_as_soon_as_was_said(database: Database, clock: HeldClock) -> None:
    limiter = RateLimiter(database, clock, limits=_FEW)
    await let_through(limiter, tries=3)

    with pytest.raises(TooOftenError, match="Try again in 20 seconds") as refused:
        await limiter.take(_VOTES, "ada")

    assert refused.value.retry_after_seconds == 20
    clock.advance(seconds=19)
    assert await let_through(limiter, tries=1) == 0
    clock.advance(seconds=1)
    assert await let_through(limiter, tries=5) == 1
    clock.advance(minutes=5)
    assert await let_through(limiter, tries=5) == 3


async def test_several_processes_together_let_no_more_through(
    database: Database, clock: HeldClock
) -> None:
    processes = [RateLimiter(database, clock, limits=_MANY) for _ in range(4)]

    async def one(limiter: RateLimiter) -> int:
        return await let_through(limiter, tries=60)

    assert sum(await asyncio.gather(*(one(limiter) for limiter in processes))) == 100


async def test_many_at_once_are_not_refused_for_being_at_once(
    database: Database, clock: HeldClock
) -> None:
    limiter = RateLimiter(database, clock, limits=_MANY)

    waits = await asyncio.gather(*(limiter.wait_for(_VOTES, "ada") for _ in range(100)))

    assert waits == [None] * 100
    assert await limiter.wait_for(_VOTES, "ada") is not None


async def test_what_is_usual_costs_a_statement_now_and_then_and_what_is_refused_none(
    database: Database, clock: HeldClock
) -> None:
    limiter = RateLimiter(database, clock, limits=_MANY)
    begun = 0

    def count(_: object) -> None:
        nonlocal begun
        begun += 1

    event.listen(database._engine.sync_engine, "begin", count)
    assert await let_through(limiter, tries=20) == 20
    assert begun == 4
    await let_through(limiter, tries=80)
    await limiter.wait_for(_VOTES, "ada")
    begun = 0

    assert await let_through(limiter, tries=1_000) == 0
    assert begun == 0


async def test_what_did_not_count_after_all_is_given_back(
    database: Database, clock: HeldClock
) -> None:
    limiter = RateLimiter(database, clock, limits=_FEW)
    await let_through(limiter, tries=4)

    await limiter.give_back(_VOTES, "ada")

    assert await let_through(limiter, tries=4) == 1
    await limiter.forget(_VOTES, "ad")
    assert await let_through(limiter, tries=4) == 0
    await limiter.forget_all(_VOTES, beginning="ad")
    assert await let_through(limiter, tries=4) == 3
    await limiter.forget(_VOTES, "ada")
    assert await let_through(limiter, tries=4) == 3


async def test_what_has_no_rate_is_not_counted(database: Database, clock: HeldClock) -> None:
    limiter = RateLimiter(database, clock, limits={})

    assert await let_through(limiter, tries=500) == 500


async def test_old_rates_are_deleted(database: Database, clock: HeldClock) -> None:
    limiter = RateLimiter(database, clock, limits=_FEW)
    await let_through(limiter, tries=2)
    assert await limiter.purge() == 0
    clock.advance(minutes=2)

    assert await limiter.purge() == 1
    async with database.read() as session:
        assert (await session.execute(select(func.count()).select_from(rate_limits))).scalar() == 0
