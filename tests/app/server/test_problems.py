"""What a wrong request is told, and that telling it costs little."""

import json

import pytest
from fastapi import APIRouter, FastAPI
from httpx2 import ASGITransport, AsyncClient

from dynabench.app.server.bodies import BodyLimit
from dynabench.app.server.guard import RequestGuard
from dynabench.app.server.host_names import HostNames
from dynabench.app.server.problems import install_problem_handlers
from dynabench.people.schemas import SignIn

pytestmark = pytest.mark.anyio

router = APIRouter()


@router.post("/api/v1/session")
async def take(body: SignIn) -> str:
    return body.username


@pytest.fixture
def client() -> AsyncClient:
    application = FastAPI(routes=list(router.routes))
    install_problem_handlers(application)
    application.add_middleware(RequestGuard, hosts=HostNames(frozenset({"here"})))
    return AsyncClient(transport=ASGITransport(app=application), base_url="http://here")


async def test_twenty_problems_are_told_and_the_rest_counted(client: AsyncClient) -> None:
    body = {f"key{number}": "x" * 50 for number in range(500)}

    answer = await client.post("/api/v1/session", json=body)

    assert answer.status_code == 422
    assert len(answer.json()["fields"]) == 20
    assert answer.json()["facts"] == {"problems": 502}


async def test_a_wrong_name_of_any_length_is_told_in_brief(client: AsyncClient) -> None:
    answer = await client.post("/api/v1/session", json={"x" * 50_000: 1})

    assert len(answer.content) < 2_000


async def test_the_worst_body_that_is_read_costs_little(client: AsyncClient) -> None:
    """Where 1.7 MB of keys took seconds of the one thread that answers everybody."""
    keys = ",".join(f'"{number:x}":1' for number in range(9_000))
    body = f"{{{keys}}}"[: BodyLimit.FORM]
    body = body[: body.rindex(",")] + "}"
    assert json.loads(body)

    answer = await client.post("/api/v1/session", content=body)

    assert answer.status_code == 422
    assert len(answer.content) < 10_000


async def test_more_keys_than_that_are_not_read(client: AsyncClient) -> None:
    body = {f"key{number}": number for number in range(150_000)}

    answer = await client.post("/api/v1/session", content=json.dumps(body))

    assert answer.status_code == 413
