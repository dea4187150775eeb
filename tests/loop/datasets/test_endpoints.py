"""Routes of datasets over HTTP."""

import json
from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.endpoints import router
from dynabench.loop.datasets.releases import endpoints as releases
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import Split
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.datasets import Chapters, close, fill_round, make_dataset, make_item
from tests.factories.people import People, make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(database: Database, clock: Clock, people: People) -> AsyncIterator[AsyncClient]:
    chapters = Chapters.over(database, clock)
    services: dict[type[object], object] = {
        DatasetService: chapters.datasets,
        ReleaseDesk: chapters.desk,
    }
    routers = (router, releases.router)
    async with make_client(
        *routers, services=services, authenticator=people.authenticator
    ) as client:
        yield client


async def headers(people: People, actor: Actor) -> dict[str, str]:
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def test_a_release_is_asked_for_by_an_owner_of_a_closed_round(
    client: AsyncClient, people: People, database: Database, clock: Clock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    await fill_round(database, task, round_, clock=clock, verified=2, others=0)
    url = f"/api/v1/rounds/{round_.id}/release"
    mine = await headers(people, owner)
    theirs = await headers(people, stranger)
    still_open = await client.post(url, json={}, headers=mine)
    assert (still_open.status_code, still_open.json()["code"]) == (409, "rounds.wrong_state")
    await close(database, round_, clock=clock)
    again = await make_round(database, task, status=RoundStatus.CLOSED)
    empty = await client.post(f"/api/v1/rounds/{again.id}/release", json={}, headers=mine)
    assert (empty.status_code, empty.json()["code"]) == (409, "datasets.nothing_to_release")
    assert (await client.post(url, json={})).status_code == 401
    assert (await client.post(url, json={}, headers=theirs)).status_code == 403
    missing = await client.post(f"/api/v1/rounds/{task.id}/release", json={}, headers=mine)
    assert missing.status_code == 404


async def test_a_version_is_listed_shown_and_downloaded_without_its_test_gold(
    client: AsyncClient, database: Database, clock: Clock
) -> None:
    task = await make_task(database)
    items = [make_item(1), make_item(2, split=Split.DEV)]
    version = await make_dataset(database, task, items, name="Mine", clock=clock)
    listed = await client.get(f"/api/v1/tasks/{task.slug}/datasets")
    shown = await client.get(f"/api/v1/dataset-versions/{version.id}")
    assert listed.json() == [shown.json()]
    assert shown.json()["splits"] == [
        {"split": "train", "items": 0},
        {"split": "dev", "items": 1},
        {"split": "test", "items": 1},
    ]
    url = f"/api/v1/dataset-versions/{version.id}/splits"
    test = await client.get(f"{url}/test")
    assert test.headers["content-type"].startswith("application/x-ndjson")
    assert "gold" not in json.loads(test.text)
    assert json.loads((await client.get(f"{url}/dev")).text)["gold"] == {"label": "neutral"}
    assert (await client.get(f"{url}/train")).text == ""
    for missing in (f"{url}/other", f"/api/v1/dataset-versions/{task.id}"):
        assert (await client.get(missing)).json()["code"] == "datasets.not_found"
