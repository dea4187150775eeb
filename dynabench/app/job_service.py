"""Who may see and stop which durable job."""

import hashlib
from uuid import UUID

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import CHANNEL, Job
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Database, Session
from dynabench.kit.streams import Snapshot, Source

JOB_EVENT = "job"

_DIGITS = 32


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
            body = describe_job(job).model_dump_json().encode()
            digest = hashlib.sha256(body).hexdigest()[:_DIGITS]
            return Snapshot(body=body, digest=digest, is_last=job.state.is_final)

        async def require_visible(actor: Actor) -> None:
            await self.read(job_id, actor=actor)

        return Source(
            event=JOB_EVENT,
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
        async with self._db.read() as session:
            found = await self._queue.list_jobs(session, limit=200)
        return [describe_job(job) for job in found if _may_see(job, actor)][:50]


def _may_see(job: Job, actor: Actor) -> bool:
    return actor.is_admin or (job.created_by is not None and job.created_by == actor.user_id)


def describe_job(job: Job) -> JobRead:
    """Return a job's wire shape."""
    return JobRead.model_validate(job, from_attributes=True, extra="ignore")
