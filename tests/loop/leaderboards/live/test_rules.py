"""Laws of a round's live numbers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.leaderboards.humans.values import VotedItem
from dynabench.loop.leaderboards.live.rules import (
    backlog_by_day,
    budget_ends,
    fill_hours,
    human_gap,
    pace,
    poisson_interval,
    project,
    running_curve,
    seconds_per_validated_fooling,
    settling_hours,
    some_days,
)
from dynabench.loop.leaderboards.live.values import (
    BudgetEnd,
    BudgetKind,
    Effort,
    EndReason,
    GapReason,
    HumanGap,
    Pace,
    Queue,
    Recent,
    RoundFacts,
    VotedExample,
)
from dynabench.loop.rounds.values import (
    Arm,
    GoldFrom,
    Round,
    RoundBudget,
    RoundStatus,
    RoundValidation,
    ValidationMode,
)
from dynabench.loop.validations.folds.values import AnnotatorDay, Tally
from dynabench.science.statistics.rates import Rate

NOW = datetime(2026, 5, 20, 12, 30, tzinfo=UTC)
_PEOPLE = [UUID(int=number) for number in range(1, 15)]


@st.composite
def _days(draw: st.DrawFn) -> AnnotatorDay:
    collected = draw(st.integers(0, 30))
    fooled = draw(st.integers(0, collected))
    return AnnotatorDay(
        annotator_id=draw(st.sampled_from(_PEOPLE)),
        day=date(2026, 5, 1) + timedelta(days=draw(st.integers(0, 90))),
        arm=Arm.TARGET,
        tally=Tally(
            collected=collected,
            fooled=fooled,
            verified_fooled=draw(st.integers(0, fooled)),
            pending=draw(st.integers(0, collected)),
        ),
    )


def _round(
    *,
    status: RoundStatus = RoundStatus.OPEN,
    budget: RoundBudget | None = None,
    validation: RoundValidation | None = None,
    opened_at: datetime | None = NOW - timedelta(days=3),
) -> Round:
    return Round(
        id=UUID(int=1),
        task_id=UUID(int=2),
        task_slug="nli",
        number=1,
        status=status,
        config_version=1,
        targets=(),
        arm_secret=UUID(int=3),
        is_replay=False,
        people_are_known=True,
        budget=budget or RoundBudget(),
        validation=validation or RoundValidation(),
        created_at=NOW - timedelta(days=4),
        opened_at=opened_at,
        closed_at=None,
        released_at=None,
        close_reason=None,
    )


def _facts(*days: AnnotatorDay, collected: int = 0, attempts: int = 0) -> RoundFacts:
    return RoundFacts(
        days=days,
        collected=collected,
        recent=Recent(
            attempts_hour=0,
            attempts_day=0,
            attempts_week=attempts,
            hours=[],
            fooling_week=0,
            votes_hour=0,
            votes_day=0,
            annotators=0,
            validators=0,
        ),
        queue=Queue(waiting=0, votes_wanted=0, lent=0, disputed=0, days=[]),
        writing=Effort(whole=0, timed=0, seconds=0),
        voting=Effort(whole=0, timed=0, seconds=0),
        voted=[],
    )


@given(days=st.lists(_days(), unique_by=lambda row: (row.annotator_id, row.day)))
def test_a_curve_only_ever_collects_more_and_ends_with_everything(
    days: list[AnnotatorDay],
) -> None:
    curve = running_curve(days, people_are_known=True, most=10)
    assert [point.day for point in curve] == sorted({point.day for point in curve})
    assert len(curve) <= 10
    assert bool(curve) == bool(days)
    collected = [point.collected for point in curve]
    assert collected == sorted(collected)
    for point in curve:
        mer, vmer = point.model_error_rate, point.validated_model_error_rate
        assert vmer.rate.part <= mer.rate.part
        assert mer.rate.whole == vmer.rate.whole == point.collected
        if mer.interval is not None:
            assert mer.interval.low <= (mer.rate.value or 0) <= mer.interval.high
    if days:
        total = sum((row.tally for row in days), start=Tally())
        assert curve[-1].collected == total.collected
        assert curve[-1].model_error_rate.rate == Rate(total.fooled, total.collected)


@given(count=st.integers(1, 300), most=st.integers(2, 60))
def test_few_days_keep_both_ends(count: int, most: int) -> None:
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(count)]
    chosen = some_days(days, most=most)
    assert chosen[0] == days[0]
    assert chosen[-1] == days[-1]
    assert len(chosen) == min(count, most)
    assert len(set(chosen)) == len(chosen)


@given(
    moves=st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 10)).map(
            lambda one: (one[0], one[0] + one[1])
        ),
        max_size=40,
    )
)
def test_a_backlog_is_what_came_and_is_not_settled_yet(moves: list[tuple[int, int]]) -> None:
    start = date(2026, 5, 1)
    by_day: dict[date, tuple[int, int]] = {}
    for came, settled in moves:
        for offset, change in ((came, (1, 0)), (settled, (0, 1))):
            day = start + timedelta(days=offset)
            before = by_day.get(day, (0, 0))
            by_day[day] = (before[0] + change[0], before[1] + change[1])
    found = backlog_by_day([(day, *counts) for day, counts in by_day.items()])
    for day, waiting in found:
        moment = (day - start).days
        assert waiting == sum(came <= moment < settled for came, settled in moves)


@given(count=st.integers(3, 10_000), hours=st.floats(0.1, 168), left=st.integers(1, 10_000))
def test_a_projected_end_lies_within_its_range_and_in_the_future(
    count: int, hours: float, left: int
) -> None:
    end = BudgetEnd(kind=BudgetKind.EXAMPLES, limit=left + 5, used=5)
    found = project(end, Pace(count=count, hours=hours), now=NOW)
    if found.expected_at is None:
        assert found.reason is EndReason.NO_PACE
        return
    assert found.earliest_at is not None
    assert NOW <= found.earliest_at <= found.expected_at
    assert found.latest_at is None or found.expected_at <= found.latest_at


@given(count=st.integers(1, 100_000))
def test_a_count_lies_within_its_interval(count: int) -> None:
    low, high = poisson_interval(count)
    assert 0 <= low < count < high


def test_the_end_of_a_budget_has_a_reason_where_there_is_none() -> None:
    budget = RoundBudget(examples=100, days=10, validated_fooling=20)
    open_ = _round(budget=budget)
    slow = budget_ends(open_, _facts(collected=50, attempts=2), now=NOW)
    assert [end.reason for end in slow] == [EndReason.NO_PACE, EndReason.NO_PACE, None]
    # Thirty in three days, so the fifty that are left take five.
    steady = budget_ends(open_, _facts(collected=50, attempts=30), now=NOW)
    assert steady[0].expected_at == NOW + timedelta(days=5)
    assert steady[2].expected_at == NOW + timedelta(days=7)
    spent = budget_ends(open_, _facts(collected=100, attempts=30), now=NOW)
    assert spent[0].reason is EndReason.REACHED
    assert budget_ends(replace(open_, opened_at=NOW - timedelta(days=11)), _facts(), now=NOW)[
        2
    ].reason is (EndReason.REACHED)
    closed = replace(open_, status=RoundStatus.CLOSED)
    reasons = [end.reason for end in budget_ends(closed, _facts(attempts=30), now=NOW)]
    assert reasons == [EndReason.NOT_OPEN] * 3
    assert budget_ends(_round(), _facts(), now=NOW) == []
    eternal = BudgetEnd(kind=BudgetKind.EXAMPLES, limit=10**9, used=0)
    assert project(eternal, Pace(count=3, hours=168), now=NOW).reason is EndReason.NO_PACE


def test_a_pace_counts_from_the_opening_and_is_none_without_time() -> None:
    day = timedelta(days=1)
    young = pace(6, window=day, opened_at=NOW - timedelta(hours=2), now=NOW)
    assert (young.hours, young.per_hour) == (2, 3)
    assert pace(6, window=day, opened_at=NOW - timedelta(days=9), now=NOW).per_hour == 0.25
    assert pace(6, window=day, opened_at=None, now=NOW).hours == 24
    assert pace(0, window=day, opened_at=NOW, now=NOW).per_hour is None
    assert settling_hours(10, young) == pytest.approx(10 / 3)
    assert settling_hours(0, Pace(count=0, hours=1)) == 0
    assert settling_hours(1, Pace(count=0, hours=1)) is None


def test_an_hour_without_attempts_counts_none_of_them() -> None:
    since = NOW - timedelta(hours=2)
    busy = datetime(2026, 5, 20, 11, tzinfo=UTC)
    assert [count for _, count in fill_hours([(busy, 4)], since=since, now=NOW)] == [0, 4, 0]


def test_the_time_of_what_was_not_timed_is_taken_like_the_others() -> None:
    day = AnnotatorDay(
        annotator_id=_PEOPLE[0],
        day=NOW.date(),
        arm=Arm.TARGET,
        tally=Tally(collected=10, fooled=5, verified_fooled=2),
    )
    facts = replace(
        _facts(day),
        writing=Effort(whole=10, timed=5, seconds=100),
        voting=Effort(whole=4, timed=4, seconds=40),
    )
    assert seconds_per_validated_fooling(facts) == (200 + 40) / 2
    untimed = replace(facts, voting=Effort(whole=4, timed=0, seconds=0))
    assert seconds_per_validated_fooling(untimed) == 100
    few = replace(facts, writing=Effort(whole=100, timed=1, seconds=3))
    assert seconds_per_validated_fooling(few) is None
    assert seconds_per_validated_fooling(_facts(day)) is None
    assert seconds_per_validated_fooling(replace(facts, days=[])) is None


def _voted(
    *answers: str,
    gold: str = "a",
    fooled: bool = True,
    by: Sequence[UUID] = _PEOPLE,
    author: UUID = _PEOPLE[0],
) -> VotedExample:
    said = [{"label": a} for a in answers]
    item = VotedItem(f"{gold}{answers}{fooled}", {"label": gold}, b"", said, by[: len(answers)])
    return VotedExample(item=item, author=author, fooled=fooled)


def test_people_are_judged_by_a_gold_of_others_on_what_the_targets_are_judged_on() -> None:
    blind = RoundValidation(mode=ValidationMode.BLIND)
    voted = [_voted("a", "a", "b"), _voted("a", "a", fooled=False, author=_PEOPLE[1])]
    found = human_gap(voted, _round(validation=blind), lambda one, other: one == other)
    assert (found.people.rate, found.targets.rate) == (Rate(4, 5), Rate(1, 2))
    assert found.gap == pytest.approx(0.3)
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low < 0.3 < found.high <= 1
    by_votes = replace(blind, gold_from=GoldFrom.VALIDATORS)
    # Of "a a b" only the answer that two others contradict has a gold.
    alone = human_gap(voted[:1], _round(validation=by_votes), lambda one, other: one == other)
    assert alone.people.rate == Rate(0, 1)


def test_a_gap_is_as_sure_as_validators_and_authors_are_many() -> None:
    def gap(validators: int, authors: int, *, people_are_known: bool = True) -> HumanGap:
        # Every validator answers 60 examples; the first is right on all, the last on none.
        voted = [
            _voted(
                "a" if place % validators <= validators // 2 else "b",
                fooled=place % 3 > 0,
                by=[_PEOPLE[place % validators]],
                author=_PEOPLE[place % authors],
            )
            for place in range(60 * validators)
        ]
        round_ = _round(validation=RoundValidation(mode=ValidationMode.BLIND))
        known = replace(round_, people_are_known=people_are_known)
        return human_gap(voted, known, lambda one, other: one == other)

    few, many = gap(3, 7), gap(12, 7)
    assert few.reason is None
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert many.high is not None
    # One of three who differ may be anybody: 180 answers say next to nothing of others.
    assert few.high - few.low > 0.6 > many.high - many.low
    assert few.people.interval is not None
    assert few.people.interval.method == "beta_binomial"
    for alone, reason in (
        (gap(1, 7), GapReason.ONE_VALIDATOR),
        (gap(3, 1), GapReason.ONE_AUTHOR),
        (gap(3, 7, people_are_known=False), GapReason.AUTHORS_UNKNOWN),
    ):
        assert alone.gap is not None
        assert (alone.low, alone.high, alone.reason) == (None, None, reason)


def test_a_gap_that_nobody_can_know_has_a_reason() -> None:
    review = human_gap([_voted("a")], _round(), lambda one, other: one == other)
    assert (review.gap, review.reason) == (None, GapReason.REVIEWED)
    blind = _round(validation=RoundValidation(mode=ValidationMode.BLIND))
    assert human_gap([], blind, lambda one, other: one == other).reason is GapReason.NO_ANSWERS
