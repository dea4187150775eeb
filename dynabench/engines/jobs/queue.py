"""Enqueueing jobs, and looking at them, from any process."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import RowMapping, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.engines.jobs.allotment import JobHours, require_time
from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.tables import job_log_lines, job_steps, jobs
from dynabench.engines.jobs.telling import tell_of
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.db.database import Session
from dynabench.kit.ids import new_id
from dynabench.kit.sentences import Told

# The one workflow that the job engine knows, and the queue it waits in.
WORKFLOW = "dynabench_job"
QUEUE = "dynabench_jobs"

_READ = [
    column for column in jobs.c if column.name not in {"executor_id", "priority", "subject_id"}
]
_ENQUEUE = text(
    "SELECT dbos.enqueue_workflow(workflow_name => :workflow, queue_name => :queue,"
    " positional_args => ARRAY[to_json(CAST(:job_id AS text))], workflow_id => :job_id,"
    " priority => :priority)"
)


class JobQueue:
    """Jobs as everyone but the worker sees them; everything happens in the caller's transaction."""

    def __init__(self, *, hours: JobHours | None = None) -> None:
        self._hours = hours or JobHours()

    async def require_time(self, session: Session, *, person: UUID | None, subject: UUID) -> None:
        """Refuse a long job of a person about a subject where the day's time is used up.

        Raises:
            JobTimeError: With whose time is used up, and when to come again.
        """
        await require_time(session, person=person, subject=subject, hours=self._hours)

    async def enqueue(
        self,
        session: Session,
        name: str,
        payload: Mapping[str, JsonValue],
        *,
        job_id: UUID | None = None,
        created_by: UUID | None = None,
        priority: int = 0,
        subject_id: UUID | None = None,
    ) -> UUID:
        """Ask for a job; it is there, and is done, exactly if the transaction commits.

        Args:
            session: The transaction that makes whatever the job is about.
            name: The handler that a worker runs (`JobRuntime`).
            payload: What the handler gets.
            job_id: An id made before; enqueueing it a second time changes nothing, and of two
                transactions at once that do so the second waits for the first.
            created_by: The person who asked for it.
            priority: Jobs of a lower number start first, and of one number the oldest.
            subject_id: What its time counts for besides `created_by`, such as a task; without
                one it counts for nobody.
        """
        job_id = job_id or new_id()
        values = {
            "id": job_id,
            "name": name,
            "payload": dict(payload),
            "created_by": created_by,
            "priority": priority,
            "subject_id": subject_id,
        }
        new = upsert(jobs).values(values).on_conflict_do_nothing().returning(jobs.c.id)
        if await session.scalar(new) is not None:
            given = {"job_id": str(job_id), "priority": priority}
            await session.execute(_ENQUEUE, {"workflow": WORKFLOW, "queue": QUEUE, **given})
            await session.execute(tell_of(job_id))
        return job_id

    async def get(self, session: Session, job_id: UUID) -> Job:
        """Return a job as it is now.

        Raises:
            JobNotFoundError: If there is none of this id.
        """
        row = (await session.execute(select(*_READ).where(jobs.c.id == job_id))).mappings().first()
        if row is None:
            raise JobNotFoundError(job_id)
        return _job(row)

    async def list_jobs(
        self,
        session: Session,
        *,
        name: str | None = None,
        states: Sequence[JobState] = (),
        payload: Mapping[str, JsonValue] | None = None,
        created_by: UUID | None = None,
        before: UUID | None = None,
        limit: int = 50,
    ) -> list[Job]:
        """Return jobs, newest first.

        Args:
            session: The transaction to read in.
            name: Only jobs of this handler.
            states: Only jobs in one of these states; empty for all.
            payload: Only jobs whose payload has these values.
            created_by: Only jobs that this person asked for.
            before: Only jobs older than this one.
            limit: At most so many.
        """
        query = select(*_READ).order_by(jobs.c.created_at.desc(), jobs.c.id.desc()).limit(limit)
        if name is not None:
            query = query.where(jobs.c.name == name)
        if states:
            query = query.where(jobs.c.state.in_(states))
        if payload is not None:
            query = query.where(jobs.c.payload.contains(dict(payload)))
        if created_by is not None:
            query = query.where(jobs.c.created_by == created_by)
        if before is not None:
            edge = select(jobs.c.created_at).where(jobs.c.id == before).scalar_subquery()
            key = func.row(jobs.c.created_at, jobs.c.id)
            query = query.where(key < func.row(edge, before))
        return [_job(row) for row in (await session.execute(query)).mappings()]

    async def positions(self, session: Session, job_ids: Collection[UUID]) -> dict[UUID, int]:
        """Return the place in the queue of those of the jobs that wait, from 1 for the next."""
        order = (jobs.c.priority, jobs.c.created_at, jobs.c.id)
        place = func.row_number().over(order_by=order).label("place")
        waiting = select(jobs.c.id, place).where(jobs.c.state == JobState.QUEUED).subquery()
        query = select(waiting.c.id, waiting.c.place).where(waiting.c.id.in_(job_ids))
        return {row.id: row.place for row in await session.execute(query)}

    async def unfinished(self, session: Session, name: str, *, created_by: UUID | None) -> int:
        """Return how many jobs of a handler somebody has that wait or run."""
        query = (
            select(func.count())
            .select_from(jobs)
            .where(
                jobs.c.name == name,
                jobs.c.state.in_([JobState.QUEUED, JobState.RUNNING]),
                jobs.c.created_by.is_not_distinct_from(created_by),
            )
        )
        return int(await session.scalar(query) or 0)

    async def log(self, session: Session, job_id: UUID, *, limit: int = 1000) -> list[str]:
        """Return the last lines that the job has logged, oldest of them first."""
        query = (
            select(job_log_lines.c.line)
            .where(job_log_lines.c.job_id == job_id)
            .order_by(job_log_lines.c.id.desc())
            .limit(limit)
        )
        return list((await session.execute(query)).scalars())[::-1]

    async def forget_logs(self, session: Session, *, before: datetime) -> int:
        """Delete the logs and steps of jobs that ended before; return of how many jobs.

        The jobs themselves stay, with how they ended.
        """
        old = select(jobs.c.id).where(jobs.c.finished_at < before)
        steps = delete(job_steps).where(job_steps.c.job_id.in_(old))
        lines = delete(job_log_lines).where(job_log_lines.c.job_id.in_(old))
        found = {
            *(await session.execute(steps.returning(job_steps.c.job_id))).scalars(),
            *(await session.execute(lines.returning(job_log_lines.c.job_id))).scalars(),
        }
        return len(found)

    async def cancel(self, session: Session, job_id: UUID) -> None:
        """Cancel a job: a waiting one never starts, a running one stops within a second or so.

        Raises:
            JobNotFoundError: If there is none of this id.
            JobFinishedError: If it is over.
        """
        cancelled = await session.execute(
            update(jobs)
            .where(jobs.c.id == job_id, jobs.c.state.in_([JobState.QUEUED, JobState.RUNNING]))
            .values(state=JobState.CANCELLED, finished_at=func.now(), executor_id=None)
        )
        if cancelled.rowcount == 0:
            job = await self.get(session, job_id)
            raise JobFinishedError(job_id, state=job.state)
        await session.execute(tell_of(job_id))


def _job(row: RowMapping) -> Job:
    told = row["told"]
    return Job(**{**row, "told": None if told is None else Told.model_validate(told)})
