"""What a finished training leaves for its submission."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from dynabench.kit.db.database import Session
from dynabench.loop.training.gathering.values import Gathered
from dynabench.loop.training.learners.values import Learnt


class Steps(Protocol):
    """What a training needs of its job."""

    async def step(self, key: str, work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Do a step once, or return what it gave before."""
        ...

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is."""
        ...

    async def log(self, line: str) -> None:
        """Add a line to the job's log."""
        ...

    async def end(self, session: Session, result: dict[str, JsonValue], *, line: str) -> None:
        """End the job well in a transaction that writes its model, unless it was cancelled."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A stored model, and what is known of how it came about.

    Attributes:
        digest: The stored folder's.
        gathered: What it was trained on.
        learnt: What the learning process says.
        checkpoint: What it was fine-tuned from.
    """

    digest: str
    gathered: Gathered
    learnt: Learnt
    checkpoint: dict[str, JsonValue] | None

    def to_json(self) -> JsonValue:
        """Return the outcome as JSON, as a job's step keeps it."""
        return {
            **self.gathered.to_json(),
            "digest": self.digest,
            "learnt": self.learnt.to_json(),
            "checkpoint": self.checkpoint,
        }

    @classmethod
    def of_json(cls, told: JsonValue) -> "Outcome":
        """Read what `to_json` wrote."""
        assert isinstance(told, dict)
        learnt, checkpoint = told["learnt"], told["checkpoint"]
        assert isinstance(learnt, dict)
        assert checkpoint is None or isinstance(checkpoint, dict)
        return cls(
            digest=str(told["digest"]),
            gathered=Gathered.of_json(told),
            learnt=Learnt.of_json(learnt),
            checkpoint=checkpoint,
        )
