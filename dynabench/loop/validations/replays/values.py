"""Votes that were cast elsewhere."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.values import Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedVote:
    """An ordinary blind vote, with an id that depends on its source alone."""

    id: UUID
    example_id: UUID
    round_id: UUID
    validator_id: UUID
    vote: Vote
    answer: dict[str, object] | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedVotes:
    """How many votes were new, and what all votes make of their examples.

    `left` are the examples with a vote that was there already with another answer.
    """

    added: int
    left: Collection[UUID]
    outcomes: Mapping[UUID, Outcome]
