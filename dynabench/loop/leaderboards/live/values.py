"""What the numbers of a round are computed from, and what comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from dynabench.loop.leaderboards.humans.values import VotedItem
from dynabench.loop.validations.folds.values import AnnotatorDay
from dynabench.loop.validations.rates.values import RateWithInterval

ACTIVE_FOR = timedelta(minutes=15)
"""Who wrote or voted this short a time ago counts as being at work."""

PACE_WINDOW = timedelta(days=7)
"""The pace by which the end of a budget is projected is that of this long."""


class BudgetKind(StrEnum):
    """What a round's budget is made of."""

    EXAMPLES = "examples"
    DAYS = "days"
    VALIDATED_FOOLING = "validated_fooling"


class EndReason(StrEnum):
    """Why there is no projected end."""

    NOT_OPEN = "not_open"
    NO_PACE = "no_pace"
    REACHED = "reached"


class GapReason(StrEnum):
    """Why there is no gap between people and models, or no interval of it."""

    REVIEWED = "reviewed"
    NO_ANSWERS = "no_answers"
    ONE_VALIDATOR = "one_validator"
    ONE_AUTHOR = "one_author"
    AUTHORS_UNKNOWN = "authors_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """What happened in a round up to now.

    Attempts are those of every arm; votes those on arms of which their authors may know what
    the models answered.

    Attributes:
        attempts_hour: Attempts of the last hour; `attempts_day` and `attempts_week` likewise.
        hours: Attempts by the hour in which they were stored, of the last day.
        fooling_week: Examples that were found validated and fooling in the last week.
        votes_hour: Votes of the last hour, and `votes_day` of the last day.
        annotators: Who wrote within `ACTIVE_FOR`.
        validators: Who voted within it.
    """

    attempts_hour: int
    attempts_day: int
    attempts_week: int
    hours: Sequence[tuple[datetime, int]]
    fooling_week: int
    votes_hour: int
    votes_day: int
    annotators: int
    validators: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What waits for validators, of arms whose authors may know what the models answered.

    Attributes:
        waiting: Examples without a verdict that are up for validation.
        votes_wanted: The fewest votes that would settle them all.
        lent: How many of them somebody is looking at.
        disputed: Examples with all their votes and no verdict.
        days: Examples that came up, and that were settled, by day.
    """

    waiting: int
    votes_wanted: int
    lent: int
    disputed: int
    days: Sequence[tuple[date, int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long people worked on something: `seconds` are those of the `timed` among `whole`.

    What a few were timed at says nothing of the others: at least half of them have to be.
    """

    whole: int
    timed: int
    seconds: float

    @property
    def estimate(self) -> float | None:
        """The time of the whole, the untimed taken as long as the timed; None of too few."""
        is_enough = self.timed > 0 and 2 * self.timed >= self.whole
        return self.seconds / self.timed * self.whole if is_enough else None


@dataclass(frozen=True, slots=True, kw_only=True)
class VotedExample:
    """A verified example with what blind validators answered, and whether it fooled.

    Attributes:
        item: The example with its answers.
        author: Who wrote it; a pseudonym for this example alone where that is not known.
        fooled: Whether it fooled its target.
    """

    item: VotedItem
    author: UUID
    fooled: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """All that the numbers of a round are computed from.

    Attributes:
        days: Counts of the counted arms by annotator and day.
        collected: Collected attempts of every arm, as budgets count them.
        recent: What happened lately.
        queue: What waits for validators.
        writing: The time of the counted arms' attempts.
        voting: The time of the votes on them.
        voted: Verified examples with blind answers; empty where validators do not answer.
    """

    days: Sequence[AnnotatorDay]
    collected: int
    recent: Recent
    queue: Queue
    writing: Effort
    voting: Effort
    voted: Sequence[VotedExample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """So many in so long; `per_hour` is None where there was no time."""

    count: int
    hours: float

    @property
    def per_hour(self) -> float | None:
        """How many an hour that is."""
        return self.count / self.hours if self.hours > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetEnd:
    """When a budget will be spent, by the pace of the last days.

    Attributes:
        kind: Which budget.
        limit: How much of it there is.
        used: How much is spent.
        expected_at: When the rest is gone; None with a reason.
        earliest_at: When at the upper end of the pace's 95 % interval.
        latest_at: When at its lower end; None where that is out of sight.
        reason: Why there is no projection.
    """

    kind: BudgetKind
    limit: int
    used: int
    expected_at: datetime | None = None
    earliest_at: datetime | None = None
    latest_at: datetime | None = None
    reason: EndReason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanGap:
    """How much more often people's blind answers are right than the targets' on the same examples.

    Attributes:
        people: Right answers of validators, by a gold that is not their own; the interval is
            over validators.
        targets: The same examples that did not fool; the interval is over their authors.
        gap: The difference of both rates; None with a reason.
        low: The lower end of its 95 % interval, and `high` the upper; None with a reason.
        reason: Why there is no gap, or no interval.
    """

    people: RateWithInterval
    targets: RateWithInterval
    gap: float | None = None
    low: float | None = None
    high: float | None = None
    reason: GapReason | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """A round's error rates over everything collected up to the end of a day."""

    day: date
    collected: int
    pending: int
    model_error_rate: RateWithInterval
    validated_model_error_rate: RateWithInterval
