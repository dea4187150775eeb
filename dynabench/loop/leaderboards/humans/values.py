"""Answers of people, each beside what the others say is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class VotedItem:
    """A test item with the answers that its validators gave without seeing any other.

    `validators` are those who gave the answers, in their order.
    """

    uid: str
    gold: object
    context: bytes
    answers: Sequence[object]
    validators: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One validator's answer, and the gold that does not come from this validator."""

    uid: str
    validator: UUID
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
