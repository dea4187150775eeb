"""Reads every promised id back through the API, and looks for what nobody was promised."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from benchmarks.wire import Connection
from tests.stories.chaos.installation import ADMIN, ADMIN_PASSWORD, Scene
from tests.stories.chaos.players import Ledger, Promise

_AT_ONCE = 8
_SENT_IN_AN_EXAMPLE = ("context_id", "inputs", "answer")


async def sign_in_admin(port: int) -> Connection:
    """Return a connection that is signed in as the installation's administrator."""
    admin = Connection(port)
    body = {"username": ADMIN, "password": ADMIN_PASSWORD}
    answer = await admin.request("POST", "/api/v1/session", body)
    assert answer.status == 200, answer.body
    admin.headers["cookie"] = admin.cookie
    return admin


@dataclass
class Audit:
    """How many promised ids were read back as they were sent, and a sentence for the rest."""

    read_back: int = 0
    broken: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)

    def tell(self, *, is_kept: bool, otherwise: str) -> None:
        """Count a promise that is kept, or keep the sentence about one that is not."""
        if is_kept:
            self.read_back += 1
        else:
            self.broken.append(otherwise)


async def read_back(
    ledger: Ledger, *, scene: Scene, people: Sequence[Connection], admin: Connection
) -> Audit:
    """Read every promised id through the API, and look for things nobody asked for."""
    audit = Audit()
    await _examples_as_their_authors(audit, ledger, people)
    await _votes(audit, ledger, admin)
    audit.unasked = await _unasked(ledger, scene, admin)
    return audit


async def _examples_as_their_authors(
    audit: Audit, ledger: Ledger, people: Sequence[Connection]
) -> None:
    """Have every author read their own examples one by one; some authors at once."""
    turn = asyncio.Semaphore(_AT_ONCE)

    async def read_own(number: int) -> None:
        for promise in [one for one in ledger.examples.values() if one.player == number]:
            async with turn:
                answer = await people[number].request("GET", f"/api/v1/examples/{promise.id}")
            stored = answer.json()
            audit.tell(
                is_kept=answer.status == 200
                and isinstance(stored, dict)
                and all(stored[name] == promise.body[name] for name in _SENT_IN_AN_EXAMPLE),
                otherwise=f"example {promise.id} is lost or another: {answer.status} {stored}",
            )

    await asyncio.gather(*(read_own(number) for number in range(len(people))))


async def _votes(audit: Audit, ledger: Ledger, admin: Connection) -> None:
    by_example: dict[str, list[Promise]] = {}
    for promise in ledger.votes.values():
        by_example.setdefault(promise.example_id, []).append(promise)
    for example_id, promises in by_example.items():
        answer = await admin.request("GET", f"/api/v1/examples/{example_id}/outcome")
        outcome = answer.json()
        votes = outcome["votes"] if answer.status == 200 and isinstance(outcome, dict) else []
        stored = {vote["id"]: vote["vote"] for vote in votes}
        for promise in promises:
            audit.tell(
                is_kept=stored.get(promise.id) == promise.body["vote"],
                otherwise=f"vote {promise.id} on {example_id} is lost or another: {answer.status}",
            )


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
