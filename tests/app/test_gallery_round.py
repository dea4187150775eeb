"""A round of a gallery task from its first example to the scores of the next model."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from httpx2 import ASGITransport, AsyncClient

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring, job_handlers, wire
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.people.schemas import ApiTokenCreate
from dynabench.people.service import PeopleService
from tests.factories.people import make_user

# Responses are JSON, which these stories read without declaring its shape again.
Json = dict[str, Any]
WriteExample = Callable[[int], tuple[Json, Json]]
EXAMPLES = 16
TOWNS = ("Abel", "Bera", "Cole", "Dorn", "Eska")
VERBS = ("admire", "avoid", "remember", "mention")


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path) -> AsyncIterator[Wiring]:
    made = wire(Settings(database_url=database_url, home=tmp_path))
    yield made
    await made.close()


@dataclass(frozen=True)
class Desk:
    """Where one person asks the server."""

    client: AsyncClient
    headers: Mapping[str, str]

    async def ask(self, path: str, body: object = None) -> Any:
        method = "GET" if body is None else "POST"
        answer = await self.client.request(
            method, f"/api/v1{path}", json=body, headers=self.headers
        )
        assert answer.is_success, answer.text
        return answer.json()


@pytest.fixture
async def client(wiring: Wiring) -> AsyncIterator[AsyncClient]:
    application = create_application(wiring, fold_in_background=False)
    transport = ASGITransport(app=application)
    async with AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


async def desk_of(wiring: Wiring, client: AsyncClient, actor: Actor) -> Desk:
    token = await wiring.get(PeopleService).create_token(ApiTokenCreate(name="t"), actor=actor)
    return Desk(client, {"Authorization": f"Bearer {token.secret}"})


async def do_all_jobs(wiring: Wiring) -> None:
    """Be the worker until nothing waits."""
    runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="one")
    while True:
        async with wiring.db.read() as session:
            waiting = await wiring.queue.list_jobs(session, states=[JobState.QUEUED])
        if not waiting:
            break
        for job in waiting:
            await runner.run(job.id)
    async with wiring.db.read() as session:
        failed = await wiring.queue.list_jobs(session, states=[JobState.FAILED])
    assert [job.error for job in failed] == []


def hate_targets(number: int) -> tuple[Json, Json]:
    town, verb = TOWNS[number % len(TOWNS)], VERBS[number // len(TOWNS)]
    text = f"Nobody should {verb} the folk of {town}, they ruin number {number * 7919}."
    start = text.index("the folk")
    name = f"the folk of {town}"
    span = {"text": name, "start": start, "end": start + len(name), "label": "people"}
    return {"statement": text}, {"targets": [span] if number % 8 else []}


def translation(number: int) -> tuple[Json, Json]:
    town, verb = TOWNS[number % len(TOWNS)], VERBS[number // len(TOWNS)]
    return (
        {"sentence": f"Do you {verb} the {number * 7919} bells of {town}?"},
        {"translation": f"Las campanas de {town} son las {number * 7919}."},
    )


@pytest.mark.parametrize(
    ("name", "example", "metric"),
    [
        ("hate-targets", hate_targets, "exact_match"),
        ("translation-spanish", translation, "chrf_pp"),
    ],
)
async def test_what_a_round_brings_is_released_trained_on_and_scored(
    wiring: Wiring, client: AsyncClient, name: str, example: WriteExample, metric: str
) -> None:
    admin = await make_user(wiring.db, is_admin=True)
    folder = CatalogFolder(f"gallery/{name}")
    await wiring.get(SetUpService).set_up(folder, name, owner=admin)
    owner = await desk_of(wiring, client, admin)
    round_id = (await owner.ask(f"/tasks/{name}/current-round"))["round"]["id"]
    fooling = await write_all(wiring, client, round_id, example)
    decided = {"example_ids": fooling, "vote": "correct"}
    await owner.ask(f"/rounds/{round_id}/expert-decisions", decided)
    await owner.ask(f"/rounds/{round_id}/close", {})
    await owner.ask(f"/rounds/{round_id}/release", {})
    await do_all_jobs(wiring)
    versions = await owner.ask(f"/tasks/{name}/datasets")
    (version,) = [one for one in versions if one["origin"] == "release"]
    order = {"name": "second", "dataset_version_ids": [version["id"]]}
    await owner.ask(f"/tasks/{name}/trainings", order)
    await do_all_jobs(wiring)
    scores: list[Mapping[str, Any]] = await owner.ask(f"/tasks/{name}/scores")
    found = {(one["model_name"], one["split"]): one for one in scores if one["metric"] == metric}
    assert {model for model, _ in found} == {"starter", "second"}
    assert all(one["failed_items"] == 0 and one["value"] is not None for one in found.values())
    first, second = found["starter", "test"], found["second", "test"]
    assert second["value"] >= first["value"]


async def write_all(
    wiring: Wiring, client: AsyncClient, round_id: str, example: WriteExample
) -> list[str]:
    """Have two annotators write, each on their own contexts; returns what fooled the target."""
    fooling: list[str] = []
    for half in range(2):
        annotator = await desk_of(wiring, client, await make_user(wiring.db))
        for number in range(half, EXAMPLES, 2):
            lent = await annotator.ask(f"/rounds/{round_id}/next-context", {})
            inputs, answer = example(number)
            body = {"context_id": lent["context"]["id"], "inputs": inputs, "answer": answer}
            made = await annotator.ask(f"/rounds/{round_id}/examples", body)
            fooling += [made["id"]] if made["fooled"] else []
    return fooling
