"""Calls about votes, outcomes and error rates."""

from collections.abc import Callable, Mapping, Sequence

from dynabench.client.addresses import Id, RoundRef
from dynabench.client.calls import (
    create,
    delete,
    get,
    path,
    post,
    shape,
)
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.validations.consensus.schemas import ConsensusRead
from dynabench.loop.validations.schemas import (
    AgreementRead,
    AnnotatorBoardRead,
    ArmRead,
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


class VoteCalls(Calls[FaceT]):
    """Judging examples of others.

    Example::

        for item in client.votes.next("nli/2").items:
            client.votes.cast(item.example_id, vote="correct")
    """

    @Endpoint
    def next(self, round_: RoundRef, *, count: int = 3) -> Steps[NextToValidateRead]:
        """Borrow the next examples to judge: fooling first, then closest to a quorum."""
        return get(path("rounds", round_, "next-to-validate"), NextToValidateRead, {"count": count})

    @Endpoint
    def cast(
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
    def withdraw(self, validation_id: Id) -> Steps[None]:
        """Withdraw a vote within ten seconds."""
        return delete(path("validations", validation_id))

    @Endpoint
    def skip(self, example_id: Id) -> Steps[None]:
        """Give a borrowed example back without a vote; it is not offered again."""
        return delete(path("examples", example_id, "validation-lease"))


class OutcomeCalls(Calls[FaceT]):
    """What the votes add up to; for owners and experts.

    Example::

        for outcome in client.outcomes.list("nli/2", verdict="disputed"):
            print(outcome.verdict)
    """

    @Listing
    def list(
        self,
        round_: RoundRef,
        *,
        search: str | None = None,
        verdict: str | None = None,
        fooled: bool | None = None,
        tag: str | None = None,
        annotator: str | None = None,
        retracted: bool | None = None,
        flagged_by_author: bool | None = None,
    ) -> Callable[[str | None], Steps[Page[OutcomeRead]]]:
        """List a round's examples with their votes (owners and experts).

        Args:
            round_: The round.
            search: Only examples that hold this text.
            verdict: Only with this verdict, as `disputed`.
            fooled: Only those that fooled a target, or only the others.
            tag: Only on contexts of this tag.
            annotator: Only by this person.
            retracted: Only those taken back, or only the others.
            flagged_by_author: Only those that their author flagged, or only the others.
        """
        wanted = {
            "search": search,
            "verdict": verdict,
            "fooled": fooled,
            "tag": tag,
            "annotator": annotator,
            "retracted": retracted,
            "flagged_by_author": flagged_by_author,
        }
        query = shape(OutcomeFilter, wanted).model_dump(mode="json")
        where = path("rounds", round_, "outcomes")
        return lambda cursor: get(where, Page[OutcomeRead], query | {"cursor": cursor})

    @Endpoint
    def get(self, example_id: Id) -> Steps[OutcomeRead]:
        """Show one example with its votes (owners and experts)."""
        return get(path("examples", example_id, "outcome"), OutcomeRead)

    @Endpoint
    def decide(
        self,
        round_: RoundRef,
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
        return post(path("rounds", round_, "expert-decisions"), ExpertDecisionRead, body)

    @Endpoint
    def void(
        self, round_: RoundRef, example_ids: Sequence[Id], *, reason: str
    ) -> Steps[ExpertDecisionRead]:
        """Take examples out of every count, with the reason (owners and experts)."""
        body = shape(VoidRequest, {"example_ids": list(example_ids), "reason": reason})
        return post(path("rounds", round_, "voided-examples"), ExpertDecisionRead, body)


class RateCalls(Calls[FaceT]):
    """How hard a round's targets are, and who found that out."""

    @Endpoint
    def error_rate(self, round_: RoundRef) -> Steps[ErrorRateRead]:
        """Show a round's MER and vMER with everything that is counted."""
        return get(path("rounds", round_, "error-rate"), ErrorRateRead)

    @Endpoint
    def arms(self, round_: RoundRef) -> Steps[Table[ArmRead]]:
        """Compare a round's control arms with its targets; while it is open, its owners alone."""
        return get(path("rounds", round_, "arms"), Table[ArmRead])

    @Endpoint
    def days(self, round_: RoundRef) -> Steps[Table[DayCount]]:
        """List a round's attempts per day, oldest first."""
        return get(path("rounds", round_, "days"), Table[DayCount])

    @Endpoint
    def annotators(self, round_: RoundRef) -> Steps[AnnotatorBoardRead]:
        """Show the annotator board: most validated fooling examples first."""
        return get(path("rounds", round_, "annotators"), AnnotatorBoardRead)

    @Endpoint
    def agreement(self, round_: RoundRef) -> Steps[AgreementRead]:
        """Show how far a round's validators agree."""
        return get(path("rounds", round_, "agreement"), AgreementRead)

    @Endpoint
    def consensus(self, round_: RoundRef) -> Steps[ConsensusRead]:
        """Show labels by Dawid-Skene beside the majority's, and each validator's votes (owners)."""
        return get(path("rounds", round_, "consensus"), ConsensusRead)

    @Endpoint
    def progress(self, round_: RoundRef) -> Steps[MyProgressRead]:
        """Show what one did in a round."""
        return get(path("rounds", round_, "my-progress"), MyProgressRead)
