"""Answers of people, each beside what the others say is right."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VotedItem:
    """A test item with the answers that its validators gave without seeing any other."""

    uid: str
    gold: object
    context: bytes
    answers: Sequence[object]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One validator's answer, and the gold that does not come from this validator.

    `place` is the answer's among those to its item.
    """

    uid: str
    place: int
    context: bytes
    gold: object
    answer: object


@dataclass(frozen=True, slots=True)
class HumanFigure:
    """How people do, 0 to 1, or why that is not known."""

    value: float | None
    low: float | None
    high: float | None
    items: int
    votes: int
    reason: str | None
