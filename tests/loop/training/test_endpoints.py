"""Routes of evaluations and training over HTTP."""

from collections.abc import AsyncIterator

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.evaluations.endpoints import router as evaluation_router
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.training.endpoints import router
from dynabench.loop.training.service import TrainingService
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.models import make_model
from tests.factories.people import People, make_user
from tests.factories.tasks import add_member, make_task


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
async def client(database: Database, clock: Clock, people: People) -> AsyncIterator[AsyncClient]:
    later = LaterChapters.over(database, clock)
    services: dict[type[object], object] = {
        EvaluationService: later.evaluations,
        TrainingService: later.training,
    }
    async with make_client(
        router, evaluation_router, services=services, authenticator=people.authenticator
    ) as client:
        yield client


async def headers(people: People, actor: Actor) -> dict[str, str]:
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def test_an_evaluation_is_asked_for_by_owners(
    client: AsyncClient, people: People, database: Database, clock: Clock
) -> None:
    task = await make_task(database)
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    model = await make_model(database, task)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    url = f"/api/v1/models/{model.id}/evaluations"
    body = {"dataset_version_id": str(version.id)}
    mine, theirs = await headers(people, owner), await headers(people, stranger)
    asked = await client.post(url, json=body, headers=mine)
    assert (asked.status_code, asked.json()["name"]) == (202, "evaluations.evaluate")
    assert (await client.post(url, json=body)).status_code == 401
    assert (await client.post(url, json=body, headers=theirs)).status_code == 403
    foreign = {"dataset_version_id": str(task.id)}
    assert (await client.post(url, json=foreign, headers=mine)).status_code == 404
    assert (await client.get(f"/api/v1/tasks/{task.slug}/scores")).json() == []
    assert (await client.get("/api/v1/tasks/none/scores")).status_code == 404


async def test_a_training_is_asked_for_by_owners(
    client: AsyncClient, people: People, database: Database
) -> None:
    task = await make_task(database)
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    url = f"/api/v1/tasks/{task.slug}/trainings"
    mine, theirs = await headers(people, owner), await headers(people, stranger)
    refused = await client.post(url, json={"name": "m"}, headers=mine)
    assert (refused.status_code, refused.json()["code"]) == (422, "training.no_data")
    unknown = await client.post(url, json={"name": "m", "recipe": "magic"}, headers=mine)
    assert unknown.json()["code"] == "training.recipe_unknown"
    assert (await client.post(url, json={"name": "m"})).status_code == 401
    assert (await client.post(url, json={"name": "m"}, headers=theirs)).status_code == 403
    recipes = await client.get(f"/api/v1/tasks/{task.slug}/recipes")
    assert [one["name"] for one in recipes.json()] == [
        "text-classifier",
        "majority",
        "transformers",
    ]
