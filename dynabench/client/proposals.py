"""Calls about proposed tasks, and about what one was told."""

from collections.abc import Callable

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import create, get, patch, path, post, shape, tell
from dynabench.client.methods import Calls, Endpoint, FaceT, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.proposals.schemas import (
    ProposalCreate,
    ProposalDecision,
    ProposalPatch,
    ProposalRead,
    ProposalSummaryRead,
)
from dynabench.people.notifications.schemas import (
    NotificationPage,
    NotificationRead,
    NotificationsSeen,
)


class ProposalCalls(Calls[FaceT]):
    """Tasks that people propose and administrators decide about.

    Example::

        client.proposals.create("irony", yaml_text, reason="Nobody measures it.")
    """

    @Listing
    def list(
        self, *, status: str | None = None
    ) -> Callable[[str | None], Steps[Page[ProposalSummaryRead]]]:
        """List one's own proposals, newest first; administrators see everybody's."""
        return lambda cursor: get(
            path("proposals"), Page[ProposalSummaryRead], {"status": status, "cursor": cursor}
        )

    @Endpoint
    def get(self, proposal_id: Id) -> Steps[ProposalRead]:
        """Show a proposal and what was said about it (its author and administrators)."""
        return get(path("proposals", proposal_id), ProposalRead)

    @Endpoint
    def create(
        self, task: TaskRef, config: str, *, reason: str, idempotency_key: str | None = None
    ) -> Steps[ProposalRead]:
        """Propose a task from a config's YAML text, and say what it is for."""
        body = shape(ProposalCreate, {"slug": task, "config": config, "reason": reason})
        return create(path("proposals"), ProposalRead, body, key=idempotency_key)

    @Endpoint
    # Every part of a proposal may be revised, each on its own.
    def update(
        self,
        proposal_id: Id,
        *,
        revision: int,
        task: TaskRef | None = None,
        config: str | None = None,
        reason: str | None = None,
        answer: str | None = None,
    ) -> Steps[ProposalRead]:
        """Propose another text in place of the revision that was read (its author)."""
        body = shape(
            ProposalPatch,
            {
                "revision": revision,
                "slug": task,
                "config": config,
                "reason": reason,
                "answer": answer,
            },
        )
        return patch(path("proposals", proposal_id), ProposalRead, body)

    @Endpoint
    def withdraw(self, proposal_id: Id) -> Steps[ProposalRead]:
        """Take a proposal back; a revision would propose it again (its author)."""
        return post(path("proposals", proposal_id, "withdrawal"), ProposalRead)

    @Endpoint
    def decide(
        self,
        proposal_id: Id,
        *,
        status: str,
        revision: int,
        text: str = "",
        idempotency_key: str | None = None,
    ) -> Steps[ProposalRead]:
        """Decide `accepted`, `changes_asked` or `rejected` about a revision (administrators)."""
        body = shape(ProposalDecision, {"status": status, "revision": revision, "text": text})
        return create(
            path("proposals", proposal_id, "decisions"), ProposalRead, body, key=idempotency_key
        )


class NotificationCalls(Calls[FaceT]):
    """What one was told.

    Example::

        for told in client.notifications.list():
            print(told.created_at)
    """

    @Listing
    def list(self) -> Callable[[str | None], Steps[Page[NotificationRead]]]:
        """List all that one was told, newest first."""
        return lambda cursor: get(
            path("users", "me", "notifications"), Page[NotificationRead], {"cursor": cursor}
        )

    @Endpoint
    def newest(self) -> Steps[NotificationPage]:
        """Show the newest of what one was told, and how much of all is unread."""
        return get(path("users", "me", "notifications"), NotificationPage)

    @Endpoint
    def mark_read(self, notification_id: Id) -> Steps[None]:
        """Mark one notification as read."""
        return tell("POST", path("users", "me", "notifications", notification_id, "read"))

    @Endpoint
    def mark_all_read(self, *, through: Id) -> Steps[None]:
        """Mark a notification and all older ones as read."""
        body = shape(NotificationsSeen, {"through": through})
        return tell("POST", path("users", "me", "notifications", "read"), body)
