"""What the votes on one example add up to."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.rounds.values import Arm, GoldFrom
from dynabench.loop.validations.values import Verdict, Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class CastVote:
    """One vote as its row says; votes are read in the order they were cast."""

    validator_id: UUID
    vote: Vote
    answer: dict[str, object] | None
    is_expert: bool
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How many votes decide, and whose answer is the gold one."""

    quorum: int
    maximum: int
    gold_from: GoldFrom


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The verdict of an example and what follows from it.

    Attributes:
        verdict: The vote that a quorum shares, or an expert's, else pending or disputed.
        gold: The right answer, once there is one.
        agrees_with_author: Whether the gold answer equals the author's; None without gold.
        votes: Ordinary votes that stand.
        leading: How many of them share the most frequent judgement or answer, those that were
            cast after the verdict too.
    """

    verdict: Verdict
    gold: dict[str, object] | None
    agrees_with_author: bool | None
    votes: int
    leading: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One example's outcome row."""

    example_id: UUID
    round_id: UUID
    annotator_id: UUID
    context_id: UUID
    is_wanted: bool
    priority: int
    verdict: Verdict
    gold: dict[str, object] | None
    fooled: bool | None
    agrees_with_author: bool | None
    votes: int
    leading: int
    example_created_at: datetime
    arm: Arm
    is_retracted: bool
    decided_at: datetime | None
    voided_at: datetime | None
