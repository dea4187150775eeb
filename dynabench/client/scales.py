"""Calls about models and rounds on one scale, and about gold answers that may be wrong."""

from dynabench.client.calls import Id, create, get, path, post, shape
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.leaderboards.errata.schemas import ErrataRead
from dynabench.loop.leaderboards.scales.schemas import ScaleRead
from dynabench.loop.leaderboards.suspicions.schemas import (
    SuspicionPage,
    SuspicionRead,
    SuspicionSettle,
)


class ScaleCalls:
    """Comparing models that never met, and looking again at what rounds hold."""

    @Endpoint
    def read_scale(self, task: str) -> Steps[ScaleRead]:
        """Show a task's models and rounds on one scale, as it was computed last.

        Where something has changed since, `is_current` is false and a worker computes it anew.
        """
        return get(path("tasks", task, "scale"), ScaleRead)

    @Endpoint
    def recompute_scale(self, task: str, *, idempotency_key: str | None = None) -> Steps[JobRead]:
        """Ask for a task's scale to be computed anew (owners)."""
        return create(path("tasks", task, "scale"), JobRead, key=idempotency_key)

    @Endpoint
    def list_suspected_errors(
        self, round_id: Id, *, state: str = "open", cursor: str | None = None
    ) -> Steps[SuspicionPage]:
        """List released examples whose gold answer may be wrong (owners, experts).

        Args:
            round_id: The round.
            state: `open`, or `settled` for what an expert has looked at.
            cursor: The `next_cursor` of the page before.
        """
        where = path("rounds", round_id, "suspected-errors")
        return get(where, SuspicionPage, {"state": state, "cursor": cursor})

    @Endpoint
    def settle_suspected_error(self, example_id: Id, *, finding: str) -> Steps[SuspicionRead]:
        """Say whether a suspected gold answer is `right` or `wrong` (owners, experts).

        The release stays as it is: what was found wrong is counted as its errata.
        """
        body = shape(SuspicionSettle, {"finding": finding})
        return post(path("examples", example_id, "suspected-error"), SuspicionRead, body)

    @Endpoint
    def read_errata(self, version_id: Id) -> Steps[ErrataRead]:
        """Show which of a dataset's right answers experts found wrong.

        The dataset stays as it is; the card of the task's next release names them.
        """
        return get(path("dataset-versions", version_id, "errata"), ErrataRead)
