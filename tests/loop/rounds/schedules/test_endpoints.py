"""Times of rounds over HTTP: who sets them, and how what is wrong is named."""

from collections.abc import AsyncIterator
from datetime import timedelta
from http import HTTPStatus

import pytest
from httpx2 import AsyncClient

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.rounds.endpoints import router
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.people import People, make_user
from tests.factories.rounds import make_round, make_round_service
from tests.factories.tasks import add_member, make_task


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(people: People, database: Database, clock: Clock) -> AsyncIterator[AsyncClient]:
    services: dict[type[object], object] = {RoundService: make_round_service(database, clock)}
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        yield client


async def test_only_owners_set_the_times_of_a_round_and_everybody_reads_them(
    client: AsyncClient, people: People, database: Database, clock: Clock
) -> None:
    task, hidden = await make_task(database), await make_task(database, status=TaskStatus.DRAFT)
    round_ = await make_round(database, task, clock=clock)
    unseen = await make_round(database, hidden, clock=clock)
    closes_at = (clock.now() + timedelta(days=2)).isoformat()
    body = {"schedule": {"closes_at": closes_at}}
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    found = [(await client.patch(f"/api/v1/rounds/{round_.id}", json=body)).status_code]
    for role in (None, TaskRole.ANNOTATOR, TaskRole.EXPERT):
        person = await make_user(database)
        if role is not None:
            await add_member(database, task, person, role)
        made = await people.service.create_token(ApiTokenCreate(name="t"), actor=person)
        headers = {"Authorization": f"Bearer {made.secret}"}
        refused = await client.patch(f"/api/v1/rounds/{round_.id}", json=body, headers=headers)
        lost = await client.patch(f"/api/v1/rounds/{unseen.id}", json=body, headers=headers)
        found += [refused.status_code, lost.status_code]
    assert found == [HTTPStatus.UNAUTHORIZED, *(HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND) * 3]

    made = await people.service.create_token(ApiTokenCreate(name="t"), actor=owner)
    headers = {"Authorization": f"Bearer {made.secret}"}
    done = await client.patch(f"/api/v1/rounds/{round_.id}", json=body, headers=headers)
    assert done.status_code == HTTPStatus.OK
    read = (await client.get(f"/api/v1/rounds/{round_.id}")).json()
    assert read["schedule"]["opens_at"] is None
    assert read["schedule"]["closes_at"].removesuffix("Z") in closes_at


async def test_a_wrong_time_is_named_with_what_to_do(
    client: AsyncClient, people: People, database: Database, clock: Clock
) -> None:
    task, owner = await make_task(database), await make_user(database)
    round_ = await make_round(database, task, clock=clock)
    await add_member(database, task, owner, TaskRole.OWNER)
    made = await people.service.create_token(ApiTokenCreate(name="t"), actor=owner)
    headers = {"Authorization": f"Bearer {made.secret}"}
    past = (clock.now() - timedelta(days=2)).isoformat()
    cases = {
        "2030-01-01T09:00:00": "Say the time zone",
        "0001-01-01T00:00:00+14:00": "no such time in UTC",
        past: "lies in the past",
    }
    for text, sentence in cases.items():
        body = {"schedule": {"closes_at": text}}
        refused = await client.patch(f"/api/v1/rounds/{round_.id}", json=body, headers=headers)
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert sentence in refused.text
        assert "schedule.closes_at" in refused.text
