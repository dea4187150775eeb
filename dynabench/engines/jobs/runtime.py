"""The worker's side of jobs: takes them from the queue, runs them, takes over from the lost.

This module and `install.py` are the only ones that know the job engine. It keeps the queue
and tells which worker has which job; what a job is, its steps and its outcome are ours.
"""

import asyncio
import concurrent.futures
import logging
from collections.abc import Callable, Coroutine, Mapping
from uuid import UUID, uuid4

import psycopg
import structlog
from dbos import DBOS, DBOSConfig
from sqlalchemy import select

from dynabench.engines.jobs.errors import JobInterrupted
from dynabench.engines.jobs.guard import WorkerGuard
from dynabench.engines.jobs.install import quiet_engine_log
from dynabench.engines.jobs.queue import QUEUE, WORKFLOW
from dynabench.engines.jobs.runs import Handler, JobRunner, stop_if_asked
from dynabench.engines.jobs.tables import jobs
from dynabench.engines.jobs.values import JobState
from dynabench.kit.db.database import Database, libpq_url
from dynabench.kit.errors import UnavailableError

# A hash of the code by default, which would strand running jobs at every change of it.
_APPLICATION_VERSION = "1"
_POLL_SECONDS = 0.5
_GUARD_SECONDS = 1.0
_log = logging.getLogger(__name__)


class JobRuntime:
    """Runs jobs in this process; one per process.

    Handlers run in the event loop that calls `run`, so they may share its connections.

    Args:
        database: Where the jobs are; also what handlers get through their own services.
        handlers: What to do, by the job's name.
        concurrency: How many jobs run here at the same time.
        is_worn: Whether this process should be renewed; asked while no job runs here.
    """

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler],
        *,
        concurrency: int = 2,
        is_worn: Callable[[], bool] = lambda: False,
    ) -> None:
        self._database = database
        self._concurrency = concurrency
        self._is_worn = is_worn
        self._executor_id = f"worker-{uuid4().hex}"
        self._runner = JobRunner(database, handlers, executor_id=self._executor_id)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        # Whether this worker holds its lock.
        self._may_work = False
        # Jobs that this worker left in the middle and that must go back into the queue.
        self._interrupted: set[str] = set()
        self._is_launched = False

    async def run(self) -> None:
        """Work until cancelled, or until this process is worn and has no job in hand.

        Jobs in hand stay where they are when it is cancelled, for the next worker.
        """
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    guard = await WorkerGuard.hold(
                        self._database.url, executor_id=self._executor_id
                    )
                except psycopg.Error:
                    await asyncio.sleep(_GUARD_SECONDS)
                    continue
                async with guard:
                    is_over = await self._work(guard, loop)
                if is_over:
                    return
                _log.warning("The database was lost; this worker's jobs stop and are resumed.")
        finally:
            await asyncio.to_thread(DBOS.destroy, destroy_registry=True)

    async def _work(self, guard: WorkerGuard, loop: asyncio.AbstractEventLoop) -> bool:
        """Run jobs until told to stop, or as `_watch` says; leave none in hand.

        The guard is still held when the last is left, so that nobody takes it for lost.
        """
        try:
            await _to_its_end(asyncio.to_thread(self._launch, loop))
            await self._runner.take_back()
            self._may_work = True
            return await self._watch(guard)
        finally:
            # What is handed out from now on goes to the next worker.
            self._may_work = False
            await self._stop_tasks()
            await self._runner.take_back()

    def _launch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the engine's threads; does nothing when they run."""
        if self._is_launched:
            return
        quiet_engine_log()
        DBOS(
            config=DBOSConfig(
                name="dynabench",
                system_database_url=libpq_url(self._database.url),
                application_version=_APPLICATION_VERSION,
                executor_id=self._executor_id,
                log_level="WARNING",
                sys_db_pool_size=3,
                run_migrations=False,
                enable_otlp=False,
            )
        )

        def run_job(job_id: str) -> None:
            self._run_in(loop, job_id)

        DBOS.workflow(name=WORKFLOW)(run_job)
        DBOS.launch()
        DBOS.register_queue(
            QUEUE,
            worker_concurrency=self._concurrency,
            polling_interval_sec=_POLL_SECONDS,
            on_conflict="always_update",
        )
        self._is_launched = True

    def _run_in(self, loop: asyncio.AbstractEventLoop, job_id: str) -> None:
        """Run a job, from a thread of the engine, in the loop of the handlers."""
        with structlog.contextvars.bound_contextvars(job_id=job_id):
            try:
                asyncio.run_coroutine_threadsafe(self._run_job(UUID(job_id)), loop).result()
            except (JobInterrupted, concurrent.futures.CancelledError):
                self._interrupted.add(job_id)
                raise JobInterrupted from None

    async def _run_job(self, job_id: UUID) -> None:
        task = asyncio.current_task()
        assert task is not None
        if job_id in self._tasks or not self._may_work:
            # It went back into the queue before this worker had let go of it, or this
            # worker is not known to be alive.
            raise JobInterrupted
        self._tasks[job_id] = task
        try:
            await self._runner.run(job_id)
        finally:
            del self._tasks[job_id]

    async def _watch(self, guard: WorkerGuard) -> bool:
        """Look after jobs once a second, until this worker's own lock is lost or it is worn.

        Returns:
            Whether it is worn; False where the lock was lost.
        """
        while self._tasks or not self._is_worn():
            try:
                for other in await guard.lost_workers():
                    await self._take_over(guard, other)
            except psycopg.Error:
                return False
            interrupted = [*self._interrupted]
            self._interrupted.difference_update(interrupted)
            # The database was not lost: the attempts of those that say so are counted.
            self._runner.count(UUID(job_id) for job_id in interrupted)
            await self._resume(interrupted)
            await self._stop_cancelled()
            await asyncio.sleep(_GUARD_SECONDS)
        return True

    async def _take_over(self, guard: WorkerGuard, other: str) -> None:
        """Put a lost worker's jobs back into the queue while holding its lock."""
        try:
            left = await guard.jobs_of(other)
            _log.warning("Worker %s was lost; its %d jobs are resumed.", other, len(left))
            await self._resume(left)
        finally:
            await guard.release(other)

    async def _resume(self, job_ids: list[str]) -> None:
        if job_ids:
            await asyncio.to_thread(DBOS.resume_workflows, job_ids, queue_name=QUEUE)

    async def _stop_cancelled(self) -> None:
        """Stop the running jobs that somebody has cancelled."""
        if not self._tasks:
            return
        query = select(jobs.c.id).where(
            jobs.c.id.in_(list(self._tasks)), jobs.c.state == JobState.CANCELLED
        )
        try:
            async with self._database.read() as session:
                cancelled = (await session.execute(query)).scalars().all()
        except UnavailableError:
            stop_if_asked()
            return
        for job_id in cancelled:
            if (task := self._tasks.get(job_id)) is not None:
                task.cancel()

    async def _stop_tasks(self) -> None:
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _to_its_end(work: Coroutine[object, object, None]) -> None:
    """Wait until something has ended, also when told to stop meanwhile: a thread goes on."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise
