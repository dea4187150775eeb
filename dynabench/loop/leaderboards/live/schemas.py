"""Wire shapes of the numbers of a round while it runs."""

from datetime import date, datetime
from uuid import UUID

from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.live.values import BudgetKind, EndReason, GapReason
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.validations.schemas import RateRead


class PaceRead(WireModel):
    """So many in so many hours; `per_hour` is null where there was no time."""

    count: int
    hours: float
    per_hour: float | None


class HourRead(WireModel):
    """An hour's attempts."""

    starts_at: datetime
    attempts: int


class CollectionRead(WireModel):
    """How fast a round collects: attempts of every arm, over the last hour and the last day.

    `annotators` wrote within the last quarter of an hour. Null where the round is not open.
    """

    last_hour: PaceRead
    last_day: PaceRead
    hours: list[HourRead]
    annotators: int


class CurvePointRead(WireModel):
    """The error rates over everything written up to the end of a day, by the verdicts of now.

    `pending` of them still wait for their verdict, so the validated rate is a lower bound, and
    its interval holds what it may become.
    """

    day: date
    collected: int
    pending: int
    model_error_rate: RateRead
    validated_model_error_rate: RateRead


class BacklogDay(WireModel):
    """How many examples waited for validators at the end of a day."""

    day: date
    waiting: int


class BacklogRead(WireModel):
    """What waits for validators, and how fast votes come in.

    Attributes:
        waiting: Examples up for validation without a verdict.
        votes_wanted: The fewest votes that would settle them all.
        lent: Of these, examples that somebody is looking at.
        disputed: Examples with all their votes and no verdict; experts decide them.
        last_hour: Votes of the last hour.
        last_day: Votes of the last day.
        hours_left: The votes wanted at the last day's pace; null without one.
        validators: Who voted within the last quarter of an hour.
        days: How many waited at the end of each day.
    """

    waiting: int
    votes_wanted: int
    lent: int
    disputed: int
    last_hour: PaceRead
    last_day: PaceRead
    hours_left: float | None
    validators: int
    days: list[BacklogDay]


class EffortRead(WireModel):
    """How long people work for one validated fooling example.

    All attempts and all votes on them over the validated fooling ones; what was not timed
    counts as long as what was. Null where fewer than half of the attempts were timed, and
    without a validated fooling example.
    """

    seconds_per_validated_fooling: float | None
    validated_fooling: int
    attempts: int
    timed_attempts: int
    votes: int
    timed_votes: int


class LiveGapRead(WireModel):
    """People's blind answers and the targets' on the same verified examples, as shares of 1.

    Examples that fool are validated first, so this is the gap on what the round collects.
    `gap` is null with a reason: `reviewed` where validators see the author's answer,
    `no_answers` where nobody answered yet. Its ends come from both rates' own intervals, of
    people over validators and of targets over authors. They are null with a reason:
    `one_validator` where one person answered, `one_author` where one person wrote, and
    `authors_unknown` where nobody knows who did.
    """

    people: RateRead
    targets: RateRead
    gap: float | None
    low: float | None
    high: float | None
    reason: GapReason | None


class BudgetEndRead(WireModel):
    """When a part of the budget will be spent by the pace of the last seven days.

    The range is that of the pace; `expected_at` is null with a reason.
    """

    kind: BudgetKind
    limit: int
    used: int
    expected_at: datetime | None
    earliest_at: datetime | None
    latest_at: datetime | None
    reason: EndReason | None


class RoundNumbersRead(WireModel):
    """A round's numbers as of a moment. Rates count the target arm alone."""

    round_id: UUID
    task_slug: str
    round_number: int
    status: RoundStatus
    collection: CollectionRead | None
    model_error_rate: RateRead
    validated_model_error_rate: RateRead
    pending: int
    curve: list[CurvePointRead]
    backlog: BacklogRead
    effort: EffortRead
    human_gap: LiveGapRead
    ends: list[BudgetEndRead]
    as_of: datetime


class TaskNumbersRead(WireModel):
    """The numbers of a task's latest round; null before its first one."""

    task_slug: str
    round: RoundNumbersRead | None
