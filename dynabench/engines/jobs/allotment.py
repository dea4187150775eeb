"""How much of the workers' time one person and one subject may take within a day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, func, select

from dynabench.engines.jobs.errors import JobTimeError
from dynabench.engines.jobs.tables import jobs
from dynabench.kit.db.database import Session

_PERIOD = timedelta(hours=24)
_HOUR_SECONDS = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobHours:
    """Hours of jobs within 24; None is no limit.

    Attributes:
        person: Of all counted jobs that one person asked for.
        subject: Of all counted jobs about one subject, such as a task.
    """

    person: float | None = None
    subject: float | None = None


async def require_time(
    session: Session, *, person: UUID | None, subject: UUID, hours: JobHours
) -> None:
    """Refuse to take up one more long job where the day's time is used up.

    Jobs that run count up to now. Jobs without a subject are not counted.

    Raises:
        JobTimeError: With whose time is used up, and when some of it comes back.
    """
    limits: Mapping[str, tuple[float | None, ColumnElement[bool]]] = {
        "you": (hours.person if person else None, jobs.c.created_by == person),
        "task": (hours.subject, jobs.c.subject_id == subject),
    }
    for whose, (limit, condition) in limits.items():
        if limit is None:
            continue
        used, first = await _used(session, condition)
        if used >= limit:
            raise JobTimeError(whose=whose, hours=limit, retry_after_seconds=first)


async def _used(session: Session, condition: ColumnElement[bool]) -> tuple[float, int]:
    """Return the hours used within the day, and the seconds until the first of them go."""
    # One moment: by two of them a job that runs all day would fall short of the day.
    now = func.statement_timestamp()
    since = now - _PERIOD
    end = func.coalesce(jobs.c.finished_at, now)
    begin = func.greatest(jobs.c.started_at, since)
    statement = select(
        func.coalesce(func.sum(func.extract("epoch", end - begin)), 0),
        func.min(begin),
        now,
    ).where(
        jobs.c.subject_id.is_not(None),
        jobs.c.started_at.is_not(None),
        func.coalesce(jobs.c.finished_at, now) > since,
        condition,
    )
    row = (await session.execute(statement)).one()
    seconds, first, at = float(row[0]), row[1], row[2]
    return seconds / _HOUR_SECONDS, _seconds_until(first, at)


def _seconds_until(first: datetime | None, now: datetime) -> int:
    wait = timedelta() if first is None else first + _PERIOD - now
    # A job under way since yesterday frees time from now on; a minute of it is worth another try.
    return max(60, int(wait.total_seconds()))
