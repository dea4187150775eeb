from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.proposals import endpoints as proposals
from dynabench.loop.proposals.service import ProposalService
from dynabench.loop.tasks.service import TaskService
from dynabench.people.notifications import endpoints as notifications
from dynabench.people.notifications.service import NotificationService
from dynabench.people.schemas import ApiTokenCreate
from dynabench.people.values import TokenScope
from tests.factories.applications import make_client
from tests.factories.people import People, make_user
from tests.factories.tasks import NLI_CONFIG

pytestmark = pytest.mark.anyio

_BODY: dict[str, object] = {"slug": "nli", "config": NLI_CONFIG, "reason": "To see."}
_MINE = "/api/v1/users/me/notifications"


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(database: Database, clock: Clock, people: People) -> AsyncIterator[AsyncClient]:
    told = NotificationService(database, clock)
    services: dict[type[object], object] = {
        NotificationService: told,
        ProposalService: ProposalService(
            db=database, clock=clock, tasks=TaskService(database, clock), notifications=told
        ),
    }
    async with make_client(
        proposals.router,
        notifications.router,
        services=services,
        authenticator=people.authenticator,
    ) as client:
        yield client


async def _headers(
    people: People, actor: Actor, *, scope: TokenScope = TokenScope.WRITE
) -> dict[str, str]:
    body = ApiTokenCreate(name="test", scope=scope)
    token = await people.service.create_token(body, actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slug": "Not a slug"}, "slug"),
        ({"slug": "x" * 65}, "slug"),
        ({"reason": ""}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"reason": "x" * 4001}, "reason"),
        ({"config": "title: ["}, None),
        ({"config": 7}, "config"),
        ({"status": "accepted"}, "status"),
    ],
)
async def test_what_is_no_proposal_is_refused_by_its_field(
    client: AsyncClient, people: People, database: Database, change: object, field: str | None
) -> None:
    ada = await _headers(people, await make_user(database))
    assert isinstance(change, dict)
    answer = await client.post("/api/v1/proposals", json=_BODY | change, headers=ada)
    assert answer.status_code == 422, answer.text
    assert field is None or field in answer.json()["fields"]


async def test_a_visitor_signs_in_first_and_a_strange_address_leads_nowhere(
    client: AsyncClient, people: People, database: Database
) -> None:
    ada = await _headers(people, await make_user(database))
    one = f"/api/v1/proposals/{new_id()}"
    routes: list[tuple[str, str, dict[str, object] | None]] = [
        ("GET", "/api/v1/proposals", None),
        ("POST", "/api/v1/proposals", _BODY),
        ("GET", one, None),
        ("PATCH", one, {"revision": 1}),
        ("POST", f"{one}/withdrawal", None),
        ("POST", f"{one}/decisions", {"status": "accepted", "revision": 1}),
        ("GET", _MINE, None),
        ("POST", f"{_MINE}/read", {"through": str(new_id())}),
        ("POST", f"{_MINE}/{new_id()}/read", None),
    ]
    for method, path, body in routes:
        visitor = await client.request(method, path, json=body)
        assert (visitor.status_code, visitor.json()["code"]) == (401, "request.sign_in_required")
    for method, path, body in [*routes[2:5], *routes[7:]]:
        nobodys = await client.request(method, path, json=body, headers=ada)
        assert nobodys.status_code == 404, nobodys.text
    for path in ("/api/v1/proposals?status=odd", "/api/v1/proposals?cursor=odd", one[:-4]):
        assert (await client.get(path, headers=ada)).status_code == 422


async def test_a_decision_over_http_is_known_by_its_key_and_told_with_a_tag(
    client: AsyncClient, people: People, database: Database
) -> None:
    author = await make_user(database)
    ada = await _headers(people, author)
    root = await _headers(people, await make_user(database, is_admin=True))
    made = (await client.post("/api/v1/proposals", json=_BODY, headers=ada)).json()
    path = f"/api/v1/proposals/{made['id']}/decisions"
    for odd in ({"status": "open"}, {"revision": 0}, {"revision": 2**31}):
        body = {"status": "accepted", "revision": 1} | odd
        assert (await client.post(path, json=body, headers=root)).status_code == 422
    before = await client.get(_MINE, headers=ada)
    tag = {"If-None-Match": before.headers["etag"]}
    assert (await client.get(_MINE, headers=ada | tag)).status_code == 304

    key = {"Idempotency-Key": "click"}
    body = {"status": "rejected", "revision": 1, "text": "There is one."}
    first = await client.post(path, json=body, headers=root | key)
    again = await client.post(path, json=body, headers=root | key)
    assert (first.status_code, again.json()) == (201, first.json())
    other = await client.post(path, json=body | {"text": "No."}, headers=root | key)
    assert other.json()["code"] == "request.idempotency_key_reused"
    late = await client.post(path, json=body, headers=root)
    assert (late.status_code, late.json()["code"]) == (409, "proposals.wrong_state")

    told = await client.get(_MINE, headers=ada | tag)
    assert (told.status_code, told.json()["unread"]) == (200, 1)
    assert told.json()["items"][0]["path"] == f"/proposals/{made['id']}"


async def test_a_token_for_reading_proposes_nothing(
    client: AsyncClient, people: People, database: Database
) -> None:
    reader = await _headers(people, await make_user(database), scope=TokenScope.READ)
    answer = await client.post("/api/v1/proposals", json=_BODY, headers=reader)
    assert (answer.status_code, answer.json()["code"]) == (403, "request.read_only_token")
    assert (await client.get("/api/v1/proposals", headers=reader)).json()["items"] == []
