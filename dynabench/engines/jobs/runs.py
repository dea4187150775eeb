"""Starting and ending a job's row, and running its handler in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeAlias
from uuid import UUID

import structlog
from pydantic import JsonValue
from pydantic_core import to_jsonable_python
from sqlalchemy import func, update

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobCancelled, JobInterrupted
from dynabench.engines.jobs.tables import jobs
from dynabench.engines.jobs.telling import tell_of
from dynabench.engines.jobs.values import JobState
from dynabench.kit.asking import Asking, asking
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError, UnavailableError
from dynabench.kit.sentences import Phrase, Sentence, Told

Handler: TypeAlias = Callable[[JobContext], Awaitable[dict[str, JsonValue] | None]]

MOST_ATTEMPTS = 5
_UNKNOWN = Phrase("jobs.unknown", "This version knows no job called {name}.")
_LOST = Phrase("jobs.lost", "The worker or the database was lost {times} times during this job.")
_STOPPED = Phrase("jobs.stopped", "The job stopped unexpectedly ({kind}). See the worker's log.")
_log = logging.getLogger(__name__)


class JobRunner:
    """Runs one job after the other from its row to its outcome.

    Args:
        database: Where the rows are.
        handlers: What to do, by the job's name.
        executor_id: This worker's name among the workers.
    """

    def __init__(
        self, database: Database, handlers: Mapping[str, Handler], *, executor_id: str
    ) -> None:
        self._database = database
        self._handlers = handlers
        self._executor_id = executor_id
        # Jobs that were begun here and left in the middle, as somebody stopped this worker or as
        # the database did not answer.
        self._left: set[UUID] = set()

    async def run(self, job_id: UUID) -> None:
        """Run a job and write its outcome; every line that is logged meanwhile has its id.

        Raises:
            JobInterrupted: If the job is to be gone on with later.
        """
        with structlog.contextvars.bound_contextvars(job_id=str(job_id)):
            await self._run(job_id)

    async def take_back(self) -> None:
        """Have the attempts not count that were left through no fault of their jobs.

        One that another worker has begun again meanwhile counts, and where the database does
        not answer the next call tries again.
        """
        if not self._left:
            return
        taken = [*self._left]
        with suppress(UnavailableError):
            async with self._database.transaction() as session:
                await session.execute(
                    update(jobs)
                    .where(
                        jobs.c.id.in_(taken),
                        jobs.c.state == JobState.RUNNING,
                        jobs.c.executor_id == self._executor_id,
                        jobs.c.attempts > 0,
                    )
                    .values(attempts=jobs.c.attempts - 1)
                )
            self.count(taken)

    def count(self, job_ids: Iterable[UUID]) -> None:
        """Have the attempts of jobs count, although they were left."""
        self._left.difference_update(job_ids)

    async def _run(self, job_id: UUID) -> None:
        is_begun = False
        try:
            context_and_handler = await self._start(job_id)
            if context_and_handler is None:
                return
            is_begun = True
            context, handler = context_and_handler
            asking.set(
                Asking(name=context.name, user_id=context.created_by, request_id=str(job_id))
            )
            outcome = await self._call(context, handler)
            await self._finish(job_id, outcome)
        except JobCancelled:
            _log.info("Job %s was cancelled.", job_id)
        except (UnavailableError, asyncio.CancelledError) as error:
            if is_begun:
                self._left.add(job_id)
            raise JobInterrupted from error

    async def _start(self, job_id: UUID) -> tuple[JobContext, Handler] | None:
        """Take the job's row; None if there is nothing to do (cancelled, or over)."""
        async with self._database.transaction() as session:
            row = (
                await session.execute(
                    update(jobs)
                    .where(
                        jobs.c.id == job_id,
                        jobs.c.state.in_([JobState.QUEUED, JobState.RUNNING]),
                    )
                    .values(
                        state=JobState.RUNNING,
                        executor_id=self._executor_id,
                        attempts=jobs.c.attempts + 1,
                        started_at=func.coalesce(jobs.c.started_at, func.now()),
                    )
                    .returning(jobs.c.name, jobs.c.payload, jobs.c.attempts, jobs.c.created_by)
                )
            ).first()
            await session.execute(tell_of(job_id))
        if row is None:
            return None
        handler = self._handlers.get(row.name)
        reason = None
        if handler is None:
            reason = _UNKNOWN.say(name=row.name)
        elif row.attempts > MOST_ATTEMPTS:
            reason = _LOST.say(times=MOST_ATTEMPTS)
        if handler is None or reason is not None:
            assert reason is not None, "a job without a handler has its reason"
            await self._finish(job_id, _failed(reason))
            return None
        context = JobContext(
            self._database,
            job_id=job_id,
            executor_id=self._executor_id,
            name=f"job {row.name}",
            payload=row.payload,
            created_by=row.created_by,
        )
        return context, handler

    async def _call(self, context: JobContext, handler: Handler) -> dict[str, object]:
        """Run the handler and return what its outcome writes into the row."""
        try:
            result = await handler(context)
        except DynabenchError as error:
            if isinstance(error, UnavailableError) and error.code.startswith("database."):
                raise
            stop_if_asked()
            return _failed(_sentence(error))
        # The edge of the worker: whatever a handler raises ends that one job only.
        except Exception as error:  # noqa: BLE001
            stop_if_asked()
            _log.exception("Job %s stopped unexpectedly.", context.job_id)
            return _failed(_STOPPED.say(kind=type(error).__name__))
        # What it was doing last is no news any more.
        last = {"progress": 1.0, "message": "", "told": None}
        return {"state": JobState.DONE, "result": result, **last}

    async def _finish(self, job_id: UUID, outcome: dict[str, object]) -> None:
        """Write the outcome, unless the job was cancelled or taken over meanwhile."""
        async with self._database.transaction() as session:
            await session.execute(
                update(jobs)
                .where(
                    jobs.c.id == job_id,
                    jobs.c.state == JobState.RUNNING,
                    jobs.c.executor_id == self._executor_id,
                )
                .values(finished_at=func.now(), executor_id=None, **outcome)
            )
            await session.execute(tell_of(job_id))


def _failed(said: Sentence) -> dict[str, object]:
    return {"state": JobState.FAILED, "error": said, "told": said.told.model_dump()}


def _sentence(error: DynabenchError) -> Sentence:
    """Return a failure as what it says: its code and its facts."""
    facts = to_jsonable_python(error.facts, fallback=str)
    return Sentence(error.message, Told(code=error.code, values=facts))


def stop_if_asked() -> None:
    """Stop where a driver told a statement that was cancelled as a failure of its own.

    Raises:
        CancelledError: If the task that calls this was told to stop.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
