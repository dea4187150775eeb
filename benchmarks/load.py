"""The loads: writing attempts, judging examples, reading the task page."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import uuid4

from benchmarks.seed import LABELS, Scene, sentence
from benchmarks.wire import Connection

_PASSWORD = "measured with care"  # noqa: S105 - an account of a throw-away installation


@dataclass
class Measured:
    """What a load gave: each request's seconds, how many failed, how long it ran."""

    name: str
    clients: int
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wall: float = 0.0

    def quantile(self, share: float) -> float:
        """Return a quantile of the response times, in milliseconds."""
        ordered = sorted(self.seconds)
        if not ordered:
            return float("nan")
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)] * 1000

    @property
    def per_second(self) -> float:
        """Answered requests per second."""
        return len(self.seconds) / self.wall if self.wall else 0.0


async def people(port: int, number: int, *, prefix: str) -> list[Connection]:
    """Make accounts and return a signed-in connection for each."""
    found = []
    for index in range(number):
        connection = Connection(port)
        body = {"username": f"{prefix}-{index}", "password": _PASSWORD}
        answer = await connection.request("POST", "/api/v1/users", body)
        if answer.status == 409:
            answer = await connection.request("POST", "/api/v1/session", body)
        assert answer.status in {200, 201}, answer.body
        token = await _token(port, connection.cookie, index)
        connection.headers["authorization"] = f"Bearer {token}"
        found.append(connection)
    return found


async def _token(port: int, cookie: str, index: int) -> str:
    connection = Connection(port, {"cookie": cookie})
    answer = await connection.request("POST", "/api/v1/users/me/tokens", {"name": f"bench {index}"})
    assert answer.status == 201, answer.body
    found = answer.json()
    assert isinstance(found, dict)
    await connection.close()
    return str(found["secret"])


async def run(
    name: str,
    connections: list[Connection],
    turn: Callable[[Connection, random.Random, Measured], Awaitable[None]],
    *,
    seconds: float,
    turns: int | None = None,
) -> Measured:
    """Have every connection take turns, one after the other, for so many seconds."""
    measured = Measured(name, len(connections))
    ends = time.perf_counter() + seconds

    async def work(connection: Connection, number: int) -> None:
        chance = random.Random(f"{name}/{number}/{time.time_ns()}")
        done = 0
        while time.perf_counter() < ends and (turns is None or done < turns):
            await turn(connection, chance, measured)
            done += 1

    started = time.perf_counter()
    await asyncio.gather(*(work(one, number) for number, one in enumerate(connections)))
    measured.wall = time.perf_counter() - started
    return measured


def submitting(
    scene: Scene,
) -> Callable[[Connection, random.Random, Measured], Awaitable[None]]:
    """Return a turn that writes one attempt."""

    async def submit(connection: Connection, chance: random.Random, measured: Measured) -> None:
        body = {
            "context_id": str(chance.choice(scene.context_ids)),
            "inputs": {"statement": sentence(chance)},
            "answer": {"label": chance.choice(LABELS)},
        }
        path = f"/api/v1/rounds/{scene.round_id}/examples"
        headers = {"idempotency-key": str(uuid4())}
        answer = await connection.request("POST", path, body, **headers)
        if answer.status == 201:
            measured.seconds.append(answer.seconds)
        else:
            measured.errors.append(f"{answer.status} {answer.body[:200]!r}")

    return submit


def validating(
    scene: Scene,
) -> Callable[[Connection, random.Random, Measured], Awaitable[None]]:
    """Return a turn that takes the next example and votes on it: two requests."""

    async def validate(connection: Connection, chance: random.Random, measured: Measured) -> None:
        path = f"/api/v1/rounds/{scene.round_id}/next-to-validate?count=1"
        answer = await connection.request("GET", path)
        if answer.status != 200:
            measured.errors.append(f"next {answer.status} {answer.body[:200]!r}")
            return
        measured.seconds.append(answer.seconds)
        found = answer.json()
        assert isinstance(found, dict)
        if not found["items"]:
            measured.errors.append("nothing left to validate")
            return
        example = found["items"][0]["example_id"]
        vote = "correct" if chance.random() < 0.9 else "incorrect"
        headers = {"idempotency-key": str(uuid4())}
        answer = await connection.request(
            "POST", f"/api/v1/examples/{example}/validations", {"vote": vote}, **headers
        )
        if answer.status == 201:
            measured.seconds.append(answer.seconds)
        else:
            measured.errors.append(f"vote {answer.status} {answer.body[:200]!r}")

    return validate


def reading(
    path: str,
) -> Callable[[Connection, random.Random, Measured], Awaitable[None]]:
    """Return a turn that reads one address."""

    async def read(connection: Connection, chance: random.Random, measured: Measured) -> None:
        del chance
        answer = await connection.request("GET", path)
        if answer.status == 200:
            measured.seconds.append(answer.seconds)
        else:
            measured.errors.append(f"{answer.status} {answer.body[:200]!r}")

    return read
