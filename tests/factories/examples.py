"""Attempts for tests, submitted through the services as a page would submit them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.errors import TargetTimeoutError, TargetUnavailableError
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    TargetModel,
    TargetSpec,
)
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import RequestKey
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.values import Context
from dynabench.loop.examples.schemas import ExampleCreate, ExampleRead
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.tasks.values import Task
from tests.factories.contexts import make_context
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG, make_task

LABELS = ("entailment", "neutral", "contradiction")

_numbers = count(1)
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu")


def unlike_text() -> str:
    """Return a text that resembles no other one of the test."""
    number = next(_numbers) * 7919
    words = []
    for place in range(6):
        digits = f"{(number * (place + 3)) ** 3 % 10**6:06d}"
        words.append("".join(_SYLLABLES[int(digit)] for digit in digits))
    return " ".join(words)


def _led(model_input: ModelInput) -> Mapping[str, object]:
    text = str(model_input["hypothesis"])
    found = sorted((text.find(label), label) for label in LABELS if label in text)
    return {"label": found[0][1] if found else "neutral"}


def _dead(model_input: ModelInput) -> Mapping[str, object]:
    del model_input
    raise TargetUnavailableError(name="dead", reason="its process ended.")


def _hanging(model_input: ModelInput) -> Mapping[str, object]:
    del model_input
    raise TargetTimeoutError(name="hanging", timeout_seconds=10)


_RULES: dict[str, Callable[[ModelInput], Mapping[str, object]]] = {
    "stubborn": lambda _: {"label": "neutral"},
    "wrong-label": lambda _: {"label": "perhaps"},
    "wrong-type": lambda _: {"label": 7},
    "silent": lambda _: {},
    "dead": _dead,
    "hanging": _hanging,
}


def build_by_name(spec: TargetSpec) -> TargetModel:
    """Build a target that behaves as its name says, or else is easily led.

    One that is led answers the label named first in the text, else neutral.
    """
    rule = _RULES.get(spec.name, _led)
    return FakeTargetModel(rule, name=spec.name, output_names=spec.output_names)


def make_wiring(
    database_url: str,
    home: Path,
    clock: Clock,
    *,
    pool_size: int = 6,
    fold_patience_seconds: float = 0,
) -> Wiring:
    """Put all services together, with targets named for what they do and fresh counts."""
    settings = Settings(database_url=database_url, home=home, database_pool_size=pool_size)
    return wire(
        settings,
        clock=clock,
        factory=build_by_name,
        fold_patience_seconds=fold_patience_seconds,
    )


@dataclass
class Stage:
    """An open round with two contexts, its author and what acts on it."""

    wiring: Wiring
    clock: Clock
    task: Task
    round_: Round
    contexts: list[Context]
    author: Actor

    @property
    def db(self) -> Database:
        """The test's database."""
        return self.wiring.db

    async def person(self, username: str | None = None) -> Actor:
        """Return somebody new."""
        return await make_user(self.db, username=username, clock=self.clock)

    async def write(
        self,
        *,
        fooling: bool = True,
        by: Actor | None = None,
        context: Context | None = None,
        text: str | None = None,
        more: Mapping[str, object] | None = None,
        label: str = "neutral",
        contrast_of: object = None,
        key: RequestKey | None = None,
    ) -> ExampleRead:
        """Submit an attempt; the text says another label than is meant where it fools."""
        said = f"{unlike_text()} {'entailment' if fooling else label}" if text is None else text
        body = ExampleCreate.model_validate(
            {
                "context_id": (context or self.contexts[0]).id,
                "inputs": {"hypothesis": said, **(more or {})},
                "answer": {"label": label},
                "contrast_of": contrast_of,
            }
        )
        examples = self.wiring.get(ExampleService)
        return await examples.submit(self.round_.id, body, actor=by or self.author, key=key)

    async def release(self) -> None:
        """Close and release the round, as if its dataset had been written."""
        rounds = self.wiring.get(RoundService)
        await rounds.close_for_budget(self.round_.id, reason="The test closed it.")
        async with self.db.transaction() as session:
            await rounds.mark_released(session, self.round_.id)


async def make_stage(
    wiring: Wiring,
    clock: Clock,
    *,
    plan: RoundPlan | None = None,
    targets: Sequence[str] = ("parrot",),
    config: str | None = None,
    contexts: int = 2,
    is_open_to_everyone: bool = True,
) -> Stage:
    """Write a task with an open round, contexts and an author."""
    task = await make_task(
        wiring.db,
        clock=clock,
        is_open_to_everyone=is_open_to_everyone,
        config=NLI_CONFIG if config is None else config,
    )
    made = [await make_context(wiring.db, task, clock=clock) for _ in range(contexts)]
    models = [await make_model(wiring.db, task, name=name, clock=clock) for name in targets]
    asked = replace(plan or RoundPlan(), target_model_ids=tuple(one.id for one in models))
    round_ = await make_round(wiring.db, task, plan=asked, clock=clock)
    author = await make_user(wiring.db, clock=clock)
    return Stage(wiring, clock, task, round_, made, author)
