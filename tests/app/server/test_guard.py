from collections.abc import Mapping

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dynabench.app.server.guard import MAX_BODY_BYTES, RequestGuard

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def ask(method: str, headers: Mapping[str, str], *, content: bytes = b"") -> Response:
    application = Starlette(routes=[Route("/api/v1/things", _echo, methods=["GET", "POST"])])
    guarded = RequestGuard(application, upload_paths=lambda path: path.endswith("/contexts"))
    transport = ASGITransport(app=guarded)
    async with AsyncClient(transport=transport, base_url="http://here") as client:
        return await client.request(
            method, "/api/v1/things", headers=dict(headers), content=content
        )


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "https://elsewhere.example", "cookie": "dynabench_session=secret"},
    ],
)
async def test_another_site_s_page_changes_nothing(headers: dict[str, str]) -> None:
    refused = await ask("POST", headers)

    assert refused.status_code == 403
    assert refused.json()["code"] == "request.from_another_site"
    assert (await ask("GET", headers)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin", "origin": "http://here"},
        {"sec-fetch-site": "none"},
        {"origin": "http://here"},
    ],
)
async def test_the_own_page_and_programs_are_let_in(headers: dict[str, str]) -> None:
    assert (await ask("POST", headers)).status_code == 200


async def test_every_answer_has_an_id_and_is_not_to_be_kept() -> None:
    first, second = await ask("GET", {}), await ask("GET", {})

    assert first.headers["cache-control"] == "no-store"
    assert len({one.headers["x-request-id"] for one in (first, second)}) == 2


async def test_a_body_that_is_announced_as_too_large_is_not_read() -> None:
    refused = await ask("POST", {}, content=b"x" * (MAX_BODY_BYTES + 1))

    assert refused.status_code == 413
    assert refused.json()["code"] == "request.too_large"
    assert (await ask("POST", {}, content=b"x" * 10)).text == "10"


@pytest.mark.parametrize(
    ("path", "frames"),
    [
        ("/embed/tasks/nli/leaderboard", "frame-ancestors *"),
        ("/tasks/nli/leaderboard", "frame-ancestors 'none'"),
        ("/embed", "frame-ancestors 'none'"),
        ("/api/v1/embed/", "frame-ancestors 'none'"),
    ],
)
async def test_embedded_boards_alone_may_stand_in_frames(path: str, frames: str) -> None:
    guarded = RequestGuard(Starlette(), upload_paths=lambda _: False)
    async with AsyncClient(transport=ASGITransport(app=guarded), base_url="http://here") as client:
        answer = await client.get(path)

    assert answer.headers["content-security-policy"].endswith(frames)
