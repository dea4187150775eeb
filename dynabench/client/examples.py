"""Calls about examples."""

from collections.abc import Mapping

from dynabench.client.addresses import Id, ModelRef, RoundRef, TaskRef
from dynabench.client.calls import create, get, patch, path, post, shape
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.examples.schemas import (
    ExampleCreate,
    ExamplePatch,
    ExampleRead,
    FlagCreate,
    TryCreate,
    TryRead,
)


class ExampleCalls(Calls[FaceT]):
    """Attempts at fooling a round's target models.

    Example::

        lent = client.rounds.next_context("nli")
        example = client.examples.submit(
            "nli",
            context_id=lent.context,
            inputs={"hypothesis": "Nobody came."},
            answer={"label": "neutral"},
        )
    """

    @Endpoint
    def submit(
        self,
        round_: RoundRef,
        *,
        context_id: Id,
        inputs: Mapping[str, object],
        answer: Mapping[str, object],
        time_spent_seconds: float | None = None,
        origin: str = "human",
        suggestion_kept: float | None = None,
        contrast_of: Id | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ExampleRead]:
        """Show an attempt to the round's target models and keep it, fooled or not.

        Args:
            round_: An open round.
            context_id: What was written about.
            inputs: What was written, by field.
            answer: What the author says is right, by field.
            time_spent_seconds: How long it took to write.
            origin: `human`, `assisted` or `machine`.
            suggestion_kept: The share of a suggestion that was kept.
            contrast_of: The example of which this is the other half of a pair.
            idempotency_key: Makes a later repetition of this call return the same example.
        """
        body = shape(
            ExampleCreate,
            {
                "context_id": context_id,
                "inputs": dict(inputs),
                "answer": dict(answer),
                "time_spent_seconds": time_spent_seconds,
                "origin": origin,
                "suggestion_kept": suggestion_kept,
                "contrast_of": contrast_of,
            },
        )
        return create(path("rounds", round_, "examples"), ExampleRead, body, key=idempotency_key)

    @Endpoint
    def list_mine(
        self, round_: RoundRef, *, context_id: Id | None = None
    ) -> Steps[Table[ExampleRead]]:
        """List the own examples of a round, newest first, at most 200."""
        return get(
            path("rounds", round_, "examples", "mine"),
            Table[ExampleRead],
            {"context_id": context_id},
        )

    @Endpoint
    def get(self, example_id: Id) -> Steps[ExampleRead]:
        """Show an example to its author, and to the task's owners and experts."""
        return get(path("examples", example_id), ExampleRead)

    @Endpoint
    def update(
        self,
        example_id: Id,
        *,
        explanations: Mapping[str, object] | None = None,
        user_says_fooled: bool | None = None,
    ) -> Steps[ExampleRead]:
        """Add explanations, or say whether the model was fooled where the task asks (author)."""
        body = shape(
            ExamplePatch,
            {
                "explanations": None if explanations is None else dict(explanations),
                "user_says_fooled": user_says_fooled,
            },
        )
        return patch(path("examples", example_id), ExampleRead, body)

    @Endpoint
    def retract(self, example_id: Id) -> Steps[ExampleRead]:
        """Take an example back: it is kept and counted, but never as fooling (author)."""
        return post(path("examples", example_id, "retract"), ExampleRead)

    @Endpoint
    def flag(self, example_id: Id, *, reason: str) -> Steps[ExampleRead]:
        """Say that something is wrong with an example or its context (author)."""
        body = shape(FlagCreate, {"reason": reason})
        return post(path("examples", example_id, "flag"), ExampleRead, body)

    @Endpoint
    def try_out(
        self,
        task: TaskRef,
        *,
        inputs: Mapping[str, object],
        answer: Mapping[str, object],
        context_id: Id | None = None,
        context: Mapping[str, object] | None = None,
        model: ModelRef | None = None,
    ) -> Steps[TryRead]:
        """Ask a task's target without an account; nothing is stored."""
        body = shape(
            TryCreate,
            {
                "context_id": context_id,
                "context": None if context is None else dict(context),
                "inputs": dict(inputs),
                "answer": dict(answer),
                "model_id": model,
            },
        )
        return post(path("tasks", task, "tries"), TryRead, body)
