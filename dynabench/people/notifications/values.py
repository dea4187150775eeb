"""What people can be told, and how much of it they get at once."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

PAGE_SIZE = 20


class NotificationKind(StrEnum):
    """What happened; a page has a sentence for each."""

    PROPOSAL_OPENED = "proposal.opened"
    PROPOSAL_REVISED = "proposal.revised"
    PROPOSAL_CHANGES_ASKED = "proposal.changes_asked"
    PROPOSAL_ACCEPTED = "proposal.accepted"
    PROPOSAL_REJECTED = "proposal.rejected"
    MEMBER_ROLE_GIVEN = "member.role_given"
    MODEL_READY = "model.ready"
    MODEL_REJECTED = "model.rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One thing to tell, whoever is told.

    Attributes:
        details: What the sentence names, such as the task's slug.
        path: The page that it is about.
    """

    kind: NotificationKind
    details: dict[str, str]
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification(News):
    """What one person was told."""

    id: UUID
    created_at: datetime
    read_at: datetime | None
