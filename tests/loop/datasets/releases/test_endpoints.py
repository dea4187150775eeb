"""Routes of releases over HTTP, role by role."""

from collections.abc import AsyncIterator
from http import HTTPStatus

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.releases.endpoints import router
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.values import ReleaseOrder
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.datasets import Chapters, fill_round
from tests.factories.people import People, make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task

ROUTES = (
    ("GET", "release-plan"),
    ("POST", "release"),
    ("GET", "release-order"),
    ("DELETE", "release-order"),
    ("POST", "reopen"),
)


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
def chapters(database: Database, clock: Clock) -> Chapters:
    return Chapters.over(database, clock)


@pytest.fixture
async def client(people: People, chapters: Chapters) -> AsyncIterator[AsyncClient]:
    services: dict[type[object], object] = {ReleaseDesk: chapters.desk}
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        yield client


async def test_a_release_is_its_owners_affair(
    client: AsyncClient, people: People, chapters: Chapters, database: Database
) -> None:
    task, draft = await make_task(database), await make_task(database, status=TaskStatus.DRAFT)
    round_ = await make_round(database, task, status=RoundStatus.CLOSED)
    unseen = await make_round(database, draft, status=RoundStatus.CLOSED)
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    expert = await make_user(database)
    await add_member(database, task, expert, TaskRole.EXPERT)
    order = ReleaseOrder(round_id=round_.id, seed=3, licence="CC0")
    await chapters.desk.keep(order, created_by=None)

    async def status(who: Actor | None, method: str, url: str) -> int:
        headers = {"content-type": "application/json"}
        if who is not None:
            token = await people.service.create_token(ApiTokenCreate(name="test"), actor=who)
            headers["Authorization"] = f"Bearer {token.secret}"
        content = b"{}" if method == "POST" else b""
        answer = await client.request(method, url, headers=headers, content=content)
        return answer.status_code

    for method, name in ROUTES:
        url = f"/api/v1/rounds/{round_.id}/{name}"
        assert await status(None, method, url) == HTTPStatus.UNAUTHORIZED
        for other in (stranger, expert):
            assert await status(other, method, url) == HTTPStatus.FORBIDDEN
        for missing in (unseen.id, task.id):
            url = f"/api/v1/rounds/{missing}/{name}"
            assert await status(owner, method, url) == HTTPStatus.NOT_FOUND


async def test_an_owner_looks_asks_and_calls_off(
    client: AsyncClient, people: People, chapters: Chapters, database: Database, clock: Clock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    await fill_round(database, task, round_, clock=clock, verified=2, others=0)
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=owner)
    client.headers["Authorization"] = f"Bearer {token.secret}"
    url = f"/api/v1/rounds/{round_.id}"

    plan = (await client.get(f"{url}/release-plan", params={"seed": 4})).json()
    assert (plan["seed"], plan["stored"], plan["open_verdicts"]) == (4, 2, 0)
    assert plan["missing"][0] == {
        "code": "too_few_verified",
        "sentence": "There are 2 verified fooling examples; dev and test need at least 10.",
        "sentence_told": {"code": "releases.lacks_verified", "values": {"count": 2, "least": 10}},
    }
    assert (await client.post(f"{url}/release", json={})).json()["code"] == "rounds.wrong_state"
    await chapters.rounds.close(round_.id, actor=owner)
    refused = await client.post(f"{url}/release", json={})
    assert (refused.status_code, refused.json()["code"]) == (409, "datasets.release_incomplete")
    assert refused.json()["facts"]["missing"][0] == plan["missing"][0]["sentence"]
    for wrong in ({"seed": 2**60}, {"licence": " "}, {"licence": ""}, {"open_verdicts": "guess"}):
        assert (await client.post(f"{url}/release", json=wrong)).status_code == 422
    asked = await client.post(f"{url}/release", json={"allow_incomplete": True})
    assert (asked.status_code, asked.json()["name"]) == (202, "datasets.release")

    assert (await client.get(f"{url}/release-order")).json() is None
    order = ReleaseOrder(round_id=round_.id, seed=3, licence="CC0")
    await chapters.desk.keep(order, created_by=owner.user_id)
    assert (await client.get(f"{url}/release-order")).json()["seed"] == 3
    assert (await client.delete(f"{url}/release-order")).status_code == 204
    gone = await client.delete(f"{url}/release-order")
    assert (gone.status_code, gone.json()["code"]) == (404, "datasets.no_release_order")
