"""Starting and ending a job's row, and running its handler in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias
from uuid import UUID

from pydantic import JsonValue
from sqlalchemy import func, update

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.errors import JobCancelled, JobInterrupted
from dynabench.engines.jobs.tables import jobs
from dynabench.engines.jobs.telling import tell_of
from dynabench.engines.jobs.values import JobState
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError, UnavailableError

Handler: TypeAlias = Callable[[JobContext], Awaitable[dict[str, JsonValue] | None]]

MOST_ATTEMPTS = 5
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

    async def run(self, job_id: UUID) -> None:
        """Run a job and write its outcome.

        Raises:
            JobInterrupted: If the job is to be gone on with later.
        """
        try:
            context_and_handler = await self._start(job_id)
            if context_and_handler is None:
                return
            context, handler = context_and_handler
            outcome = await self._call(context, handler)
            await self._finish(job_id, outcome)
        except JobCancelled:
            _log.info("Job %s was cancelled.", job_id)
        except (UnavailableError, asyncio.CancelledError) as error:
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
            reason = f"This version knows no job called {row.name}."
        elif row.attempts > MOST_ATTEMPTS:
            reason = f"The worker was lost {MOST_ATTEMPTS} times while doing this job."
        if handler is None or reason is not None:
            await self._finish(job_id, {"state": JobState.FAILED, "error": reason})
            return None
        context = JobContext(
            self._database,
            job_id=job_id,
            executor_id=self._executor_id,
            payload=row.payload,
            created_by=row.created_by,
        )
        return context, handler

    async def _call(self, context: JobContext, handler: Handler) -> dict[str, object]:
        """Run the handler and return what its outcome writes into the row."""
        try:
            result = await handler(context)
        except UnavailableError as error:
            if error.code.startswith("database."):
                raise
            return {"state": JobState.FAILED, "error": error.message}
        except DynabenchError as error:
            return {"state": JobState.FAILED, "error": error.message}
        # The edge of the worker: whatever a handler raises ends that one job only.
        except Exception as error:  # noqa: BLE001
            _log.exception("Job %s stopped unexpectedly.", context.job_id)
            reason = f"The job stopped unexpectedly ({type(error).__name__}). See the worker's log."
            return {"state": JobState.FAILED, "error": reason}
        # What it was doing last is no news any more.
        return {"state": JobState.DONE, "result": result, "progress": 1.0, "message": ""}

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
