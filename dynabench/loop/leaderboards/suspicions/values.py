"""What raises a suspicion, and what an expert finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Finding(StrEnum):
    """What an expert says of a suspected gold answer."""

    RIGHT = "right"
    WRONG = "wrong"


class SuspicionState(StrEnum):
    """Which suspicions are asked for."""

    OPEN = "open"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseEvidence:
    """Strong models get it wrong and weak ones right.

    Attributes:
        correlation: Between being right on it and θ, over models.
        models: How many models that is.
        strongest_wrong: The most able models that are wrong.
        weakest_right: The least able models that are right.
    """

    correlation: float
    models: int
    strongest_wrong: Sequence[UUID]
    weakest_right: Sequence[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteEvidence:
    """Votes weighed by how reliable each validator is say something else.

    Attributes:
        label: What they say instead.
        probability: How likely the answer is that counts, 0 to 1.
        votes: How many votes there are.
    """

    label: str
    probability: float
    votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A released example that should be looked at, and why."""

    example_id: UUID
    version_id: UUID
    responses: ResponseEvidence | None = None
    votes: VoteEvidence | None = None


@dataclass(frozen=True, slots=True)
class SuspectedItem:
    """A test item by its place in the split, and what models' answers say of it."""

    position: int
    evidence: ResponseEvidence
