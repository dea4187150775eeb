"""The counts that a fold keeps."""

from dataclasses import dataclass, fields
from datetime import date
from uuid import UUID

from dynabench.loop.rounds.values import Arm


@dataclass(frozen=True, slots=True)
class Tally:
    """How many examples of some part of a round are what; tallies add up.

    Attributes:
        collected: Stored attempts that are not voided; what a rate divides by.
        fooled: Of these, not retracted and fooling.
        verified_fooled: Of those, with the verdict correct.
        undecided: Collected, not retracted, and not known whether they fooled.
        pending: Collected, up for validation and without a verdict.
        disputed: Collected, with all votes in and no quorum.
        retracted: Collected, taken back by their author and not found flagged.
        flagged: Collected, with the verdict flagged: never verified, and part of the whole.
    """

    collected: int = 0
    fooled: int = 0
    verified_fooled: int = 0
    undecided: int = 0
    pending: int = 0
    disputed: int = 0
    retracted: int = 0
    flagged: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """Return the tally of both parts together."""
        return Tally(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Tally)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorDay:
    """One annotator's tally of one day in one arm of a round; days are UTC."""

    annotator_id: UUID
    day: date
    arm: Arm
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextTally:
    """What became of a context in a round; what the context policies go by.

    Attributes:
        annotators: How many people wrote on it.
        attempts: How many attempts they made, whatever became of them.
        fooled: Attempts of the target arm that fooled, neither taken back nor voided.
        failed_validation: Of these, with the verdict incorrect or flagged.
    """

    annotators: int = 0
    attempts: int = 0
    fooled: int = 0
    failed_validation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleKey:
    """A part of a round whose counts have to be computed again."""

    round_id: UUID
    annotator_id: UUID
    context_id: UUID
    day: date
