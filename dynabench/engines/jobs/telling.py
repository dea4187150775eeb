"""Telling those who listen that a job's row has changed."""

from uuid import UUID

from sqlalchemy import Select, Text, cast, func, select

from dynabench.engines.jobs.tables import jobs
from dynabench.engines.jobs.values import CHANNEL, EVERY_JOB, NOBODY


def tell_of(job_id: UUID) -> Select[tuple[object, object, object]]:
    """Return the statement that tells of a job when its transaction commits.

    Told are those who listen to the job itself, to the jobs of the person who asked for it,
    and to every job. Two tellings of the same thing in one transaction arrive as one.
    """
    person = func.coalesce(cast(jobs.c.created_by, Text), NOBODY)
    return select(
        func.pg_notify(CHANNEL, str(job_id)),
        func.pg_notify(CHANNEL, person),
        func.pg_notify(CHANNEL, EVERY_JOB),
    ).where(jobs.c.id == job_id)
