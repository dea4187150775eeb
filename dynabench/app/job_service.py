"""Who may see and stop which durable job."""

import hashlib
from uuid import UUID

from pydantic import TypeAdapter

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import CHANNEL, EVERY_JOB, Job
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Database, Session
from dynabench.kit.streams import Snapshot, Source

JOB_EVENT = "job"
JOBS_EVENT = "jobs"

_DIGITS = 32
_MOST_LISTED = 50
_LIST = TypeAdapter(list[JobRead])


class JobService:
    """Shows jobs to the people who asked for them, and all of them to administrators."""

    def __init__(self, *, db: Database, queue: JobQueue) -> None:
        self._db = db
        self._queue = queue

    async def read(self, job_id: UUID, *, actor: Actor) -> JobRead:
        """Return a job that the actor may see."""
        async with self._db.read() as session:
            return describe_job(await self._get(session, job_id, actor))

    def watching(self, job_id: UUID) -> Source:
        """Return what a stream of a job watches; it ends when the job is over."""

        async def subject() -> str:
            return str(job_id)

        async def read(not_before: float) -> Snapshot:
            del not_before
            async with self._db.read() as session:
                job = await self._queue.get(session, job_id)
            return _snapshot(describe_job(job).model_dump_json(), is_last=job.state.is_final)

        async def require_visible(actor: Actor) -> None:
            await self.read(job_id, actor=actor)

        return Source(
            event=JOB_EVENT,
            channel=CHANNEL,
            subject=subject,
            read=read,
            require_visible=require_visible,
        )

    def watching_list(self, actor: Actor) -> Source:
        """Return what a stream of an actor's list watches; it never ends by itself.

        Who is an administrator is asked anew at every tick: whoever becomes one sees all
        jobs from then on, and whoever is none any more their own alone.
        """
        watcher = actor

        async def subject() -> str:
            return EVERY_JOB if watcher.is_admin else str(watcher.user_id)

        async def read(not_before: float) -> Snapshot:
            del not_before
            return _snapshot(_LIST.dump_json(await self.list(actor=watcher)).decode())

        async def require_visible(now: Actor) -> None:
            nonlocal watcher
            require_signed_in(now)
            watcher = now

        return Source(
            event=JOBS_EVENT,
            channel=CHANNEL,
            subject=subject,
            read=read,
            require_visible=require_visible,
        )

    async def log(self, job_id: UUID, *, actor: Actor) -> list[str]:
        """Return the lines that a job has logged."""
        async with self._db.read() as session:
            await self._get(session, job_id, actor)
            return await self._queue.log(session, job_id)

    async def cancel(self, job_id: UUID, *, actor: Actor) -> JobRead:
        """Stop a job that the actor asked for."""
        async with self._db.transaction() as session:
            await self._get(session, job_id, actor)
            await self._queue.cancel(session, job_id)
            return describe_job(await self._queue.get(session, job_id))

    async def _get(self, session: Session, job_id: UUID, actor: Actor) -> Job:
        require_signed_in(actor)
        job = await self._queue.get(session, job_id)
        if not _may_see(job, actor):
            raise JobNotFoundError(job_id)
        return job

    # Last, so that above it `list` still is the built-in type.
    async def list(self, *, actor: Actor) -> list[JobRead]:
        """Return the newest fifty jobs that the actor may see."""
        require_signed_in(actor)
        whose = None if actor.is_admin else actor.user_id
        async with self._db.read() as session:
            found = await self._queue.list_jobs(session, created_by=whose, limit=_MOST_LISTED)
        return [describe_job(job) for job in found]


def _may_see(job: Job, actor: Actor) -> bool:
    return actor.is_admin or (job.created_by is not None and job.created_by == actor.user_id)


def _snapshot(body: str, *, is_last: bool = False) -> Snapshot:
    digest = hashlib.sha256(body.encode()).hexdigest()[:_DIGITS]
    return Snapshot(body=body.encode(), digest=digest, is_last=is_last)


def describe_job(job: Job) -> JobRead:
    """Return a job's wire shape."""
    return JobRead.model_validate(job, from_attributes=True, extra="ignore")
