"""Wire shapes of the audit trail."""

from datetime import datetime
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.science.texts.wire_texts import OneLine


class AuditEntryRead(WireModel):
    """One change.

    Attributes:
        number: Entries are numbered in the order in which they were written.
        actor_name: Who did it: a username, or what acted by itself (`operator`, a job, `system`).
        request_id: The request or job; log lines name it too.
        act: What was done, as in `round.changed`.
        subject_name: What it was done to, as it was called.
        reason: Why, where the act asks for a reason.
        before: What changed, as it was; null where it was not there before.
        after: The same as it is now; null where it is gone.
    """

    number: int
    at: datetime
    actor_id: UUID | None
    actor_name: str
    request_id: str | None
    act: str
    subject_id: str | None
    subject_name: str | None
    task_id: UUID | None
    reason: str | None
    before: Values | None
    after: Values | None


class AuditFilter(WireModel):
    """Which entries to list, and where the page begins; what is left out does not narrow it."""

    who: OneLine | None = Field(default=None, max_length=100)
    act: OneLine | None = Field(default=None, max_length=100)
    since: datetime | None = None
    until: datetime | None = None
    cursor: str | None = Field(default=None, max_length=500)
