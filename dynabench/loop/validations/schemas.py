"""Wire shapes of validations, outcomes and rates."""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.paging import Cursor
from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.examples.schemas import ExampleRead
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.values import Arm, ValidationMode
from dynabench.loop.validations.values import Verdict, Vote
from dynabench.science.texts.wire_texts import OneLine, SomeLines


class ItemToValidate(WireModel):
    """An example lent to a validator; `answer` is null in blind mode.

    Where the author says whether the model was wrong, that is what is judged:
    `author_says_wrong`, beside what each target answered. Elsewhere both are null.
    """

    example_id: UUID
    round_id: UUID
    mode: ValidationMode
    context: Values
    inputs: Values
    answer: Values | None
    author_says_wrong: bool | None = None
    model_answers: list[Values] | None = None
    lease_expires_at: datetime


class NextToValidateRead(WireModel):
    """The next items, already lent, and how far this validator has come."""

    items: list[ItemToValidate]
    my_votes: int
    waiting: int


class ValidationCreate(WireModel):
    """A vote: `vote` in review mode; `answer`, or `vote: flagged`, in blind mode."""

    vote: Vote | None = None
    answer: Values | None = None
    metadata: Values = {}
    time_spent_seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class ValidationRead(WireModel):
    """A stored vote, as its validator sees it.

    `vote` is null where the validator answered without seeing the author's answer: it would
    say whether the two agree.
    """

    id: UUID
    example_id: UUID
    vote: Vote | None
    created_at: datetime
    withdrawable_until: datetime


class VoteRead(WireModel):
    """A vote as owners and experts see it."""

    id: UUID
    validator: str
    vote: Vote
    answer: Values | None
    metadata: Values
    is_expert: bool
    created_at: datetime
    withdrawn_at: datetime | None


class OutcomeRead(WireModel):
    """An example with everything that is known of it."""

    example: ExampleRead
    context: Values
    context_tag: str
    verdict: Verdict
    gold: Values | None
    fooled: bool | None
    agrees_with_author: bool | None
    is_voided: bool
    votes: list[VoteRead]


class OutcomeFilter(WireModel):
    """A choice among a round's examples; an absent field does not restrict."""

    search: Annotated[SomeLines, Field(max_length=200)] | None = None
    verdict: Verdict | None = None
    fooled: bool | None = None
    tag: Annotated[OneLine, Field(max_length=100)] | None = None
    annotator: Annotated[OneLine, Field(max_length=100)] | None = None
    retracted: bool | None = None
    flagged_by_author: bool | None = None


class OutcomeQuery(OutcomeFilter):
    """A choice among a round's examples, and the page of it."""

    cursor: Cursor = None


class ExpertDecision(WireModel):
    """One decision on one or many examples; the latest decides."""

    example_ids: Annotated[list[UUID], Field(min_length=1, max_length=500)]
    vote: Vote
    metadata: Values = {}


class ExpertDecisionRead(WireModel):
    """What a decision changed; own examples are passed over and named."""

    decided: int
    passed_over: list[UUID]


class VoidRequest(WireModel):
    """Take examples out of every count, with the reason."""

    example_ids: Annotated[list[UUID], Field(min_length=1, max_length=500)]
    reason: Annotated[SomeLines, Field(min_length=1, max_length=500)]


class RateRead(WireModel):
    """A rate with its counts and its 95 % interval; `value` is null without data."""

    value: float | None
    part: int
    whole: int
    low: float | None
    high: float | None
    method: str


class ErrorRateRead(TellingModel):
    """A round's model error rates with everything that is counted in and out of them.

    Control arms are counted apart (`/arms`): these are the attempts on the targets alone.
    `reason` says why a rate is null where the data cannot tell. While votes are missing the
    validated rate is a lower bound, and its interval holds what it may become: it begins as if
    none of the pending examples were verified and ends as if all were. Where a replay's source does
    not say who wrote what, nobody is counted: `annotators` and the averages over them are null.
    """

    round_id: UUID
    collected: int
    fooled: int
    verified_fooled: int
    undecided: int
    pending: int
    disputed: int
    retracted: int
    flagged: int
    annotators: int | None
    model_error_rate: RateRead
    validated_model_error_rate: RateRead
    macro_model_error_rate: float | None
    macro_validated_model_error_rate: float | None
    reason: str | None
    reason_told: Told | None = None
    as_of: datetime


class ArmRead(WireModel):
    """What came of the attempts of one arm of a round: its targets, or a control beside them.

    `seconds_per_verified_fooled` is the mean time of an attempt times the attempts, by the
    validated fooling ones; null where no time is known or none is validated.
    """

    arm: Arm
    collected: int
    fooled: int
    verified_fooled: int
    pending: int
    model_error_rate: RateRead
    validated_model_error_rate: RateRead
    seconds_per_verified_fooled: float | None


class DayCount(WireModel):
    """A day's attempts."""

    day: date
    collected: int
    fooled: int
    verified_fooled: int


class AnnotatorRow(WireModel):
    """One annotator of a round."""

    username: str
    collected: int
    fooled: int
    verified_fooled: int
    pending: int
    model_error_rate: RateRead
    validated_model_error_rate: RateRead


class AnnotatorBoardRead(TellingModel):
    """A round's annotators; `reason` says why there are none where people are not known."""

    rows: list[AnnotatorRow]
    reason: str | None
    reason_told: Told | None = None


class AgreementRead(TellingModel):
    """How far a round's validators agree; null values come with a reason.

    `unanimous` has no interval: several people judge each example, and other examples too.
    """

    examples: int
    votes: int
    fleiss_kappa: float | None
    krippendorff_alpha: float | None
    unanimous: RateRead
    reason: str | None
    reason_told: Told | None = None


class MyProgressRead(WireModel):
    """What the reader did in a round."""

    tries: int
    fooled: int
    verified_fooled: int
    pending: int
    votes: int


class CreditRead(WireModel):
    """What a person did in one task."""

    task_slug: str
    round_number: int
    tries: int
    fooled: int
    verified_fooled: int
    pending: int
    votes: int


class CurrentRoundRead(WireModel):
    """A task's latest round and how hard its target is today."""

    task_slug: str
    round: RoundRead
    error_rate: ErrorRateRead
