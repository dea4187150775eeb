"""Who may read the trail, and that a request's changes carry its number."""

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.people.service import PeopleService

PASSWORD = "correct horse battery"


@pytest.fixture
async def client(database_url: str, tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    wiring = wire(Settings(database_url=database_url, home=tmp_path), fold_patience_seconds=0)
    people = wiring.get(PeopleService)
    await people.create_user("root", password=PASSWORD, is_admin=True)
    await people.create_user("ada", password=PASSWORD)
    application = create_application(wiring, fold_in_background=False)
    transport = httpx2.ASGITransport(application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as made:
        yield made
    await wiring.close()


async def sign_in(client: httpx2.AsyncClient, username: str) -> None:
    answer = await client.post("/api/v1/session", json={"username": username, "password": PASSWORD})
    assert answer.status_code in {200, 201}, answer.text


async def test_a_request_s_change_names_the_person_and_the_request(
    client: httpx2.AsyncClient,
) -> None:
    await sign_in(client, "root")
    changed = await client.patch("/api/v1/users/ada/account", json={"is_disabled": True})
    assert changed.status_code == 200, changed.text

    page = (await client.get("/api/v1/audit", params={"act": "account.changed"})).json()

    newest = page["items"][0]
    assert (newest["actor_name"], newest["subject_name"]) == ("root", "ada")
    assert newest["request_id"] == changed.headers["x-request-id"]
    assert newest["before"] == {"disabled_at": None}


async def test_visitors_and_others_are_refused(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/api/v1/audit")).status_code == 401
    await sign_in(client, "ada")

    assert (await client.get("/api/v1/audit")).status_code == 403


@pytest.mark.parametrize(
    "wanted",
    [
        {"who": "a\0b"},
        {"act": "\0"},
        {"cursor": base64.urlsafe_b64encode(b"[1180591620717411303424]").decode()},
    ],
)
async def test_what_no_database_takes_is_refused(
    client: httpx2.AsyncClient, wanted: dict[str, str]
) -> None:
    await sign_in(client, "root")
    assert (await client.get("/api/v1/audit", params=wanted)).status_code == 422


async def test_a_filter_that_there_is_not_is_named(client: httpx2.AsyncClient) -> None:
    await sign_in(client, "root")

    answer = await client.get("/api/v1/audit", params={"whoo": "ada"})

    assert answer.status_code == 422
    assert "whoo" in answer.text
