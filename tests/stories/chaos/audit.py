"""Reads every promised id back through the API, and looks for what nobody was promised."""

import asyncio
import json
from collections.abc import Sequence
from urllib.parse import quote

from benchmarks.wire import Connection
from tests.stories.chaos.installation import ADMIN, ADMIN_PASSWORD, Scene
from tests.stories.chaos.players import Ledger, Promise

_AT_ONCE = 8


async def sign_in_admin(port: int) -> Connection:
    """Return a connection that is signed in as the installation's administrator."""
    admin = Connection(port)
    body = {"username": ADMIN, "password": ADMIN_PASSWORD}
    answer = await admin.request("POST", "/api/v1/session", body)
    assert answer.status == 200, answer.body
    admin.headers["cookie"] = admin.cookie
    return admin


async def read_back(
    ledger: Ledger, *, scene: Scene, people: Sequence[Connection], admin: Connection
) -> list[str]:
    """Return a sentence for each promise that is not kept, and each thing nobody asked for."""
    found = await _examples_as_their_authors(ledger, people)
    found += await _votes(ledger, admin)
    found += await _unasked(ledger, scene, admin)
    return found


async def _examples_as_their_authors(ledger: Ledger, people: Sequence[Connection]) -> list[str]:
    """Have every author read their own examples one by one; some authors at once."""
    found: list[str] = []
    turn = asyncio.Semaphore(_AT_ONCE)

    async def read_own(number: int) -> None:
        for promise in [one for one in ledger.examples.values() if one.player == number]:
            async with turn:
                answer = await people[number].request("GET", f"/api/v1/examples/{promise.id}")
            stored = answer.json()
            if answer.status != 200 or not isinstance(stored, dict):
                found.append(f"example {promise.id} is lost: {answer.status}")
            elif any(stored[name] != promise.body[name] for name in ("inputs", "answer")):
                found.append(f"example {promise.id} is not what was sent: {stored}")

    await asyncio.gather(*(read_own(number) for number in range(len(people))))
    return found


async def _votes(ledger: Ledger, admin: Connection) -> list[str]:
    found: list[str] = []
    by_example: dict[str, list[Promise]] = {}
    for promise in ledger.votes.values():
        by_example.setdefault(promise.example_id, []).append(promise)
    for example_id, promises in by_example.items():
        answer = await admin.request("GET", f"/api/v1/examples/{example_id}/outcome")
        outcome = answer.json()
        if answer.status != 200 or not isinstance(outcome, dict):
            found.append(f"the votes on {example_id} are lost: {answer.status}")
            continue
        votes = {vote["id"]: vote["vote"] for vote in outcome["votes"]}
        found += [
            f"vote {promise.id} on {example_id} is lost or another"
            for promise in promises
            if votes.get(promise.id) != promise.body["vote"]
        ]
    return found


async def _unasked(ledger: Ledger, scene: Scene, admin: Connection) -> list[str]:
    """Compare all that is stored with all that was promised: every key came to its end."""
    stored_examples: set[str] = set()
    stored_votes: set[str] = set()
    cursor: object = ""
    while cursor is not None:
        query = f"?cursor={quote(str(cursor))}" if cursor else ""
        answer = await admin.request("GET", f"/api/v1/rounds/{scene.round_id}/outcomes{query}")
        assert answer.status == 200, answer.body
        page = json.loads(answer.body)
        stored_examples |= {item["example"]["id"] for item in page["items"]}
        stored_votes |= {vote["id"] for item in page["items"] for vote in item["votes"]}
        cursor = page["next_cursor"]
    return [
        f"{len(unasked)} {what} are stored that no client was told of: {sorted(unasked)[:3]}"
        for what, unasked in (
            ("examples", stored_examples - ledger.examples.keys()),
            ("votes", stored_votes - ledger.votes.keys()),
        )
        if unasked
    ]
