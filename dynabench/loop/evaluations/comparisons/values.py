"""Which of two models is better on an item, and what both answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dynabench.kit.wire import Values


class Advantage(StrEnum):
    """How two models differ on an item: in any way, or one of them does better."""

    ANY = "any"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedScores:
    """Two models' scores of the same items: all of them, or those with a tag.

    `contexts` holds for each item a number that it shares with the others on its context.
    """

    tag: str | None
    contexts: Sequence[int]
    left: Sequence[float]
    right: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedAnswer:
    """An item beside what two models answered."""

    uid: str
    position: int
    context: Values
    inputs: Values
    gold: Values
    tags: tuple[str, ...]
    left_outputs: Values
    left_error: str | None
    left_score: float | None
    right_outputs: Values
    right_error: str | None
    right_score: float | None
