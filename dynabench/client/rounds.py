"""Calls about rounds and what is handed out in them."""

from collections.abc import Mapping, Sequence

from dynabench.client.calls import Id, create, get, patch, path, post, put, shape
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.loop.assignments.schemas import AssignmentRead, NextContextRequest
from dynabench.loop.leaderboards.next_round.schemas import NextRoundRead
from dynabench.loop.rounds.schemas import Budget, RoundCreate, RoundPatch, RoundRead, RoundReopen


class RoundCalls:
    """Periods of collection against fixed target models."""

    @Endpoint
    def list_rounds(self, task: str) -> Steps[list[RoundRead]]:
        """List the rounds of a task, newest first; drafts only to its owners."""
        return get(path("tasks", task, "rounds"), list[RoundRead])

    @Endpoint
    def create_round(
        self,
        task: str,
        settings: RoundCreate | Mapping[str, object],
        *,
        idempotency_key: str | None = None,
    ) -> Steps[RoundRead]:
        """Create a draft round (owners)."""
        body = shape(RoundCreate, settings)
        return create(path("tasks", task, "rounds"), RoundRead, body, key=idempotency_key)

    @Endpoint
    def plan_next_round(
        self, task: str, *, tags: Sequence[str] | None = None, width: float | None = None
    ) -> Steps[NextRoundRead]:
        """Say what speaks for which targets, contexts and budget of the next round (owners).

        Args:
            task: The task's slug.
            tags: Contexts to draw from; the last round's otherwise.
            width: How wide the interval of the next vMER may be.
        """
        query = {"tags": None if tags is None else list(tags), "width": width}
        return get(path("tasks", task, "next-round"), NextRoundRead, query)

    @Endpoint
    def read_round(self, round_id: Id) -> Steps[RoundRead]:
        """Show a round."""
        return get(path("rounds", round_id), RoundRead)

    @Endpoint
    def change_round(
        self, round_id: Id, changes: RoundPatch | Mapping[str, object]
    ) -> Steps[RoundRead]:
        """Change a draft; of an open round only its budget and context tags (owners)."""
        return patch(path("rounds", round_id), RoundRead, shape(RoundPatch, changes))

    @Endpoint
    def open_round(self, round_id: Id) -> Steps[RoundRead]:
        """Open a draft for collection (owners)."""
        return post(path("rounds", round_id, "open"), RoundRead)

    @Endpoint
    def close_round(self, round_id: Id) -> Steps[RoundRead]:
        """Close a round: it takes no examples any more; votes go on (owners)."""
        return post(path("rounds", round_id, "close"), RoundRead)

    @Endpoint
    def reopen_round(
        self, round_id: Id, *, budget: Budget | Mapping[str, int | None] | None = None
    ) -> Steps[RoundRead]:
        """Collect again in a closed round that is not released (owners).

        Args:
            round_id: The round.
            budget: When it closes by itself, counted from its first opening; none by default.
        """
        body = shape(RoundReopen, {"budget": {} if budget is None else dict(budget)})
        return post(path("rounds", round_id, "reopen"), RoundRead, body)

    @Endpoint
    def next_context(
        self, round_id: Id, *, skip: Sequence[Id] = (), tags: Sequence[str] = ()
    ) -> Steps[AssignmentRead]:
        """Borrow the next context of a round, for 30 minutes; `skip` passes over some."""
        body = shape(NextContextRequest, {"skip": list(skip), "tags": list(tags)})
        return post(path("rounds", round_id, "next-context"), AssignmentRead, body)

    @Endpoint
    def renew_lease(self, round_id: Id, context_id: Id) -> Steps[AssignmentRead]:
        """Take up a context again, after a break."""
        return put(path("rounds", round_id, "contexts", context_id, "lease"), AssignmentRead)
