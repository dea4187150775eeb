from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.tasks.endpoints import router
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.people.notifications.service import NotificationService
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.people import People, make_user
from tests.factories.tasks import NLI_CONFIG, make_task


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(database: Database, clock: Clock, people: People) -> AsyncIterator[AsyncClient]:
    tasks = TaskService(database, clock)
    members = MemberService(
        database,
        clock,
        tasks=tasks,
        directory=people.directory,
        notifications=NotificationService(database, clock),
    )
    services: dict[type[object], object] = {TaskService: tasks, MemberService: members}
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        yield client


async def _headers(people: People, actor: Actor) -> dict[str, str]:
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def test_a_task_goes_its_way_over_http(
    client: AsyncClient, people: People, database: Database
) -> None:
    root = await _headers(people, await make_user(database, username="root", is_admin=True))
    body = {"slug": "nli", "config": NLI_CONFIG}
    key = {"Idempotency-Key": "once"}
    made = await client.post("/api/v1/tasks", json=body, headers=root | key)
    assert made.status_code == 201
    again = await client.post("/api/v1/tasks", json=body, headers=root | key)
    assert again.json() == made.json()
    other = await client.post("/api/v1/tasks", json=body, headers=root)
    assert (other.status_code, other.json()["code"]) == (409, "tasks.slug_taken")
    assert (await client.get("/api/v1/tasks/nli")).status_code == 404
    opened = await client.post("/api/v1/tasks/nli/activate", headers=root)
    assert opened.json()["status"] == "active"
    assert [one["slug"] for one in (await client.get("/api/v1/tasks")).json()] == ["nli"]
    reworded = {"config": NLI_CONFIG.replace("Inference", "Entailment")}
    changed = await client.post("/api/v1/tasks/nli/configs", json=reworded, headers=root)
    assert (changed.status_code, changed.json()["title"]) == (201, "Entailment")
    versions = (await client.get("/api/v1/tasks/nli/configs", headers=root)).json()
    assert [one["version"] for one in versions] == [2, 1]
    closed = await client.patch(
        "/api/v1/tasks/nli", json={"is_open_to_everyone": False}, headers=root
    )
    assert closed.json()["is_open_to_everyone"] is False
    ended = await client.post("/api/v1/tasks/nli/archive", headers=root)
    assert ended.json()["status"] == "archived"
    late = await client.post("/api/v1/tasks/nli/archive", headers=root)
    assert (late.status_code, late.json()["code"]) == (409, "tasks.wrong_state")


async def test_a_broken_config_is_told_with_its_places(
    client: AsyncClient, people: People, database: Database
) -> None:
    root = await _headers(people, await make_user(database, is_admin=True))
    broken = NLI_CONFIG.replace("title:", "titel:")
    checking = "/api/v1/task-config-checks"
    assert (await client.post(checking, json={"config": broken})).status_code == 401
    checked = await client.post(checking, json={"config": broken}, headers=root)
    (problem, *_) = checked.json()["problems"]
    assert (problem["line"], problem["column"], problem["path"]) == (1, 1, "titel")
    too_long = await client.post(checking, json={"config": "x" * 300_001}, headers=root)
    assert too_long.status_code == 422
    refused = await client.post(
        "/api/v1/tasks", json={"slug": "nli", "config": broken}, headers=root
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "tasks.config_invalid")


async def test_a_version_is_kept_read_and_activated_over_http(
    client: AsyncClient, people: People, database: Database
) -> None:
    await make_task(database, slug="nli")
    root = await _headers(people, await make_user(database, is_admin=True))
    ada = await _headers(people, await make_user(database, username="ada"))
    configs = "/api/v1/tasks/nli/configs"
    body = {"config": NLI_CONFIG.replace("Inference", "Entailment"), "activate": False}
    assert (await client.post(configs, json=body)).status_code == 401
    assert (await client.post(configs, json=body, headers=ada)).status_code == 403
    kept = await client.post(configs, json=body, headers=root)
    assert (kept.status_code, kept.json()["config_version"]) == (201, 1)
    assert (await client.get(f"{configs}/2", headers=ada)).status_code == 403
    read = await client.get(f"{configs}/2", headers=root)
    assert (read.json()["config"], read.json()["is_active"]) == (body["config"], False)
    assert (await client.post(f"{configs}/2/activate")).status_code == 401
    used = await client.post(f"{configs}/2/activate", headers=root)
    assert (used.json()["title"], used.json()["config_version"]) == ("Entailment", 2)
    for version in (3, 2**31 - 1):
        missing = await client.post(f"{configs}/{version}/activate", headers=root)
        assert missing.json()["code"] == "tasks.config_version_not_found"
    assert (await client.get(f"{configs}/{2**31}", headers=root)).status_code == 422


async def test_people_join_by_name_and_by_link(
    client: AsyncClient, people: People, database: Database
) -> None:
    await make_task(database, slug="nli")
    root = await _headers(people, await make_user(database, is_admin=True))
    ada = await _headers(people, await make_user(database, username="ada"))
    members = "/api/v1/tasks/nli/members"
    refused = await client.get(members, headers=ada)
    assert (refused.status_code, refused.json()["code"]) == (403, "tasks.role_needed")
    put = await client.put(f"{members}/ada", json={"role": "owner"}, headers=root)
    assert put.json()["role"] == "owner"
    last = await client.delete(f"{members}/ada", headers=ada)
    assert (last.status_code, last.json()["code"]) == (409, "tasks.last_owner")
    missing = await client.put(f"{members}/nobody", json={"role": "owner"}, headers=ada)
    assert (missing.status_code, missing.json()["code"]) == (404, "people.user_not_found")
    links = "/api/v1/tasks/nli/join-links"
    link = (await client.post(links, json={"role": "expert"}, headers=ada)).json()
    eve = await _headers(people, await make_user(database, username="eve"))
    joining = "/api/v1/join-links/" + link["path"].removeprefix("/join/")
    assert (await client.post(joining)).status_code == 401
    joined = await client.post(joining, headers=eve)
    assert joined.json() == {"task_slug": "nli", "role": "expert"}
    assert (await client.get(links, headers=ada)).json()[0]["uses"] == 1
    assert len((await client.get(members, headers=ada)).json()) == 2
    assert (await client.delete(f"{links}/{link['id']}", headers=ada)).status_code == 204
    gone = await client.post(joining, headers=eve)
    assert (gone.status_code, gone.json()["code"]) == (404, "tasks.join_link_invalid")


async def test_everyone_may_read_the_schema_of_configs_and_keep_it(client: AsyncClient) -> None:
    path = "/api/v1/task-config.schema.json"
    sent = await client.get(path)
    assert sent.status_code == 200
    assert sent.headers["content-type"].startswith("application/schema+json")
    assert sent.json()["title"] == "Dynabench task config"
    kept = await client.get(path, headers={"If-None-Match": sent.headers["etag"]})
    assert (kept.status_code, kept.content) == (304, b"")
