import json
from collections.abc import AsyncIterator, Callable, Mapping

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dynabench.app.server.bodies import (
    BODY_LIMITS,
    BodyLimit,
    body_limit,
)
from dynabench.app.server.guard import RequestGuard
from dynabench.app.server.host_names import HostNames
from dynabench.kit.intricate_json import MOST_DEPTH, MOST_VALUES, is_intricate
from dynabench.kit.settings import Settings
from tools.generate import openapi_text

_HERE = HostNames(frozenset({"here"}))

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def ask(
    method: str,
    headers: Mapping[str, str],
    *,
    content: bytes | AsyncIterator[bytes] = b"",
    path: str = "/api/v1/things",
    guard: Callable[[Starlette], RequestGuard] = lambda app: RequestGuard(app, hosts=_HERE),
) -> Response:
    application = Starlette(routes=[Route("/{path:path}", _echo, methods=["GET", "POST", "PUT"])])
    transport = ASGITransport(app=guard(application))
    async with AsyncClient(transport=transport, base_url="http://here") as client:
        return await client.request(method, path, headers=dict(headers), content=content)


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
    refused = await ask("POST", {}, content=b"x" * (BodyLimit.FORM + 1))

    assert refused.status_code == 413
    assert refused.json()["code"] == "request.too_large"
    assert (await ask("POST", {}, content=b"x" * 10)).text == "10"


async def _in_pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(0, size, 1_000):
        yield b"x" * 1_000


async def test_a_body_that_is_not_announced_is_not_read_to_its_end() -> None:
    refused = await ask("POST", {}, content=_in_pieces(BodyLimit.FORM + 1_000))

    assert refused.status_code == 413
    assert refused.json()["facts"] == {"limit_bytes": BodyLimit.FORM}


@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("POST", "/api/v1/session", BodyLimit.FORM),
        ("POST", "/api/v1/users", BodyLimit.FORM),
        ("PATCH", "/api/v1/users/me", BodyLimit.FORM),
        ("POST", "/api/v1/task-config-checks", BodyLimit.TEXTS),
        ("POST", "/api/v1/rounds/1234/examples", BodyLimit.TEXTS),
        ("GET", "/api/v1/rounds/1234/examples", BodyLimit.FORM),
        ("POST", "/api/v1/rounds/1234/examples/more", BodyLimit.FORM),
        ("POST", "/api/v1/tasks/nli/contexts", BodyLimit.UPLOAD),
        ("PUT", "/api/v1/models/1/predictions/2", BodyLimit.FILE),
        ("PUT", "/api/v1/models/1/artifact", BodyLimit.FILE),
        ("POST", "/api/v1/unknown", BodyLimit.FORM),
    ],
)
def test_a_route_takes_what_it_needs(method: str, path: str, limit: BodyLimit) -> None:
    assert body_limit(method=method, path=path) is limit


def test_every_route_with_a_limit_of_its_own_exists() -> None:
    routes = {
        f"{method.upper()} {path}"
        for path, operations in json.loads(openapi_text())["paths"].items()
        for method in operations
    }

    assert set(BODY_LIMITS.entries) <= routes


async def test_what_is_read_in_pieces_reaches_its_route_in_pieces() -> None:
    path = "/api/v1/tasks/nli/contexts"

    assert (await ask("POST", {}, content=_in_pieces(300_000), path=path)).text == "300000"


@pytest.mark.parametrize(
    "body",
    [
        b"[" * (MOST_DEPTH + 1),
        b'{"a":' * (MOST_DEPTH + 1),
        b"[" + b"1," * (MOST_VALUES + 1) + b"1]",
        b"[" + b"[]" * (MOST_VALUES + 1) + b"]",
        b'["\\"",' + b"1," * (MOST_VALUES + 1) + b"1]",
    ],
)
async def test_json_of_too_many_values_is_not_parsed(body: bytes) -> None:
    assert is_intricate(body)
    refused = await ask("POST", {}, content=body)
    assert refused.status_code == 422
    assert refused.json()["code"] == "request.too_intricate"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"text": "' + b"[{," * 20_000 + b'"}',
        b'{"text": "' + b'\\"[' * 20_000 + b'"}',
        b"[" + b"[]," * 200 + b"[]]",
        b'{"text": "' + b"[," * 20_000,
    ],
)
def test_texts_may_hold_what_they_like(body: bytes) -> None:
    assert not is_intricate(body)


def test_brackets_in_a_text_that_never_ends_are_no_nesting() -> None:
    worst = b'{"text": ' + b'\\"' * 500_000 + b"[" * 60

    assert not is_intricate(worst)


@pytest.mark.parametrize(
    ("host", "is_known"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("LOCALHOST.", True),
        ("dyna.localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.0.2.7", True),
        ("bench.example.org", True),
        ("more.example.net", True),
        ("below.many.example.com", True),
        ("many.example.com", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("evillocalhost", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
async def test_only_names_of_this_server_are_answered(host: str, *, is_known: bool) -> None:
    settings = Settings(
        public_url="https://bench.example.org",
        allowed_hosts=("more.example.net", ".many.example.com"),
    )

    def guard(app: Starlette) -> RequestGuard:
        return RequestGuard(app, hosts=HostNames.of(settings))

    for method in ("GET", "POST"):
        answer = await ask(method, {"host": host}, guard=guard)
        assert answer.status_code == (200 if is_known else 421)
    if not is_known:
        assert answer.json()["code"] == "request.unknown_host"
    assert (await ask("GET", {"host": host}, guard=guard, path="/healthz")).status_code == 200


async def test_browsers_are_told_to_stay_with_https() -> None:
    def encrypted(app: Starlette) -> RequestGuard:
        return RequestGuard(app, hosts=_HERE, is_https=True)

    assert "strict-transport-security" not in (await ask("GET", {})).headers
    told = (await ask("GET", {}, guard=encrypted)).headers["strict-transport-security"]
    assert told == "max-age=31536000"


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
    guarded = RequestGuard(Starlette(), hosts=_HERE)
    async with AsyncClient(transport=ASGITransport(app=guarded), base_url="http://here") as client:
        answer = await client.get(path)

    assert answer.headers["content-security-policy"].endswith(frames)
