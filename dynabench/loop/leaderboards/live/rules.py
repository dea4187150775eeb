"""From the rows of a round to its numbers: pace, curves, backlog, projected ends, the gap."""

import math
from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from dynabench.loop.leaderboards.humans.rules import judge_answers
from dynabench.loop.leaderboards.live.values import (
    PACE_WINDOW,
    BudgetEnd,
    BudgetKind,
    CurvePoint,
    EndReason,
    GapReason,
    HumanGap,
    Pace,
    RoundFacts,
    VotedExample,
)
from dynabench.loop.rounds.values import GoldFrom, Round, RoundStatus, ValidationMode
from dynabench.loop.validations.folds.values import AnnotatorDay, Tally
from dynabench.loop.validations.rates.rules import error_rates
from dynabench.loop.validations.rates.values import RateWithInterval
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.planning import rate_change
from dynabench.science.statistics.rates import Z_95, Rate, total

MOST_POINTS = 60
"""A curve of more days is drawn through so many of them."""

_LEAST_EVENTS = 3
# Further away than this a date is no projection.
_HORIZON = timedelta(days=3650)
_HOUR = timedelta(hours=1)


def pace(count: int, *, window: timedelta, opened_at: datetime | None, now: datetime) -> Pace:
    """Return a pace over a window, or over the time since the opening where that is shorter."""
    since = now - window if opened_at is None else max(now - window, opened_at)
    return Pace(count=count, hours=max(now - since, timedelta()) / _HOUR)


def fill_hours(
    counts: Sequence[tuple[datetime, int]], *, since: datetime, now: datetime
) -> list[tuple[datetime, int]]:
    """Return a count for every hour from one moment to another; an hour without any has 0."""
    found = dict(counts)
    hour = since.replace(minute=0, second=0, microsecond=0)
    hours = []
    while hour <= now:
        hours.append((hour, found.get(hour, 0)))
        hour += _HOUR
    return hours


def some_days(days: Sequence[date], *, most: int = MOST_POINTS) -> list[date]:
    """Return at most so many of the days, evenly chosen, the first and the last among them."""
    if len(days) <= most:
        return list(days)
    step = (len(days) - 1) / (most - 1)
    return [days[round(place * step)] for place in range(most)]


def running_curve(
    days: Sequence[AnnotatorDay], *, people_are_known: bool, most: int = MOST_POINTS
) -> list[CurvePoint]:
    """Return the error rates over everything written up to each day, with their intervals.

    A day's point counts what was written by then with the verdicts of now, so vMER rises at
    every point as votes come in; `pending` tells how many still wait.
    """
    rows = sorted(days, key=lambda row: row.day)
    shown = set(some_days(sorted({row.day for row in rows}), most=most))
    tallies: dict[UUID, Tally] = {}
    points = []
    for place, row in enumerate(rows):
        tallies[row.annotator_id] = tallies.get(row.annotator_id, Tally()) + row.tally
        is_last = place + 1 == len(rows) or rows[place + 1].day != row.day
        if not is_last or row.day not in shown:
            continue
        so_far = sum(tallies.values(), start=Tally())
        rates = error_rates(list(tallies.values()), people_are_known=people_are_known)
        points.append(
            CurvePoint(
                day=row.day,
                collected=so_far.collected,
                pending=so_far.pending,
                model_error_rate=rates.model_error_rate,
                validated_model_error_rate=rates.validated_model_error_rate,
            )
        )
    return points


def backlog_by_day(
    days: Sequence[tuple[date, int, int]], *, most: int = MOST_POINTS
) -> list[tuple[date, int]]:
    """Return how many examples waited at the end of each day.

    Args:
        days: For each day how many came up for validation, and how many were settled.
        most: At most so many points.
    """
    waiting, found = 0, dict[date, int]()
    for day, came, settled in sorted(days):
        waiting += came - settled
        found[day] = waiting
    return [(day, found[day]) for day in some_days(list(found), most=most)]


def seconds_per_validated_fooling(facts: RoundFacts) -> float | None:
    """Return how long people wrote and voted for one validated fooling example.

    The time of all attempts, whatever became of them, and of all votes on them, over the
    validated fooling ones. What was not timed counts as long as what was; votes of which fewer
    than half were timed are left out. None where fewer than half of the attempts were timed,
    and without a validated fooling example.
    """
    verified = sum(row.tally.verified_fooled for row in facts.days)
    writing = facts.writing.estimate
    if writing is None or not verified:
        return None
    return (writing + (facts.voting.estimate or 0.0)) / verified


def settling_hours(votes_wanted: int, found: Pace) -> float | None:
    """Return how long the votes that are wanted take at a pace; None where none are cast."""
    if not votes_wanted:
        return 0.0
    return votes_wanted / found.per_hour if found.per_hour else None


def budget_ends(round_: Round, facts: RoundFacts, *, now: datetime) -> list[BudgetEnd]:
    """Return when each part of a round's budget will be spent."""
    budget, recent = round_.budget, facts.recent
    verified = sum(row.tally.verified_fooled for row in facts.days)
    ends = []
    if budget.examples is not None:
        end = BudgetEnd(kind=BudgetKind.EXAMPLES, limit=budget.examples, used=facts.collected)
        ends.append(_projected(end, recent.attempts_week, round_, now))
    if budget.validated_fooling is not None:
        end = BudgetEnd(
            kind=BudgetKind.VALIDATED_FOOLING, limit=budget.validated_fooling, used=verified
        )
        ends.append(_projected(end, recent.fooling_week, round_, now))
    if budget.days is not None:
        ends.append(_last_day(budget.days, round_, now))
    return ends


def project(end: BudgetEnd, pace_: Pace, *, now: datetime) -> BudgetEnd:
    """Return when what is left of a budget will be gone, going on as of late.

    The range is that of the pace: counts are taken as Poisson, with Byar's approximation of
    their 95 % interval.
    """
    left = end.limit - end.used
    if left <= 0:
        return _without(end, EndReason.REACHED)
    if pace_.count < _LEAST_EVENTS or pace_.hours <= 0:
        return _without(end, EndReason.NO_PACE)
    low, high = poisson_interval(pace_.count)
    expected = _after(now, left * pace_.hours / pace_.count)
    if expected is None:
        return _without(end, EndReason.NO_PACE)
    return BudgetEnd(
        kind=end.kind,
        limit=end.limit,
        used=end.used,
        expected_at=expected,
        earliest_at=_after(now, left * pace_.hours / high),
        latest_at=_after(now, left * pace_.hours / low),
    )


def poisson_interval(count: int) -> tuple[float, float]:
    """Return Byar's 95 % interval of a count of at least 1.

    n(1 - 1/9n - z/3√n)³ and (n+1)(1 - 1/9(n+1) + z/3√(n+1))³ (Breslow and Day 1987,
    "Statistical methods in cancer research", volume 2).

    Example:
        >>> low, high = poisson_interval(10)
        >>> round(low, 2), round(high, 2)
        (4.78, 18.39)
    """
    above = count + 1
    low = count * (1 - 1 / (9 * count) - Z_95 / (3 * math.sqrt(count))) ** 3
    high = above * (1 - 1 / (9 * above) + Z_95 / (3 * math.sqrt(above))) ** 3
    return max(low, 0.0), high


def human_gap(
    voted: Sequence[VotedExample],
    round_: Round,
    is_same: Callable[[object, object], bool],
) -> HumanGap:
    """Return how much more often people are right than the round's targets.

    Both are judged on the same verified examples: a validator's blind answer by a gold that
    this validator had no part in, the targets by whether they were fooled. Examples that
    fool are validated first, so this is the gap on what the round collects, not on ordinary
    text. What one validator answers is alike, and so is what one author's examples do, so
    each rate has its interval over these people; the gap's is put together from both.
    """
    nothing = RateWithInterval(rate=Rate(0, 0), interval=None)
    if round_.validation.mode is not ValidationMode.BLIND:
        return HumanGap(people=nothing, targets=nothing, reason=GapReason.REVIEWED)
    by_validator, by_author = _judged(voted, round_.validation.gold_from, is_same)
    people = _over(by_validator, are_known=True)
    targets = _over(by_author, are_known=round_.people_are_known)
    if people.rate.value is None or targets.rate.value is None:
        return HumanGap(people=people, targets=targets, reason=GapReason.NO_ANSWERS)
    change = rate_change(
        before=(targets.rate, targets.interval), after=(people.rate, people.interval)
    )
    reason = None
    if people.interval is None:
        reason = GapReason.ONE_VALIDATOR
    elif targets.interval is None:
        is_one = round_.people_are_known
        reason = GapReason.ONE_AUTHOR if is_one else GapReason.AUTHORS_UNKNOWN
    return HumanGap(
        people=people,
        targets=targets,
        gap=people.rate.value - targets.rate.value,
        low=None if change is None else change.low,
        high=None if change is None else change.high,
        reason=reason,
    )


def _over(rates: Collection[Rate], *, are_known: bool) -> RateWithInterval:
    interval = clustered_interval(list(rates)) if are_known else None
    return RateWithInterval(rate=total(rates), interval=interval)


def _judged(
    voted: Sequence[VotedExample],
    gold_from: GoldFrom,
    is_same: Callable[[object, object], bool],
) -> tuple[Collection[Rate], Collection[Rate]]:
    """Return each validator's rate of right answers, and each author's of what did not fool."""
    people: dict[UUID, Rate] = {}
    targets: dict[UUID, Rate] = {}
    for one in voted:
        judged = judge_answers([one.item], gold_from=gold_from, is_same=is_same)
        for answer in judged:
            who = answer.validator
            is_right = is_same(answer.gold, answer.answer)
            people[who] = people.get(who, Rate(0, 0)) + Rate(int(is_right), 1)
        if judged and one.fooled is not None:
            so_far = targets.get(one.author, Rate(0, 0))
            targets[one.author] = so_far + Rate(int(not one.fooled), 1)
    return people.values(), targets.values()


def _projected(end: BudgetEnd, events: int, round_: Round, now: datetime) -> BudgetEnd:
    if end.used < end.limit and round_.status is not RoundStatus.OPEN:
        return _without(end, EndReason.NOT_OPEN)
    found = pace(events, window=PACE_WINDOW, opened_at=round_.opened_at, now=now)
    return project(end, found, now=now)


def _last_day(days: int, round_: Round, now: datetime) -> BudgetEnd:
    begin, last = round_.collects_from, round_.days_end_at
    used = 0 if begin is None else max(min((now - begin).days, days), 0)
    end = BudgetEnd(kind=BudgetKind.DAYS, limit=days, used=used)
    if used >= days:
        return _without(end, EndReason.REACHED)
    if last is None or round_.status is not RoundStatus.OPEN:
        return _without(end, EndReason.NOT_OPEN)
    return BudgetEnd(
        kind=end.kind, limit=days, used=used, expected_at=last, earliest_at=last, latest_at=last
    )


def _without(end: BudgetEnd, reason: EndReason) -> BudgetEnd:
    return BudgetEnd(kind=end.kind, limit=end.limit, used=end.used, reason=reason)


def _after(now: datetime, hours: float) -> datetime | None:
    return now + timedelta(hours=hours) if hours <= _HORIZON / _HOUR else None
