"""What a running job may do: tell its progress, keep finished steps, write to its log."""

import time
from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.engines.jobs.errors import JobCancelled, JobInterrupted
from dynabench.engines.jobs.tables import job_log_lines, job_steps, jobs
from dynabench.engines.jobs.telling import tell_of
from dynabench.engines.jobs.values import CHANNEL, JobState
from dynabench.kit.db.database import Database, Session
from dynabench.kit.sentences import Sentence

_PROGRESS_PAUSE_SECONDS = 0.2


class JobContext:
    """One run of one job on this worker.

    Everything written through it is written only while this worker still has the job: what
    a worker writes that was thought lost, after another one took over, is refused.
    """

    def __init__(
        self,
        database: Database,
        *,
        job_id: UUID,
        executor_id: str,
        name: str,
        payload: Mapping[str, JsonValue],
        created_by: UUID | None,
    ) -> None:
        self.job_id = job_id
        self.name = name
        self.payload = payload
        self.created_by = created_by
        self._database = database
        self._executor_id = executor_id
        self._told_at = 0.0

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is; calls in quick succession are passed over but for the last.

        Args:
            done: What is done, in any unit.
            total: What there is to do, in that unit.
            message: What is being done, in a few words; a page translates a `Sentence`.
        """
        now = time.monotonic()
        if now - self._told_at < _PROGRESS_PAUSE_SECONDS and done < total:
            return
        self._told_at = now
        share = min(1.0, max(0.0, done / total)) if total > 0 else 0.0
        async with self._database.transaction() as session:
            said = message.told.model_dump() if isinstance(message, Sentence) else None
            await self._mine(session, progress=share, message=message, told=said)
            await session.execute(tell_of(self.job_id))

    async def step(self, key: str, work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Do a part of the job once: a finished step is not done again after an interruption.

        The result is kept when `work` has returned. A worker that is lost before that
        leaves the step to be done again, so `work` must bear being repeated.

        Args:
            key: The step's name within the job, such as `shard-3`.
            work: Does it and returns what to keep.
        """
        async with self._database.read() as session:
            query = select(job_steps.c.result).where(*self._step(key))
            kept = (await session.execute(query)).first()
        if kept is not None:
            found: JsonValue = kept.result
            return found
        result = await work()
        async with self._database.transaction() as session:
            await self._mine(session)
            await session.execute(
                upsert(job_steps)
                .values(job_id=self.job_id, key=key, result=result)
                .on_conflict_do_nothing()
            )
        return result

    async def log(self, line: str) -> None:
        """Add a line to the job's own log, which its owner can read."""
        async with self._database.transaction() as session:
            await self._mine(session)
            await session.execute(
                insert(job_log_lines).values(job_id=self.job_id, line=line.replace("\0", ""))
            )
            await session.execute(select(func.pg_notify(CHANNEL, str(self.job_id))))

    async def end(self, session: Session, result: dict[str, JsonValue], *, line: str) -> None:
        """End the job well in the transaction that writes what it was to make, as its last act.

        Whoever cancels the job was either faster, and nothing of it is written, or is told
        that it is done. After the transaction the handler logs and tells nothing more.

        Args:
            session: The transaction.
            result: What the job gives.
            line: The last line of its log.

        Raises:
            JobCancelled: If the job was cancelled meanwhile.
            JobInterrupted: If another worker has it now.
        """
        ended = {"state": JobState.DONE, "finished_at": func.now(), "executor_id": None}
        await self._mine(session, **ended, result=result, progress=1.0, message="", told=None)
        await session.execute(insert(job_log_lines).values(job_id=self.job_id, line=line))
        await session.execute(tell_of(self.job_id))

    async def _mine(self, session: Session, **values: object) -> None:
        """Write to the job's row, which locks it, if this worker still has the job.

        Raises:
            JobCancelled: If the job was cancelled meanwhile.
            JobInterrupted: If another worker has it now.
        """
        updated = await session.execute(
            update(jobs)
            .where(
                jobs.c.id == self.job_id,
                jobs.c.state == JobState.RUNNING,
                jobs.c.executor_id == self._executor_id,
            )
            .values({"executor_id": self._executor_id, **values})
        )
        if updated.rowcount:
            return
        state = await session.scalar(select(jobs.c.state).where(jobs.c.id == self.job_id))
        if state is JobState.CANCELLED:
            raise JobCancelled
        raise JobInterrupted

    def _step(self, key: str) -> tuple[ColumnElement[bool], ...]:
        return (job_steps.c.job_id == self.job_id, job_steps.c.key == key)
