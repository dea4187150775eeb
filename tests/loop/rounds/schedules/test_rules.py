"""Which times an owner may set, and when a round is over by them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
from pydantic import ValidationError

from dynabench.loop.rounds.errors import RoundSettingsError
from dynabench.loop.rounds.schedules.rules import require_schedule, why_over
from dynabench.loop.rounds.schemas import Schedule
from dynabench.loop.rounds.values import Round, RoundBudget, RoundSchedule, RoundStatus

_NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
_HOUR = timedelta(hours=1)
_NONE = RoundSchedule()
_ROUND = Round(
    id=uuid4(),
    task_id=uuid4(),
    task_slug="nli",
    number=2,
    status=RoundStatus.OPEN,
    config_version=1,
    targets=(),
    arm_secret=uuid4(),
    is_replay=False,
    created_at=_NOW,
    opened_at=_NOW,
    closed_at=None,
    released_at=None,
    close_reason=None,
)


@pytest.mark.parametrize(
    ("opens", "closes", "fields"),
    [
        (_HOUR, 2 * _HOUR, set()),
        (_HOUR, None, set()),
        (None, _HOUR, set()),
        (2 * _HOUR, _HOUR, {"schedule.closes_at"}),
        (_HOUR, _HOUR, {"schedule.closes_at"}),
        (-_HOUR, None, {"schedule.opens_at"}),
        (None, -_HOUR, {"schedule.closes_at"}),
        (None, timedelta(0), {"schedule.closes_at"}),
        (timedelta(days=3651), None, {"schedule.opens_at"}),
        (None, timedelta(days=3651), {"schedule.closes_at"}),
        (-2 * _HOUR, -_HOUR, {"schedule.opens_at", "schedule.closes_at"}),
    ],
)
def test_times_lie_ahead_and_in_order(
    opens: timedelta | None, closes: timedelta | None, fields: set[str]
) -> None:
    schedule = RoundSchedule(
        opens_at=None if opens is None else _NOW + opens,
        closes_at=None if closes is None else _NOW + closes,
    )
    found: set[str] = set()
    try:
        require_schedule(schedule, before=_NONE, now=_NOW)
    except RoundSettingsError as error:
        found = set(error.fields)
    assert found == fields


def test_what_stays_as_it_was_may_have_passed() -> None:
    past = RoundSchedule(opens_at=_NOW - 2 * _HOUR, closes_at=_NOW - _HOUR)
    require_schedule(past, before=past, now=_NOW)
    longer = replace(past, closes_at=_NOW + _HOUR)
    require_schedule(longer, before=past, now=_NOW, begun_at=past.opens_at)


def test_the_opening_of_a_round_that_takes_examples_stays() -> None:
    before = RoundSchedule(opens_at=_NOW - _HOUR)
    for opens_at in (None, _NOW + _HOUR):
        with pytest.raises(RoundSettingsError, match="takes examples already"):
            require_schedule(
                RoundSchedule(opens_at=opens_at), before=before, now=_NOW, begun_at=before.opens_at
            )
    still_ahead = RoundSchedule(opens_at=_NOW + _HOUR)
    require_schedule(_NONE, before=still_ahead, now=_NOW, begun_at=still_ahead.opens_at)


def test_a_round_does_not_open_after_its_closing() -> None:
    over = RoundSchedule(opens_at=_NOW - 2 * _HOUR, closes_at=_NOW - _HOUR)
    with pytest.raises(RoundSettingsError, match="closing lies in the past"):
        require_schedule(over, now=_NOW)
    require_schedule(replace(over, closes_at=_NOW + _HOUR), now=_NOW)


def test_what_opens_now_opens_within_ten_years() -> None:
    with pytest.raises(RoundSettingsError, match="more than ten years ahead") as refused:
        require_schedule(RoundSchedule(opens_at=_NOW + timedelta(days=3651)), now=_NOW)
    assert set(refused.value.fields) == {"schedule.opens_at"}
    require_schedule(RoundSchedule(opens_at=_NOW - _HOUR), now=_NOW)


def test_days_that_end_behind_the_last_day_of_all_are_never_over() -> None:
    at_the_end = RoundSchedule(opens_at=datetime(9999, 12, 31, tzinfo=UTC))
    round_ = replace(_ROUND, budget=RoundBudget(days=3650), schedule=at_the_end)
    assert round_.days_end_at is None
    assert why_over(round_, now=_NOW) is None


def test_the_days_of_a_budget_count_from_the_first_examples() -> None:
    opens_at = _NOW + timedelta(days=3)
    round_ = replace(_ROUND, budget=RoundBudget(days=2), schedule=RoundSchedule(opens_at=opens_at))
    assert round_.days_end_at == opens_at + timedelta(days=2)
    assert why_over(round_, now=opens_at + timedelta(days=1)) is None
    assert why_over(round_, now=opens_at + timedelta(days=2)) == "Its days are over."
    late = replace(round_, opened_at=opens_at + _HOUR)
    assert late.days_end_at == opens_at + _HOUR + timedelta(days=2)
    assert replace(round_, opened_at=None).days_end_at is None


def test_a_round_is_over_at_its_closing_and_not_before() -> None:
    round_ = replace(_ROUND, schedule=RoundSchedule(closes_at=_NOW + _HOUR))
    assert why_over(round_, now=_NOW + _HOUR - timedelta(microseconds=1)) is None
    assert why_over(round_, now=_NOW + _HOUR) == "Its closing time has come."
    assert why_over(_ROUND, now=_NOW + timedelta(days=9999)) is None


def test_a_time_needs_its_zone_and_is_kept_in_utc() -> None:
    told = Schedule.model_validate({"opens_at": "2027-03-01T10:00:00+01:00"})
    assert told.opens_at == _NOW
    assert told.opens_at is not None
    assert told.opens_at.tzinfo is UTC
    with pytest.raises(ValidationError, match="Say the time zone too"):
        Schedule.model_validate({"closes_at": "2027-03-01T10:00:00"})
    east = timezone(timedelta(hours=14))
    with pytest.raises(ValidationError, match="no such time in UTC"):
        Schedule(opens_at=datetime(1, 1, 1, tzinfo=east))
