"""How often requests are taken, asked through the whole application's door."""

import json
from collections.abc import Mapping

import pytest
from httpx2 import ASGITransport, AsyncClient, Response
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dynabench.app.server.identity import Identity
from dynabench.app.server.request_rates import REQUEST_RATES, RequestRates
from dynabench.kit.addresses import LOOPBACK, AddressSet
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.rate_limits.values import STANDARD, RateLimit, RateLimits, RateName
from dynabench.people.authentication.service import Authenticator
from dynabench.people.schemas import ApiTokenCreate
from tests.conftest import HeldClock
from tests.factories.people import People, make_user
from tools.generate import openapi_text

pytestmark = pytest.mark.anyio

_ATTEMPT = "/api/v1/rounds/1/examples"
_FEW: RateLimits = {name: RateLimit(name, 3, 60) for name in RateName}


async def _answer(_: Request) -> PlainTextResponse:
    return PlainTextResponse("done")


class Door:
    """The rates of one server process before a route that does nothing."""

    def __init__(
        self, database: Database, clock: Clock, *, limits: RateLimits = _FEW, hosts: str = ""
    ) -> None:
        application = Starlette(
            routes=[Route("/{path:path}", _answer, methods=["GET", "POST", "DELETE"])]
        )
        self._app = RequestRates(
            application,
            limiter=RateLimiter(database, clock, limits=limits),
            identify=Identity(Authenticator(database, clock)),
            unlimited=AddressSet(hosts.split()),
        )

    async def ask(
        self,
        method: str = "GET",
        path: str = "/api/v1/tasks",
        *,
        address: str = "192.0.2.7",
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        transport = ASGITransport(app=self._app, client=(address, 1))
        async with AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, path, headers=dict(headers or {}))

    async def let_through(self, *, tries: int, method: str = "GET", **how: object) -> int:
        answers = [await self.ask(method, **how) for _ in range(tries)]  # type: ignore[arg-type]
        return [answer.status_code for answer in answers].count(200)


async def token_of(database: Database, clock: Clock, name: str) -> dict[str, str]:
    people = People.over(database, clock)
    actor = await make_user(database, username=name)
    made = await people.service.create_token(ApiTokenCreate(name="program"), actor=actor)
    return {"authorization": f"Bearer {made.secret}"}


async def test_who_asks_too_often_is_told_when_to_come_back(
    database: Database, clock: HeldClock
) -> None:
    door = Door(database, clock)
    assert await door.let_through(tries=3) == 3

    refused = await door.ask()

    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "20"
    assert refused.json()["code"] == "request.too_often"
    assert refused.json()["facts"] == {"limit": "visitor_reads", "seconds": 20}
    assert refused.json()["detail"].endswith("Try again in 20 seconds.")
    clock.advance(seconds=20)
    assert (await door.ask()).status_code == 200


async def test_visitors_are_counted_by_address(database: Database, clock: HeldClock) -> None:
    door = Door(database, clock)
    await door.let_through(tries=4)

    assert await door.let_through(tries=4, address="192.0.2.8") == 3
    assert await door.let_through(tries=4, address="2001:db8::1") == 3
    assert await door.let_through(tries=4, address="2001:db8::ffff") == 0


async def test_people_are_counted_by_themselves_wherever_they_are(
    database: Database, clock: HeldClock
) -> None:
    door = Door(database, clock)
    ada, grace = await token_of(database, clock, "ada"), await token_of(database, clock, "grace")
    assert await door.let_through(tries=4, headers=ada) == 3

    assert (await door.ask(headers=ada, address="192.0.2.99")).status_code == 429
    assert await door.let_through(tries=4, headers=grace) == 3
    assert await door.let_through(tries=4) == 3


async def test_wrong_secrets_are_counted_as_a_visitor_s(
    database: Database, clock: HeldClock
) -> None:
    door = Door(database, clock)

    assert await door.let_through(tries=9, headers={"authorization": "Bearer dyb_not-a-token"}) == 3
    assert await door.let_through(tries=1) == 0


async def test_reads_attempts_and_votes_have_rates_of_their_own(
    database: Database, clock: HeldClock
) -> None:
    door = Door(database, clock)
    ada = await token_of(database, clock, "ada")
    await door.let_through(tries=4, headers=ada)

    assert await door.let_through(tries=4, method="POST", path=_ATTEMPT, headers=ada) == 3
    votes = "/api/v1/examples/1/validations"
    assert await door.let_through(tries=4, method="POST", path=votes, headers=ada) == 3


async def test_a_round_takes_no_more_than_its_models_bear(
    database: Database, clock: HeldClock
) -> None:
    limits = {**STANDARD, RateName.ROUND_ATTEMPTS: RateLimit(RateName.ROUND_ATTEMPTS, 3, 60)}
    door = Door(database, clock, limits=limits)
    for name in ("ada", "grace", "alan"):
        headers = await token_of(database, clock, name)
        assert await door.let_through(tries=1, method="POST", path=_ATTEMPT, headers=headers) == 1

    refused = await door.ask("POST", _ATTEMPT, headers=headers)

    assert refused.json()["facts"]["limit"] == "round_attempts"
    other = "/api/v1/rounds/2/examples"
    assert (await door.ask("POST", other, headers=headers)).status_code == 200


async def test_all_server_processes_count_together(database: Database, clock: HeldClock) -> None:
    doors = [Door(database, clock) for _ in range(3)]

    assert sum([await door.let_through(tries=3) for door in doors]) == 3


async def test_this_machine_is_not_counted_unless_it_passes_others_on(
    database: Database, clock: HeldClock
) -> None:
    door = Door(database, clock, hosts=" ".join(LOOPBACK))
    ada = await token_of(database, clock, "ada")
    passed_on = {"x-forwarded-for": "192.0.2.7"}
    assert await door.let_through(tries=9, address="127.0.0.1", headers=ada) == 9

    assert await door.let_through(tries=9, address="127.0.0.1", headers=passed_on) == 9
    assert await door.let_through(tries=9, address="127.0.0.1", headers={**ada, **passed_on}) == 3
    forged = {"x-forwarded-for": "127.0.0.1"}
    assert await door.let_through(tries=9, headers=forged) == 3


async def test_the_page_s_files_are_not_counted(database: Database, clock: HeldClock) -> None:
    door = Door(database, clock)

    assert await door.let_through(tries=20, path="/assets/index.js") == 20


async def test_a_class_behind_one_address_meets_no_limit(
    database: Database, clock: HeldClock
) -> None:
    """Forty open a page, sign up, and write as fast as people can for a minute."""
    door = Door(database, clock, limits=STANDARD)
    pupils = [await token_of(database, clock, f"pupil-{number}") for number in range(40)]

    assert await door.let_through(tries=40 * 20) == 40 * 20
    assert await door.let_through(tries=80, method="POST", path="/api/v1/session") == 80
    assert await door.let_through(tries=240, method="POST", path="/api/v1/tasks/nli/tries") == 240
    for pupil in pupils:
        assert await door.let_through(tries=10, method="POST", path=_ATTEMPT, headers=pupil) == 10
        assert await door.let_through(tries=30, headers=pupil) == 30


def test_every_route_with_a_rate_of_its_own_exists() -> None:
    routes = {
        f"{method.upper()} {path}"
        for path, operations in json.loads(openapi_text())["paths"].items()
        for method in operations
    }

    assert set(REQUEST_RATES.entries) <= routes
