"""Numbers that change, over real HTTP: what one person writes, another one sees."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx2
import pytest

from dynabench.client.client import DynabenchClient
from tests.factories.contract_scenes import ContractScene, make_contract_scene
from tests.factories.databases import Databases
from tests.factories.examples import unlike_text
from tests.factories.live_servers import live_server

_PASSWORD = "correct horse battery"
_SECONDS = 2.0
_MANY = 50


@pytest.fixture(scope="module")
def scene(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ContractScene]:
    """One installation with an open round, an author and a validator."""
    home = tmp_path_factory.mktemp("live")
    with databases.lend() as database_url, live_server(database_url=database_url, home=home) as url:
        yield make_contract_scene(url, database_url=database_url, home=home)


@pytest.fixture
def author(scene: ContractScene) -> Iterator[DynabenchClient]:
    with DynabenchClient(base_url=scene.url, api_key="") as client:
        client.account.sign_in("ada", _PASSWORD)
        yield client


def _write(author: DynabenchClient, scene: ContractScene) -> None:
    lent = author.rounds.next_context(scene.known["round_id"])
    author.examples.submit(
        scene.known["round_id"],
        context_id=lent.context.id,
        inputs={"hypothesis": unlike_text()},
        answer={"label": "neutral"},
    )


def test_what_is_written_is_seen_within_two_seconds(
    scene: ContractScene, author: DynabenchClient
) -> None:
    with DynabenchClient(base_url=scene.url, api_key="") as visitor:
        watching = visitor.tasks.watch("nli")
        before = next(watching).round
        assert before is not None
        assert before.collection is not None
        _write(author, scene)
        started = time.monotonic()
        after = next(watching).round
        assert time.monotonic() - started < _SECONDS
        assert after is not None
        assert after.collection is not None
    assert after.model_error_rate.whole == before.model_error_rate.whole + 1
    assert after.collection.last_hour.count == before.collection.last_hour.count + 1


def test_fifty_streams_see_it_and_the_server_answers_meanwhile(
    scene: ContractScene, author: DynabenchClient
) -> None:
    arrived: list[float] = []
    with ExitStack() as streams, ThreadPoolExecutor(_MANY) as readers:
        lines = []
        session = _sign_in(scene)
        for number in range(_MANY):
            client = streams.enter_context(httpx2.Client(base_url=scene.url, timeout=20))
            # One person may not have so many.
            if number % 3 == 1:
                client.headers["authorization"] = f"Bearer {scene.token}"
            if number % 3 == 2:
                client.cookies = session
            lines.append(
                streams.enter_context(
                    client.stream("GET", f"/api/v1/rounds/{scene.known['round_id']}/live")
                ).iter_lines()
            )
        for one in lines:
            _next_event(one)
        waiting = [readers.submit(_next_event, one) for one in lines]
        _write(author, scene)
        started = time.monotonic()
        assert httpx2.get(f"{scene.url}/healthz").status_code == 200
        for future in waiting:
            future.result(timeout=20)
            arrived.append(time.monotonic() - started)
    assert max(arrived) < 2 * _SECONDS


def _sign_in(scene: ContractScene) -> httpx2.Cookies:
    body = {"username": "ada", "password": _PASSWORD}
    answer = httpx2.post(f"{scene.url}/api/v1/session", json=body)
    assert answer.is_success
    return answer.cookies


def _next_event(lines: Iterator[str]) -> dict[str, object]:
    for line in lines:
        if line.startswith("data: ") and line != "data: {}":
            found: dict[str, object] = json.loads(line.removeprefix("data: "))
            return found
    message = "the stream ended"
    raise AssertionError(message)
