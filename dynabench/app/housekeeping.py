"""What nobody asks for: forgetting what has run out, releasing and closing what is due."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid5

import structlog
from pydantic import JsonValue
from sqlalchemy import func, select

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import Handler
from dynabench.kit import idempotency
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import UnavailableError
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.leases.service import ContextLeaseService
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.rounds.schedules.service import ScheduleService
from dynabench.loop.validations.leases.service import ValidationLeaseService
from dynabench.people.sign_ins.service import SignInService

TIDY_UP = "app.tidy_up"
_DAYS = UUID("5f0a2c1e-7b7d-4c53-9c0e-2f1f3c0b6a11")
_LOOK_SECONDS = 600.0
_RELEASE_SECONDS = 10.0
_CLOSING_SECONDS = 5.0
# No upload or check is under way for as long as this.
_UNFINISHED_AGE = timedelta(days=3)
# Who sends a file has a dataset made of it at once.
_UNUSED_AGE = timedelta(days=7)
_log = structlog.get_logger(__name__)


class Housekeeping:
    """Has one durable job a day tidy up, however many workers there are."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        queue: JobQueue,
        sign_ins: SignInService,
        limiter: RateLimiter,
        context_leases: ContextLeaseService,
        validation_leases: ValidationLeaseService,
        desk: ReleaseDesk,
        schedules: ScheduleService,
        removals: RemovalService,
        settings: Settings,
    ) -> None:
        self._db = db
        self._clock = clock
        self._queue = queue
        self._sign_ins = sign_ins
        self._limiter = limiter
        self._context_leases = context_leases
        self._validation_leases = validation_leases
        self._desk = desk
        self._schedules = schedules
        self._removals = removals
        self._rejected_age = timedelta(days=settings.rejected_model_days)
        self._log_age = timedelta(days=settings.job_log_days)
        self._incoming = settings.home / "incoming"

    async def keep_asking(self) -> None:
        """Ask for the day's job until cancelled; a day that was slept through is made up for.

        What waits for the verdicts of a round, or for its closing time, is looked at more often.
        """
        await asyncio.gather(
            _keep(self.ask, what="tidying up", every=_LOOK_SECONDS),
            _keep(self._limiter.purge, what="forgetting rates", every=_LOOK_SECONDS),
            _keep(self._desk.release_due, what="releasing", every=_RELEASE_SECONDS),
            _keep(self._schedules.close_due, what="closing rounds", every=_CLOSING_SECONDS),
        )

    async def ask(self) -> UUID:
        """Ask for the job of this day (UTC), unless somebody has; returns its id."""
        day = self._clock.now().date().isoformat()
        job_id = uuid5(_DAYS, day)
        async with self._db.transaction() as session:
            lock = func.pg_advisory_xact_lock(func.hashtextextended(TIDY_UP, 0))
            await session.execute(select(lock))
            return await self._queue.enqueue(session, TIDY_UP, {"day": day}, job_id=job_id)

    async def tidy_up(self) -> dict[str, JsonValue]:
        """Forget what has run out; returns how much. Doing it twice does no harm."""
        await self._sign_ins.purge()
        async with self._db.transaction() as session:
            keys = await idempotency.purge(session, now=self._clock.now())
            logs = await self._queue.forget_logs(session, before=self._clock.now() - self._log_age)
        return {
            "idempotency_keys": keys,
            "job_logs": logs,
            "unfinished_uploads": await asyncio.to_thread(
                _forget_unfinished, self._incoming, before=self._clock.now() - _UNFINISHED_AGE
            ),
            "rate_limits": await self._limiter.purge(),
            "context_leases": await self._context_leases.purge(),
            "validation_leases": await self._validation_leases.purge(),
            "rejected_models": await self._removals.drop_rejected(
                before=self._clock.now() - self._rejected_age
            ),
            "unused_dataset_files": await self._removals.drop_unused(
                before=self._clock.now() - _UNUSED_AGE
            ),
        }

    def handlers(self) -> Mapping[str, Handler]:
        """Return what a worker does, by the job's name."""

        async def tidy_up(context: JobContext) -> dict[str, JsonValue]:
            del context
            return await self.tidy_up()

        return {TIDY_UP: tidy_up}


def _forget_unfinished(incoming: Path, *, before: datetime) -> int:
    """Delete what uploads left whose server was killed; return how many."""
    if not incoming.is_dir():
        return 0
    old = [one for one in incoming.iterdir() if one.lstat().st_mtime < before.timestamp()]
    for one in old:
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one, ignore_errors=True)
        else:
            one.unlink(missing_ok=True)
    return len(old)


async def _keep(work: Callable[[], Awaitable[object]], *, what: str, every: float) -> None:
    """Do something again and again until cancelled, however it ends."""
    while True:
        try:
            await work()
        except UnavailableError:
            _log.warning("the database does not answer; work waits", work=what)
        # The edge of a background task: whatever it is, the next look tries again.
        except Exception:  # noqa: BLE001
            _log.exception("work in the background failed", work=what)
        asked = asyncio.current_task()
        if asked is not None and asked.cancelling():
            # A driver may tell a statement that was cancelled as a failure of its own.
            raise asyncio.CancelledError
        await asyncio.sleep(every)
