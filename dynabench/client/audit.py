"""Calls about the audit trail: who changed what."""

from collections.abc import Callable
from datetime import datetime

from dynabench.client.calls import get, path
from dynabench.client.methods import Endpoint, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.people.audit.schemas import AuditEntryRead


class AuditCalls:
    """Who changed what, everywhere or in one task."""

    @Endpoint
    def list_audit_entries(
        self,
        *,
        who: str | None = None,
        act: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        cursor: str | None = None,
    ) -> Steps[Page[AuditEntryRead]]:
        """Return one page of the whole audit trail, newest first (administrators).

        Args:
            who: Only what this username did.
            act: Only acts of this kind, as in `round` or `round.changed`.
            since: Only from then on.
            until: Only before then.
            cursor: Where the page begins.
        """
        return _page(None, _wanted(who, act, since, until), cursor)

    @Endpoint
    def list_task_audit_entries(
        self,
        slug: str,
        *,
        who: str | None = None,
        act: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        cursor: str | None = None,
    ) -> Steps[Page[AuditEntryRead]]:
        """Return one page of a task's audit trail, newest first (owners)."""
        return _page(slug, _wanted(who, act, since, until), cursor)

    @Listing
    def each_audit_entry(
        self,
        task: str | None = None,
        *,
        who: str | None = None,
        act: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Callable[[str | None], Steps[Page[AuditEntryRead]]]:
        """Go through the audit trail, newest first: a task's (owners) or all (administrators)."""
        wanted = _wanted(who, act, since, until)
        return lambda cursor: _page(task, wanted, cursor)


def _wanted(
    who: str | None, act: str | None, since: datetime | None, until: datetime | None
) -> dict[str, str | None]:
    return {
        "who": who,
        "act": act,
        "since": None if since is None else since.isoformat(),
        "until": None if until is None else until.isoformat(),
    }


def _page(
    task: str | None, wanted: dict[str, str | None], cursor: str | None
) -> Steps[Page[AuditEntryRead]]:
    where = path("audit") if task is None else path("tasks", task, "audit")
    return get(where, Page[AuditEntryRead], {**wanted, "cursor": cursor})
