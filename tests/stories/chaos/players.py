"""People who write and vote without pause, and a ledger of everything they were promised."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from uuid import uuid4

from benchmarks.seed import LABELS, sentence
from benchmarks.wire import Answer, Connection
from tests.stories.chaos.installation import Scene

_PATIENCE_SECONDS = 20.0
_PAUSE_SECONDS = 0.1
_SAY_IT_TWICE = 0.05
_TRY_AGAIN = frozenset({429, 503})
# The next person was faster, or the text came back to a reader after its lease ran out.
# A lease that a crash undid is lent anew.
_NOT_WANTED = frozenset({"validations.not_waiting", "validations.not_lent"})


@dataclass(frozen=True)
class Promise:
    """Something that was answered with 2xx, and what was sent for it."""

    id: str
    player: int
    body: dict[str, object]
    example_id: str


@dataclass
class Ledger:
    """What was promised, under which key, and what went wrong for the people."""

    examples: dict[str, Promise] = field(default_factory=dict)
    votes: dict[str, Promise] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def promises(self) -> int:
        """How many ids were given out."""
        return len(self.examples) + len(self.votes)


class Player:
    """One client: half of its turns writes an attempt, half judges somebody else's."""

    def __init__(
        self, connection: Connection, number: int, *, scene: Scene, ledger: Ledger
    ) -> None:
        self._connection = connection
        self._number = number
        self._scene = scene
        self._ledger = ledger
        # Texts differ between people and runs; nothing secret hangs on them.
        self._chance = random.Random(f"{scene.round_id}/{number}")

    async def play(self, until: asyncio.Event) -> None:
        """Take turns until told to stop; a turn that was begun is brought to its end."""
        while not until.is_set():
            if self._chance.random() < 0.5:
                await self._write()
            else:
                await self._judge()
        await self._connection.close()

    async def _write(self) -> None:
        body: dict[str, object] = {
            "context_id": self._chance.choice(self._scene.context_ids),
            "inputs": {"statement": sentence(self._chance)},
            "answer": {"label": self._chance.choice(LABELS)},
        }
        path = f"/api/v1/rounds/{self._scene.round_id}/examples"
        await self._create(path, body, kept=self._ledger.examples, example_id="")

    async def _judge(self) -> None:
        path = f"/api/v1/rounds/{self._scene.round_id}/next-to-validate?count=1"
        answer = await self._persist("GET", path)
        if answer.status != 200:
            self._fault("next-to-validate", answer)
            return
        items = _json(answer)["items"]
        if not isinstance(items, list) or not items:
            await asyncio.sleep(_PAUSE_SECONDS)
            return
        example_id = str(items[0]["example_id"])
        vote = "correct" if self._chance.random() < 0.8 else "incorrect"
        await self._create(
            f"/api/v1/examples/{example_id}/validations",
            {"vote": vote},
            kept=self._ledger.votes,
            example_id=example_id,
        )

    async def _create(
        self, path: str, body: dict[str, object], *, kept: dict[str, Promise], example_id: str
    ) -> None:
        """Create something under one key, however often that takes."""
        key = str(uuid4())
        answer = await self._persist("POST", path, body, key=key)
        if answer.status != 201:
            if _json(answer).get("code") not in _NOT_WANTED:
                self._fault(path, answer)
            return
        created = str(_json(answer)["id"])
        if created in kept:
            self._ledger.faults.append(f"{created} was made by two keys")
        kept[created] = Promise(created, self._number, body, example_id)
        if self._chance.random() < _SAY_IT_TWICE:
            again = await self._persist("POST", path, body, key=key)
            if again.status != 201 or _json(again)["id"] != created:
                self._fault(f"{path} said twice", again)

    async def _persist(
        self, method: str, path: str, body: object = None, *, key: str | None = None
    ) -> Answer:
        """Send a request until it is answered with more than "try again"."""
        headers = {"idempotency-key": key} if key else {}
        while True:
            try:
                answer = await asyncio.wait_for(
                    self._connection.request(method, path, body, **headers), _PATIENCE_SECONDS
                )
            except (OSError, EOFError, TimeoutError) as error:
                # Nobody knows whether it was stored; the same key finds out.
                self._ledger.seen[type(error).__name__] += 1
                await self._connection.close()
            else:
                self._ledger.seen[str(answer.status)] += 1
                if answer.status not in _TRY_AGAIN:
                    return answer
            await asyncio.sleep(_PAUSE_SECONDS)

    def _fault(self, what: str, answer: Answer) -> None:
        self._ledger.faults.append(f"{what}: {answer.status} {answer.body[:300]!r}")


def _json(answer: Answer) -> dict[str, object]:
    found = answer.json()
    assert isinstance(found, dict)
    return found
