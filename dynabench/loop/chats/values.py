"""Ids and states of conversations."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

ChatId = NewType("ChatId", UUID)

MOST_REGENERATIONS = 5
"""How often the replies to one message may be asked for anew."""


class Choice(StrEnum):
    """Which of several replies is the best: one of them by its place, both, or none."""

    FIRST = "0"
    SECOND = "1"
    THIRD = "2"
    FOURTH = "3"
    TIE = "tie"
    ALL_BAD = "all_bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one candidate replied to a message."""

    model_id: UUID
    text: str
    latency_ms: float
    rating: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message and what every candidate replied to it.

    `replaced` keeps what regenerations took away, oldest first.
    """

    number: int
    text: str
    candidates: tuple[Reply, ...]
    replaced: tuple[tuple[Reply, ...], ...] = ()
    choice: Choice | None = None
    regenerated: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a conversation stands: whose it is, about what, in which field of which round."""

    round_id: UUID
    context_id: UUID
    annotator_id: UUID
    field_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A conversation; `model_ids` is who replies, in the order in which candidates are shown."""

    id: UUID
    place: Place
    model_ids: tuple[UUID, ...]
    created_at: datetime
    submitted_at: datetime | None = None
    turns: tuple[Turn, ...] = ()
