"""Calls about rounds and what is handed out in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypedDict, Unpack

from dynabench.client.addresses import Id, ModelRef, RoundRef, TaskRef
from dynabench.client.calls import create, get, get_or_none, patch, path, post, put, shape
from dynabench.client.files import OnProgress, download
from dynabench.client.lists import Table
from dynabench.client.methods import Endpoint, FaceT, Watching
from dynabench.client.steps import Steps
from dynabench.client.validations import RateCalls
from dynabench.client.watching import Subscription
from dynabench.loop.assignments.schemas import AssignmentRead, NextContextRequest
from dynabench.loop.leaderboards.live.schemas import RoundNumbersRead
from dynabench.loop.leaderboards.next_round.schemas import NextRoundRead
from dynabench.loop.rounds.schemas import (
    Budget,
    Controls,
    RoundCreate,
    RoundPatch,
    RoundRead,
    RoundReopen,
    Schedule,
    ValidationRule,
)
from dynabench.loop.validations.schemas import CurrentRoundRead

Said: TypeAlias = Mapping[str, object]
"""Fields of a setting, as a dict."""


class RoundOptions(TypedDict, total=False):
    """What an owner decides about a round.

    Attributes:
        target_model_ids: The models to fool: ids, models, or `TASK/NAME`.
        target_policy: `single`, or how several share the work.
        context_policy: Which context is lent next.
        context_tags: Draw only from these tags.
        validation: `mode`, `quorum`, `maximum` and more.
        max_tries: Attempts per annotator and context.
        budget: Closes the round at so many `examples`, `days` or `validated_fooling` ones.
        schedule: Takes examples only from `opens_at` to `closes_at`, with their time zones.
        parent_round_ids: Rounds whose data its targets learned from.
        parent_model_ids: Models that its targets were made from.
        controls: The parts of work that go to control arms.
        seed: Of everything random; not changed later.
    """

    target_model_ids: Sequence[ModelRef]
    target_policy: str
    context_policy: str
    context_tags: Sequence[str]
    validation: ValidationRule | Said
    max_tries: int
    budget: Budget | Said
    schedule: Schedule | Said
    parent_round_ids: Sequence[RoundRef]
    parent_model_ids: Sequence[ModelRef]
    controls: Controls | Said
    seed: int


class RoundCalls(RateCalls[FaceT]):
    """Periods of collection against fixed target models.

    `TASK` is a task's latest round, `TASK/2` its second.

    Example::

        client.rounds.create("nli", target_model_ids=[model.id], max_tries=5)
        client.rounds.open("nli/2")
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[RoundRead]]:
        """List the rounds of a task, newest first; drafts only to its owners."""
        return get(path("tasks", task, "rounds"), Table[RoundRead])

    @Endpoint
    def get(self, round_: RoundRef) -> Steps[RoundRead]:
        """Show a round."""
        return get(path("rounds", round_), RoundRead)

    @Endpoint
    def current(self, task: TaskRef) -> Steps[CurrentRoundRead | None]:
        """Show a task's latest round; None before its first one."""
        return get_or_none(path("tasks", task, "current-round"), CurrentRoundRead)

    @Endpoint
    def list_current(self) -> Steps[Table[CurrentRoundRead]]:
        """List each active task's latest round and how hard its target is today."""
        return get(path("current-rounds"), Table[CurrentRoundRead])

    @Endpoint
    def create(
        self,
        task: TaskRef,
        *,
        idempotency_key: str | None = None,
        **settings: Unpack[RoundOptions],
    ) -> Steps[RoundRead]:
        """Create a draft round (owners); what is not said is as the server has it.

        Args:
            task: The task, by its slug.
            idempotency_key: Makes a later repetition of this call return the same round.
            settings: See `RoundOptions`.
        """
        body = shape(RoundCreate, settings)
        return create(path("tasks", task, "rounds"), RoundRead, body, key=idempotency_key)

    @Endpoint
    def plan(
        self, task: TaskRef, *, tags: Sequence[str] | None = None, width: float | None = None
    ) -> Steps[NextRoundRead]:
        """Say what speaks for which targets, contexts and budget of the next round (owners).

        Args:
            task: The task, by its slug.
            tags: Contexts to draw from; the last round's otherwise.
            width: How wide the interval of the next vMER may be.
        """
        query = {"tags": None if tags is None else list(tags), "width": width}
        return get(path("tasks", task, "next-round"), NextRoundRead, query)

    @Endpoint
    def update(self, round_: RoundRef, **changes: Unpack[RoundOptions]) -> Steps[RoundRead]:
        """Change a draft; of an open round only its budget, schedule and context tags (owners)."""
        return patch(path("rounds", round_), RoundRead, shape(RoundPatch, changes))

    @Endpoint
    def open(self, round_: RoundRef) -> Steps[RoundRead]:
        """Open a draft for collection (owners)."""
        return post(path("rounds", round_, "open"), RoundRead)

    @Endpoint
    def close(self, round_: RoundRef) -> Steps[RoundRead]:
        """Close a round: it takes no examples any more; votes go on (owners)."""
        return post(path("rounds", round_, "close"), RoundRead)

    @Endpoint
    def reopen(
        self,
        round_: RoundRef,
        *,
        budget: Budget | Mapping[str, int | None] | None = None,
        schedule: Schedule | Said | None = None,
    ) -> Steps[RoundRead]:
        """Collect again in a closed round that is not released (owners).

        Args:
            round_: The round.
            budget: When it closes by itself, counted from its first opening; none by default.
            schedule: When it takes examples; at all times by default.
        """
        limits = {"budget": dict(budget or {}), "schedule": dict(schedule or {})}
        body = shape(RoundReopen, limits)
        return post(path("rounds", round_, "reopen"), RoundRead, body)

    @Endpoint
    def next_context(
        self, round_: RoundRef, *, skip: Sequence[Id] = (), tags: Sequence[str] = ()
    ) -> Steps[AssignmentRead]:
        """Borrow the next context of a round, for 30 minutes; `skip` passes over some."""
        body = shape(NextContextRequest, {"skip": list(skip), "tags": list(tags)})
        return post(path("rounds", round_, "next-context"), AssignmentRead, body)

    @Endpoint
    def renew_lease(self, round_: RoundRef, context_id: Id) -> Steps[AssignmentRead]:
        """Take up a context again, after a break."""
        return put(path("rounds", round_, "contexts", context_id, "lease"), AssignmentRead)

    @Endpoint
    def export(
        self, round_: RoundRef, to: str | Path | BinaryIO, *, on_progress: OnProgress | None = None
    ) -> Steps[int]:
        """Write a round's examples with all their votes to a file of JSON lines (owners).

        Args:
            round_: Any round.
            to: A path, at which the file appears once it is whole, or an open binary file.
            on_progress: Told the bytes received, and of how many where that is known.

        Returns:
            The number of bytes written.
        """
        return download(path("rounds", round_, "export"), to, on_progress=on_progress)

    @Endpoint
    def numbers(self, round_: RoundRef) -> Steps[RoundNumbersRead]:
        """Show how a round goes: pace, error rates, backlog, effort, gap, projected end."""
        return get(path("rounds", round_, "numbers"), RoundNumbersRead)

    @Watching
    def watch(self, round_: RoundRef) -> Subscription[RoundNumbersRead]:
        """Watch a round's numbers change, until it is released."""
        return Subscription(path("rounds", round_, "live"), RoundNumbersRead)

    __getitem__ = get
