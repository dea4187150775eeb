"""Calls about the audit trail: who changed what."""

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict, Unpack

from dynabench.client.calls import get, path, shape
from dynabench.client.methods import Endpoint, Listing
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


class AuditCalls:
    """Who changed what, everywhere or in one task."""

    @Endpoint
    def list_audit_entries(
        self, *, cursor: str | None = None, **options: Unpack[AuditOptions]
    ) -> Steps[Page[AuditEntryRead]]:
        """Return one page of the whole audit trail, newest first (administrators).

        Args:
            cursor: Where the page begins.
            options: See `AuditOptions`.
        """
        return _page(None, options, cursor)

    @Endpoint
    def list_task_audit_entries(
        self, slug: str, *, cursor: str | None = None, **options: Unpack[AuditOptions]
    ) -> Steps[Page[AuditEntryRead]]:
        """Return one page of a task's audit trail, newest first (owners)."""
        return _page(slug, options, cursor)

    @Listing
    def each_audit_entry(
        self, task: str | None = None, **options: Unpack[AuditOptions]
    ) -> Callable[[str | None], Steps[Page[AuditEntryRead]]]:
        """Go through the audit trail, newest first: a task's (owners) or all (administrators)."""
        return lambda cursor: _page(task, options, cursor)


def _page(
    task: str | None, options: AuditOptions, cursor: str | None
) -> Steps[Page[AuditEntryRead]]:
    where = path("audit") if task is None else path("tasks", task, "audit")
    # What is misspelt is told before anything is asked.
    wanted = shape(AuditFilter, {**options, "cursor": cursor})
    return get(where, Page[AuditEntryRead], wanted.model_dump(mode="json"))
