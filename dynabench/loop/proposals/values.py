"""Where a proposal stands, and how many one person may have."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

OPEN_LIMIT = 10
PAGE_SIZE = 50


class ProposalStatus(StrEnum):
    """Where a proposed task stands; `withdrawn` is its author's word, the rest the office's."""

    OPEN = "open"
    CHANGES_ASKED = "changes_asked"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Decision(StrEnum):
    """What an administrator decides about a proposal, as the status that follows."""

    ACCEPTED = "accepted"
    CHANGES_ASKED = "changes_asked"
    REJECTED = "rejected"


# What still waits for somebody: it counts towards its author's limit.
WAITING = frozenset({ProposalStatus.OPEN, ProposalStatus.CHANGES_ASKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalSummary:
    """A proposal without its config.

    Attributes:
        revision: Counts the texts that were proposed; a decision names the one it is about.
        reason: What the task is for, in its author's words.
        task_slug: The task that came of it; None until it is accepted.
    """

    id: UUID
    slug: str
    revision: int
    reason: str
    status: ProposalStatus
    proposed_by_id: UUID
    proposed_by: str
    task_slug: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(ProposalSummary):
    """A proposal with the config of its current revision."""

    config: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalNote:
    """A decision about a proposal, or its author's answer to one.

    Attributes:
        status: The status that it set.
    """

    revision: int
    status: ProposalStatus | None
    text: str
    written_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalText:
    """What is proposed: under which slug, which config, and what for."""

    slug: str
    config: str
    reason: str
