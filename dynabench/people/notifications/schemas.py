"""Wire shapes of notifications."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.paging import Page
from dynabench.kit.wire import WireModel
from dynabench.people.notifications.values import NotificationKind


class NotificationRead(WireModel):
    """One thing that the reader was told.

    Attributes:
        details: What the sentence names: `slug` always; `by`, `role` and `revision` where
            they matter.
        path: The page that it is about.
    """

    id: UUID
    kind: NotificationKind
    details: dict[str, str]
    path: str
    created_at: datetime
    read_at: datetime | None


class NotificationPage(Page[NotificationRead]):
    """A part of what the reader was told, newest first, and how much of all is unread."""

    unread: int


class NotificationsSeen(WireModel):
    """Marks this one and all older ones as read; newer ones may not have been seen."""

    through: UUID
