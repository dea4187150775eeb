"""Calls about the audit trail: who changed what."""

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict, Unpack

from dynabench.client.addresses import TaskRef
from dynabench.client.calls import get, path, shape
from dynabench.client.methods import Calls, FaceT, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter


class AuditOptions(TypedDict, total=False):
    """Which entries are wanted; what is left out does not narrow the list.

    Attributes:
        who: Only what this username did.
        act: Only acts of this kind, as in `round` or `round.changed`.
        since: Only from then on.
        until: Only before then.
    """

    who: str | None
    act: str | None
    since: datetime | None
    until: datetime | None


class AuditCalls(Calls[FaceT]):
    """Who changed what, everywhere or in one task.

    Example::

        for entry in client.audit.list("nli", act="round"):
            print(entry.at, entry.act)
    """

    @Listing
    def list(
        self, task: TaskRef | None = None, **options: Unpack[AuditOptions]
    ) -> Callable[[str | None], Steps[Page[AuditEntryRead]]]:
        """List the audit trail, newest first: a task's (owners) or all (administrators).

        Args:
            task: The task; the whole installation's trail by default.
            options: See `AuditOptions`.
        """
        where = path("audit") if task is None else path("tasks", task, "audit")

        def turn(cursor: str | None) -> Steps[Page[AuditEntryRead]]:
            # What is misspelt is told before anything is asked.
            wanted = shape(AuditFilter, {**options, "cursor": cursor})
            return get(where, Page[AuditEntryRead], wanted.model_dump(mode="json"))

        return turn
