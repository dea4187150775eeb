"""What others wait for while somebody floods the server with bodies, or with half requests."""

import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest

from dynabench.app.server.connections import raise_open_files
from tests.factories.databases import Databases
from tests.factories.live_servers import live_server

pytestmark = pytest.mark.attack

_SECONDS = 20
_HALVES = 1_500


@pytest.fixture(scope="module")
def address(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("home")
    with databases.lend() as url, live_server(database_url=url, home=home) as found:
        yield found


def waits_of_others(address: str, *, seconds: float) -> list[float]:
    """Ask for the list of tasks again and again; returns how long each answer took."""
    found = []
    deadline = time.monotonic() + seconds
    with httpx2.Client(timeout=60) as client:
        while time.monotonic() < deadline:
            started = time.monotonic()
            assert client.get(f"{address}/api/v1/tasks").status_code == 200
            found.append(time.monotonic() - started)
            time.sleep(0.05)
    return found


def worst_body(*, keys: int) -> bytes:
    return json.dumps({f"{number:x}": 1 for number in range(keys)}).encode()


@pytest.mark.parametrize("keys", [5_500, 150_000])
def test_bodies_of_thousands_of_wrong_keys_hold_up_nobody(address: str, keys: int) -> None:
    body, is_over, statuses = worst_body(keys=keys), threading.Event(), set()

    def attack() -> None:
        with httpx2.Client(timeout=60) as client:
            while not is_over.is_set():
                answer = client.post(f"{address}/api/v1/session", content=body)
                statuses.add(answer.status_code)
                assert len(answer.content) < 10_000

    attackers = [threading.Thread(target=attack) for _ in range(4)]
    for attacker in attackers:
        attacker.start()
    waits = waits_of_others(address, seconds=_SECONDS)
    is_over.set()
    for attacker in attackers:
        attacker.join()

    assert statuses <= {413, 422}
    assert statistics.median(waits) < 1
    assert max(waits) < 3


def test_a_thousand_half_requests_hold_up_nobody_and_are_gone_soon(address: str) -> None:
    if raise_open_files() < 2 * _HALVES + 200:
        pytest.skip("this account may not open so many files")
    host, _, port = address.removeprefix("http://").partition(":")
    halves = [socket.create_connection((host, int(port))) for _ in range(_HALVES)]
    for half in halves:
        half.sendall(b"GET /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\n")

    waits = waits_of_others(address, seconds=25)

    assert max(waits) < 3
    for half in halves:
        half.settimeout(1)
        assert half.recv(1_000).startswith(b"HTTP/1.1 408")
        half.close()
