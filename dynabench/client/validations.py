"""Calls about votes, outcomes and error rates."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from dynabench.client.calls import (
    Id,
    create,
    delete,
    get,
    get_or_none,
    path,
    post,
    shape,
)
from dynabench.client.methods import Endpoint, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.validations.consensus.schemas import ConsensusRead
from dynabench.loop.validations.schemas import (
    AgreementRead,
    AnnotatorBoardRead,
    ArmRead,
    CreditRead,
    CurrentRoundRead,
    DayCount,
    ErrorRateRead,
    ExpertDecision,
    ExpertDecisionRead,
    MyProgressRead,
    NextToValidateRead,
    OutcomeFilter,
    OutcomeRead,
    ValidationCreate,
    ValidationRead,
    VoidRequest,
)

Chosen: TypeAlias = OutcomeFilter | Mapping[str, object]


def _outcomes(round_id: Id, chosen: Chosen | None, cursor: str | None) -> Steps[Page[OutcomeRead]]:
    query = shape(OutcomeFilter, chosen or {}).model_dump(mode="json")
    return get(path("rounds", round_id, "outcomes"), Page[OutcomeRead], query | {"cursor": cursor})


class VoteCalls:
    """Judging examples of others."""

    @Endpoint
    def next_to_validate(self, round_id: Id, *, count: int = 3) -> Steps[NextToValidateRead]:
        """Borrow the next examples to judge: fooling first, then closest to a quorum."""
        return get(
            path("rounds", round_id, "next-to-validate"), NextToValidateRead, {"count": count}
        )

    @Endpoint
    def cast_vote(
        self,
        example_id: Id,
        *,
        vote: str | None = None,
        answer: Mapping[str, object] | None = None,
        metadata: Mapping[str, object] | None = None,
        time_spent_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[ValidationRead]:
        """Judge an example of somebody else.

        Args:
            example_id: The example, as `next_to_validate` handed it out.
            vote: `correct`, `incorrect` or `flagged`; in blind mode only `flagged`.
            answer: In blind mode the own answer; in review mode a corrected one.
            metadata: The task's fields for validators.
            time_spent_seconds: How long it took to judge.
            idempotency_key: Makes a later repetition of this call return the same vote.
        """
        body = shape(
            ValidationCreate,
            {
                "vote": vote,
                "answer": None if answer is None else dict(answer),
                "metadata": None if metadata is None else dict(metadata),
                "time_spent_seconds": time_spent_seconds,
            },
        )
        where = path("examples", example_id, "validations")
        return create(where, ValidationRead, body, key=idempotency_key)

    @Endpoint
    def withdraw_vote(self, validation_id: Id) -> Steps[None]:
        """Withdraw a vote within ten seconds."""
        return delete(path("validations", validation_id))

    @Endpoint
    def skip_item(self, example_id: Id) -> Steps[None]:
        """Give a borrowed example back without a vote; it is not offered again."""
        return delete(path("examples", example_id, "validation-lease"))


class OutcomeCalls:
    """What the votes add up to; for owners and experts."""

    @Endpoint
    def list_outcomes(
        self, round_id: Id, *, chosen: Chosen | None = None, cursor: str | None = None
    ) -> Steps[Page[OutcomeRead]]:
        """Return one page of a round's examples with their votes (owners and experts)."""
        return _outcomes(round_id, chosen, cursor)

    @Listing
    def each_outcome(
        self, round_id: Id, *, chosen: Chosen | None = None
    ) -> Callable[[str | None], Steps[Page[OutcomeRead]]]:
        """Go through a round's examples with their votes (owners and experts)."""
        return lambda cursor: _outcomes(round_id, chosen, cursor)

    @Endpoint
    def read_outcome(self, example_id: Id) -> Steps[OutcomeRead]:
        """Show one example with its votes (owners and experts)."""
        return get(path("examples", example_id, "outcome"), OutcomeRead)

    @Endpoint
    def decide(
        self,
        round_id: Id,
        example_ids: Sequence[Id],
        *,
        vote: str,
        metadata: Mapping[str, object] | None = None,
    ) -> Steps[ExpertDecisionRead]:
        """Decide one or many examples; the latest expert vote decides (owners and experts)."""
        body = shape(
            ExpertDecision,
            {
                "example_ids": list(example_ids),
                "vote": vote,
                "metadata": None if metadata is None else dict(metadata),
            },
        )
        return post(path("rounds", round_id, "expert-decisions"), ExpertDecisionRead, body)

    @Endpoint
    def void_examples(
        self, round_id: Id, example_ids: Sequence[Id], *, reason: str
    ) -> Steps[ExpertDecisionRead]:
        """Take examples out of every count, with the reason (owners and experts)."""
        body = shape(VoidRequest, {"example_ids": list(example_ids), "reason": reason})
        return post(path("rounds", round_id, "voided-examples"), ExpertDecisionRead, body)


class RateCalls:
    """How hard a round's targets are, and who found that out."""

    @Endpoint
    def error_rate(self, round_id: Id) -> Steps[ErrorRateRead]:
        """Show a round's MER and vMER with everything that is counted."""
        return get(path("rounds", round_id, "error-rate"), ErrorRateRead)

    @Endpoint
    def list_arms(self, round_id: Id) -> Steps[list[ArmRead]]:
        """Compare a round's control arms with its targets; while it is open, its owners alone."""
        return get(path("rounds", round_id, "arms"), list[ArmRead])

    @Endpoint
    def list_days(self, round_id: Id) -> Steps[list[DayCount]]:
        """List a round's attempts per day, oldest first."""
        return get(path("rounds", round_id, "days"), list[DayCount])

    @Endpoint
    def annotator_board(self, round_id: Id) -> Steps[AnnotatorBoardRead]:
        """Show the annotator board: most validated fooling examples first."""
        return get(path("rounds", round_id, "annotators"), AnnotatorBoardRead)

    @Endpoint
    def agreement(self, round_id: Id) -> Steps[AgreementRead]:
        """Show how far a round's validators agree."""
        return get(path("rounds", round_id, "agreement"), AgreementRead)

    @Endpoint
    def consensus(self, round_id: Id) -> Steps[ConsensusRead]:
        """Show labels by Dawid-Skene beside the majority's, and each validator's votes (owners)."""
        return get(path("rounds", round_id, "consensus"), ConsensusRead)

    @Endpoint
    def my_progress(self, round_id: Id) -> Steps[MyProgressRead]:
        """Show what one did in a round."""
        return get(path("rounds", round_id, "my-progress"), MyProgressRead)

    @Endpoint
    def credit(self, username: str) -> Steps[list[CreditRead]]:
        """Show what a person did, by task and round."""
        return get(path("users", username, "credit"), list[CreditRead])

    @Endpoint
    def list_current_rounds(self) -> Steps[list[CurrentRoundRead]]:
        """List each active task's latest round and how hard its target is today."""
        return get(path("current-rounds"), list[CurrentRoundRead])

    @Endpoint
    def current_round(self, task: str) -> Steps[CurrentRoundRead | None]:
        """Show a task's latest round; None before its first one."""
        return get_or_none(path("tasks", task, "current-round"), CurrentRoundRead)
