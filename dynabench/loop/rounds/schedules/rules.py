"""Decisions about the times of rounds: which may be set, and what they allow now."""

from datetime import datetime, timedelta

from dynabench.loop.rounds.errors import RoundNotBegunError, RoundOverError, RoundSettingsError
from dynabench.loop.rounds.values import Round, RoundSchedule

_FARTHEST = timedelta(days=3650)
_CLOSED_AT_ITS_TIME = "Its closing time has come."
_DAYS_OVER = "Its days are over."


def require_within(schedule: RoundSchedule, *, round_number: int, now: datetime) -> None:
    """Refuse examples of an open round before and after its set times.

    Raises:
        RoundNotBegunError: If its opening is still to come.
        RoundOverError: If its closing has come, whether or not it is carried out yet.
    """
    opens_at, closes_at = schedule.opens_at, schedule.closes_at
    if opens_at is not None and now < opens_at:
        raise RoundNotBegunError(round_number=round_number, opens_at=opens_at)
    if closes_at is not None and now >= closes_at:
        raise RoundOverError(round_number=round_number, closes_at=closes_at)


def why_over(round_: Round, *, now: datetime) -> str | None:
    """Return why the time of an open round is over, as a sentence; None if it is not."""
    closes_at, days_end_at = round_.schedule.closes_at, round_.days_end_at
    if closes_at is not None and now >= closes_at:
        return _CLOSED_AT_ITS_TIME
    if days_end_at is not None and now >= days_end_at:
        return _DAYS_OVER
    return None


def require_schedule(
    schedule: RoundSchedule,
    *,
    now: datetime,
    before: RoundSchedule | None = None,
    begun_at: datetime | None = None,
) -> None:
    """Refuse times that contradict each other or have passed.

    Args:
        schedule: What the owner wants.
        now: A time that is set now lies after it.
        before: What was set before; what stays of it may have passed. None asks that nothing
            has passed but the opening, as where a round is about to open.
        begun_at: When the round takes its first examples; None of a draft.

    Raises:
        RoundSettingsError: With every wrong time.
    """
    problems = {
        **_closing_problems(schedule, before, now=now),
        **_opening_problems(schedule, before, now=now, begun_at=begun_at),
    }
    opens_at, closes_at = schedule.opens_at, schedule.closes_at
    if opens_at is not None and closes_at is not None and closes_at <= opens_at:
        problems["schedule.closes_at"] = "The round closes before it opens; set a later time."
    if problems:
        raise RoundSettingsError(fields=problems)


def _closing_problems(
    schedule: RoundSchedule, before: RoundSchedule | None, *, now: datetime
) -> dict[str, str]:
    closes_at = schedule.closes_at
    if closes_at is None or (before is not None and closes_at == before.closes_at):
        return {}
    if closes_at <= now:
        return {
            "schedule.closes_at": "The closing lies in the past; set a later time, or none and "
            "close the round by hand."
        }
    return _too_far("schedule.closes_at", closes_at, now=now)


def _opening_problems(
    schedule: RoundSchedule,
    before: RoundSchedule | None,
    *,
    now: datetime,
    begun_at: datetime | None,
) -> dict[str, str]:
    opens_at = schedule.opens_at
    if before is None:
        return {} if opens_at is None else _too_far("schedule.opens_at", opens_at, now=now)
    if opens_at == before.opens_at:
        return {}
    if begun_at is not None and begun_at <= now:
        return {
            "schedule.opens_at": "The round takes examples already; leave its opening as it is."
        }
    if opens_at is None:
        return {}
    if opens_at <= now:
        return {
            "schedule.opens_at": "The opening lies in the past; set a later time, or none to take "
            "examples as soon as the round is open."
        }
    return _too_far("schedule.opens_at", opens_at, now=now)


def _too_far(field: str, moment: datetime, *, now: datetime) -> dict[str, str]:
    if moment - now <= _FARTHEST:
        return {}
    return {field: "The time lies more than ten years ahead; set an earlier one."}
