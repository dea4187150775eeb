"""Which of two models is better on an item, and what both answered."""

from dataclasses import dataclass
from enum import StrEnum

from dynabench.kit.wire import Values


class Advantage(StrEnum):
    """How two models differ on an item: in any way, or one of them does better."""

    ANY = "any"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedScore:
    """Two models' scores of one item, with what it has in common with others."""

    context_digest: bytes
    tags: tuple[str, ...]
    left: float
    right: float


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
