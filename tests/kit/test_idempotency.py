import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select

from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import (
    AlreadyDone,
    IdempotencyKeyReusedError,
    RequestKey,
    claim,
    find,
    idempotency_keys,
    purge,
)


def make_key(*, key: str = "k", body: bytes = b"{}", actor_id: UUID | None = None) -> RequestKey:
    return RequestKey.of(actor_id=actor_id, route="POST /api/v1/things", key=key, body=body)


async def test_a_claimed_key_gives_what_it_created(database: Database) -> None:
    key, resource_id = make_key(), uuid4()

    async with database.transaction() as session:
        assert await find(session, key) is None
        await claim(session, key, resource_id)
    async with database.read() as session:
        assert await find(session, key) == resource_id


async def test_the_same_key_with_another_body_is_refused(database: Database) -> None:
    async with database.transaction() as session:
        await claim(session, make_key(), uuid4())

    async with database.transaction() as session:
        with pytest.raises(IdempotencyKeyReusedError, match="new key"):
            await find(session, make_key(body=b"[]"))
        with pytest.raises(IdempotencyKeyReusedError):
            await claim(session, make_key(body=b"[]"), uuid4())


async def test_two_people_may_choose_the_same_key(database: Database) -> None:
    async with database.transaction() as session:
        await claim(session, make_key(actor_id=uuid4()), uuid4())
        await claim(session, make_key(actor_id=uuid4()), uuid4())


def test_the_parts_of_a_scope_cannot_be_shifted_into_each_other() -> None:
    one = RequestKey.of(actor_id=None, route="POST /a", key="bc", body=b"")
    other = RequestKey.of(actor_id=None, route="POST /ab", key="c", body=b"")

    assert one != other


async def test_of_many_at_once_one_creates_and_the_others_get_its_resource(
    database: Database,
) -> None:
    async def create() -> tuple[bool, UUID]:
        resource_id = uuid4()
        try:
            async with database.transaction() as session:
                await claim(session, make_key(), resource_id)
        except AlreadyDone as done:
            return False, done.resource_id
        return True, resource_id

    answers = await asyncio.gather(*(create() for _ in range(12)))

    assert sum(created for created, _ in answers) == 1
    assert len({resource_id for _, resource_id in answers}) == 1


async def test_keys_are_forgotten_after_a_day(database: Database) -> None:
    now = SystemClock().now()
    async with database.transaction() as session:
        await claim(session, make_key(), uuid4())

    async with database.transaction() as session:
        assert await purge(session, now=now + timedelta(hours=23)) == 0
        assert await purge(session, now=now + timedelta(hours=25)) == 1
        count = select(func.count()).select_from(idempotency_keys)
        assert await session.scalar(count) == 0
