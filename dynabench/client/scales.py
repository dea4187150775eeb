"""Calls about models and rounds on one scale, and about gold answers that may be wrong."""

from dynabench.client.addresses import Id, RoundRef, TaskRef
from dynabench.client.calls import create, get, path, post, shape
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.leaderboards.scales.schemas import ScaleRead
from dynabench.loop.leaderboards.suspicions.schemas import (
    SuspicionPage,
    SuspicionRead,
    SuspicionSettle,
)


class ScaleCalls(Calls[FaceT]):
    """Models that never met on one scale.

    Example::

        scale = client.scales.get("nli")
    """

    @Endpoint
    def get(self, task: TaskRef) -> Steps[ScaleRead]:
        """Show a task's models and rounds on one scale, as it was computed last.

        Where something has changed since, `is_current` is false and a worker computes it anew.
        """
        return get(path("tasks", task, "scale"), ScaleRead)

    @Endpoint
    def recompute(self, task: TaskRef, *, idempotency_key: str | None = None) -> Steps[JobRead]:
        """Ask for a task's scale to be computed anew (owners)."""
        return create(path("tasks", task, "scale"), JobRead, key=idempotency_key)


class SuspectedErrorCalls(Calls[FaceT]):
    """Released gold answers that may be wrong (owners, experts).

    Example::

        client.suspected_errors.list("nli/1")
    """

    @Endpoint
    def list(
        self, round_: RoundRef, *, state: str = "open", cursor: str | None = None
    ) -> Steps[SuspicionPage]:
        """List released examples whose gold answer may be wrong (owners, experts).

        Args:
            round_: The round.
            state: `open`, or `settled` for what an expert has looked at.
            cursor: The `next_cursor` of the page before.
        """
        where = path("rounds", round_, "suspected-errors")
        return get(where, SuspicionPage, {"state": state, "cursor": cursor})

    @Endpoint
    def settle(self, example_id: Id, *, finding: str) -> Steps[SuspicionRead]:
        """Say whether a suspected gold answer is `right` or `wrong` (owners, experts).

        The release stays as it is: what was found wrong is counted as its errata.
        """
        body = shape(SuspicionSettle, {"finding": finding})
        return post(path("examples", example_id, "suspected-error"), SuspicionRead, body)
