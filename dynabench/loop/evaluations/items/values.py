"""How much of an evaluation's items somebody sees, and the ways to choose among them."""

from dataclasses import dataclass
from enum import StrEnum

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import Split


class ItemView(StrEnum):
    """How much of the items somebody sees.

    `full`: answers, gold and whether each is right; `answers`: what the model answered, and
    neither gold nor what would give it away.
    """

    FULL = "full"
    ANSWERS = "answers"


class Outcome(StrEnum):
    """How an item went: full marks, less than that, or no usable answer."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChoice:
    """A choice among an evaluation's items; what is None or empty does not restrict."""

    split: Split
    outcome: Outcome | None = None
    tag: str | None = None
    search: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredItem:
    """An item beside what a model answered to it; `score` is from 0 to 1."""

    uid: str
    position: int
    context: Values
    inputs: Values
    gold: Values
    tags: tuple[str, ...]
    original_uid: str | None
    transform: str | None
    outputs: Values
    probabilities: dict[str, float] | None
    error: str | None
    score: float | None
