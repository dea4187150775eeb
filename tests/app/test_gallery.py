"""The gallery over HTTP and through a worker: who adds a task, and what is there afterwards."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring, job_handlers, wire
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.actor import Actor
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.training.service import TrainingService
from dynabench.people.schemas import ApiTokenCreate
from dynabench.people.service import PeopleService
from dynabench.people.tables import users
from tests.factories.people import make_user
from tests.factories.tasks import make_task

ENTRY = "sentiment-arabic"
URL = f"/api/v1/gallery/{ENTRY}"


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path) -> AsyncIterator[Wiring]:
    made = wire(Settings(database_url=database_url, home=tmp_path))
    yield made
    await made.close()


@pytest.fixture
async def client(wiring: Wiring) -> AsyncIterator[AsyncClient]:
    application = create_application(wiring, fold_in_background=False)
    transport = ASGITransport(app=application)
    async with AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def headers(wiring: Wiring, actor: Actor) -> dict[str, str]:
    body = ApiTokenCreate(name="test")
    token = await wiring.get(PeopleService).create_token(body, actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def run(wiring: Wiring, job_id: str) -> Job:
    await JobRunner(wiring.db, job_handlers(wiring), executor_id="one").run(UUID(job_id))
    async with wiring.db.read() as session:
        return await wiring.queue.get(session, UUID(job_id))


async def test_an_administrator_adds_a_task_under_another_name_and_it_is_playable(
    wiring: Wiring, client: AsyncClient
) -> None:
    admin = await make_user(wiring.db, is_admin=True)
    mine = await headers(wiring, admin)
    asked = await client.post(URL, json={"slug": "feelings"}, headers=mine)
    assert (asked.status_code, asked.json()["name"]) == (202, "gallery.add_task")
    done = await run(wiring, asked.json()["id"])
    assert (done.state, done.error, done.result) == (JobState.DONE, None, {"slug": "feelings"})
    task = await wiring.get(TaskService).get("feelings")
    read = (await client.get("/api/v1/tasks/feelings")).json()
    (round_,) = await wiring.get(RoundService).of_task(task.id)
    (target,) = round_.targets
    tags = await wiring.get(ContextService).tags("feelings", actor=admin)
    answer = await wiring.get(ModelService).predict(
        target.model_id, {"prompt": "مطعم", "statement": "الطعام لذيذ والخدمة ممتازة."}
    )
    assert (read["status"], read["owners"]) == ("active", [admin.username])
    assert round_.status is RoundStatus.OPEN
    assert sum(tag.contexts for tag in tags) >= 30
    assert answer.outputs["label"] == "إيجابي"
    recipes = await wiring.get(TrainingService).recipes("feelings", actor=admin)
    assert recipes[0].name == "text-classifier"

    listed = (await client.get("/api/v1/gallery", headers=mine)).json()
    (entry,) = [one for one in listed if one["name"] == ENTRY]
    assert (entry["title"], entry["material"]) == ("Sentiment in Arabic", "text")
    assert entry["tasks"] == ["feelings"]
    again = await client.post(URL, json={"slug": "feelings"}, headers=mine)
    assert (again.status_code, again.json()["code"]) == (409, "tasks.slug_taken")


async def test_nobody_but_administrators_sees_the_gallery(
    wiring: Wiring, client: AsyncClient
) -> None:
    theirs = await headers(wiring, await make_user(wiring.db))
    for reader, status in (({}, 401), (theirs, 403)):
        assert (await client.get("/api/v1/gallery", headers=reader)).status_code == status
        assert (await client.post(URL, json={}, headers=reader)).status_code == status


async def test_what_cannot_be_added_is_refused_at_once(wiring: Wiring, client: AsyncClient) -> None:
    mine = await headers(wiring, await make_user(wiring.db, is_admin=True))
    taken = await make_task(wiring.db)
    cases = [
        (f"{URL}-of-no-kind", {}, 404, "gallery.entry_not_found"),
        (URL, {"slug": taken.slug}, 409, "tasks.slug_taken"),
        (URL, {"slug": "No Slug"}, 422, None),
    ]
    for url, body, status, code in cases:
        refused = await client.post(url, json=body, headers=mine)
        assert refused.status_code == status
        assert code is None or refused.json()["code"] == code


async def test_the_same_request_twice_is_one_job(wiring: Wiring, client: AsyncClient) -> None:
    mine = await headers(wiring, await make_user(wiring.db, is_admin=True))
    keyed = mine | {"Idempotency-Key": "once"}
    first = await client.post(URL, json={}, headers=keyed)
    second = await client.post(URL, json={}, headers=keyed)
    assert first.json()["id"] == second.json()["id"]


async def test_a_waiting_task_is_not_added_for_whoever_administrates_no_longer(
    wiring: Wiring, client: AsyncClient
) -> None:
    admin = await make_user(wiring.db, is_admin=True)
    asked = await client.post(URL, json={}, headers=await headers(wiring, admin))
    async with wiring.db.transaction() as session:
        await session.execute(update(users).values(is_admin=False))

    refused = await run(wiring, asked.json()["id"])

    assert refused.state is JobState.FAILED
    assert f"{admin.username} asked for this task and is no administrator" in str(refused.error)
    assert (await client.get("/api/v1/tasks")).json() == []


async def test_a_set_up_that_was_stopped_goes_on_where_it_was(
    wiring: Wiring, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await headers(wiring, await make_user(wiring.db, is_admin=True))

    async def stop(*_: object, **__: object) -> None:
        message = "the disk is full"
        raise OSError(message)

    with monkeypatch.context() as patched:
        patched.setattr(RoundService, "open", stop)
        asked = await client.post(URL, json={}, headers=mine)
        assert (await run(wiring, asked.json()["id"])).state is JobState.FAILED
    again = await client.post(URL, json={}, headers=mine)
    assert (await run(wiring, again.json()["id"])).state is JobState.DONE
    task = await wiring.get(TaskService).get(ENTRY)
    rounds = await wiring.get(RoundService).of_task(task.id)
    assert [(one.number, one.status) for one in rounds] == [(1, RoundStatus.OPEN)]
    assert await wiring.get(SetUpService).is_done(task)
