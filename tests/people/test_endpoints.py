from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncClient

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.people.endpoints import SESSION_COOKIE, router
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService
from tests.factories.applications import make_client
from tests.factories.people import PASSWORD, People, make_user

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio

ADA = {"username": "ada", "password": PASSWORD}


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(people: People) -> AsyncIterator[AsyncClient]:
    services = {PeopleService: people.service, SignInService: people.sign_ins}
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        yield client


async def _be_admin(client: AsyncClient, people: People) -> None:
    made = await people.service.create_user("root", is_admin=True)
    body = {"username": "root", "password": made.password}
    assert (await client.post("/api/v1/session", json=body)).status_code == 200


async def test_a_person_signs_up_out_and_in_again(client: AsyncClient) -> None:
    assert (await client.get("/api/v1/session")).json()["user"] is None
    made = await client.post("/api/v1/users", json=ADA)
    assert made.status_code == 201
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert (await client.get("/api/v1/session")).json()["user"]["username"] == "ada"
    assert (await client.delete("/api/v1/session")).status_code == 204
    assert (await client.get("/api/v1/session")).json()["user"] is None
    again = await client.post("/api/v1/session", json=ADA)
    assert again.json()["user"]["username"] == "ada"
    wrong = await client.post("/api/v1/session", json=ADA | {"password": "wrong"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "people.wrong_password")
    taken = await client.post("/api/v1/users", json=ADA)
    assert (taken.status_code, taken.json()["code"]) == (409, "people.username_taken")


async def test_the_cookie_lasts_on_while_the_session_is_used(client: AsyncClient) -> None:
    await client.post("/api/v1/users", json=ADA)
    secret = client.cookies[SESSION_COOKIE]
    renewed = (await client.get("/api/v1/session")).headers["set-cookie"]
    assert secret in renewed
    assert "Max-Age=2592000" in renewed


async def test_a_person_changes_name_and_password(client: AsyncClient) -> None:
    await client.post("/api/v1/users", json=ADA)
    changed = await client.patch("/api/v1/users/me", json={"display_name": "Ada L."})
    assert changed.json()["display_name"] == "Ada L."
    shown = await client.get("/api/v1/users/ADA")
    assert shown.json()["display_name"] == "Ada L."
    body = {"current_password": PASSWORD, "new_password": "another good one"}
    assert (await client.post("/api/v1/users/me/password", json=body)).status_code == 204
    assert (await client.get("/api/v1/session")).json()["user"] is not None
    again = await client.post("/api/v1/users/me/password", json=body)
    assert again.json()["code"] == "people.wrong_password"


async def test_a_new_password_and_a_maker_s_end_each_take_password_links_away(
    client: AsyncClient, people: People, database: Database
) -> None:
    await client.post("/api/v1/users", json=ADA)
    root = await people.service.create_user("root", is_admin=True)
    be_root = {"username": "root", "password": root.password}
    await client.post("/api/v1/session", json=be_root)

    async def made() -> str:
        reset = (await client.post("/api/v1/users/ada/password-reset")).json()
        return f"/api/v1/password-resets/{reset['path'].removeprefix('/password-reset/')}"

    first = await made()
    await client.post("/api/v1/session", json=ADA)
    body = {"current_password": PASSWORD, "new_password": "another good one"}
    assert (await client.post("/api/v1/users/me/password", json=body)).status_code == 204
    late = {"new_password": "a third good one"}
    assert (await client.post(first, json=late)).json()["code"] == "people.password_reset_invalid"

    await client.post("/api/v1/session", json=be_root)
    second = await made()
    await make_user(database, username="other", is_admin=True)
    changed = await client.patch("/api/v1/users/root/account", json={"is_admin": False})
    assert changed.status_code == 200
    assert (await client.post(second, json=late)).json()["code"] == "people.password_reset_invalid"


async def test_a_token_is_made_used_and_revoked(client: AsyncClient) -> None:
    await client.post("/api/v1/users", json=ADA)
    body = {"name": "laptop", "scope": "read"}
    made = (await client.post("/api/v1/users/me/tokens", json=body)).json()
    client.cookies.clear()
    header = {"Authorization": f"Bearer {made['secret']}"}
    listed = await client.get("/api/v1/users/me/tokens", headers=header)
    assert [one["id"] for one in listed.json()] == [made["id"]]
    address = f"/api/v1/users/me/tokens/{made['id']}"
    refused = await client.delete(address, headers=header)
    assert (refused.status_code, refused.json()["code"]) == (403, "request.read_only_token")
    await client.post("/api/v1/session", json=ADA)
    assert (await client.delete(address)).status_code == 204
    assert (await client.delete(address)).json()["code"] == "people.token_not_found"
    assert (await client.get("/api/v1/session", headers=header)).status_code == 401


async def test_an_administrator_invites_resets_and_disables(
    client: AsyncClient, people: People
) -> None:
    await client.post("/api/v1/users", json=ADA)
    await _be_admin(client, people)
    invited = (await client.post("/api/v1/invitations", json={"note": "for Eve"})).json()
    assert invited["path"].startswith("/sign-up?invitation=")
    assert len((await client.get("/api/v1/invitations")).json()) == 1
    address = f"/api/v1/invitations/{invited['id']}"
    assert (await client.delete(address)).status_code == 204
    assert (await client.delete(address)).json()["code"] == "people.invitation_invalid"
    reset = (await client.post("/api/v1/users/ada/password-reset")).json()
    secret = reset["path"].removeprefix("/password-reset/")
    body = {"new_password": "another good one"}
    assert (await client.post(f"/api/v1/password-resets/{secret}", json=body)).status_code == 204
    used = await client.post(f"/api/v1/password-resets/{secret}", json=body)
    assert (used.status_code, used.json()["code"]) == (404, "people.password_reset_invalid")
    changed = await client.patch("/api/v1/users/ada/account", json={"is_disabled": True})
    assert changed.json()["disabled_at"] is not None
    listed = (await client.get("/api/v1/users", params={"search": "ad"})).json()
    assert [user["username"] for user in listed["items"]] == ["ada"]
    last = await client.patch("/api/v1/users/root/account", json={"is_admin": False})
    assert last.json()["code"] == "people.last_admin"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/users", None),
        ("PATCH", "/users/ada/account", {}),
        ("POST", "/users/ada/password-reset", None),
        ("GET", "/invitations", None),
        ("POST", "/invitations", {}),
        ("DELETE", "/invitations/00000000-0000-0000-0000-000000000000", None),
    ],
)
async def test_administration_is_closed_to_visitors_and_people(
    client: AsyncClient, method: str, path: str, body: object
) -> None:
    asked = await client.request(method, f"/api/v1{path}", json=body)
    assert (asked.status_code, asked.json()["code"]) == (401, "request.sign_in_required")
    await client.post("/api/v1/users", json=ADA)
    refused = await client.request(method, f"/api/v1{path}", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "people.admin_needed")


async def test_a_name_that_nobody_has_is_not_found(client: AsyncClient, database: Database) -> None:
    await make_user(database, username="ada")
    for name in ("nobody", "ada%00", "%25"):
        missing = await client.get(f"/api/v1/users/{name}")
        assert (missing.status_code, missing.json()["code"]) == (404, "people.user_not_found")
