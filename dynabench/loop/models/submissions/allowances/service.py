"""Use case of allowances: tell before a form is filled in what will be taken."""

import asyncio

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.models.submissions.allowances.schemas import AllowanceRead
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.submissions.values import PERIOD, ChooseIsolation, SubmissionLimits
from dynabench.loop.tasks.service import TaskService


class AllowanceService:
    """Tells people what they may still submit."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        limits: SubmissionLimits,
        isolate: ChooseIsolation,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._limits = limits
        self._isolate = isolate

    async def read(self, slug: str, *, actor: Actor) -> AllowanceRead:
        """Return what the actor may still submit to a task."""
        user_id = require_signed_in(actor)
        task = await self._tasks.get_for(slug, actor)
        async with self._db.read() as session:
            repository = SubmissionRepository(session)
            since = self._clock.now() - PERIOD
            passed = await repository.passed_since(since, task_id=task.id, user_id=user_id)
            waiting = await repository.waiting(task_id=task.id, user_id=user_id)
        return AllowanceRead(
            per_day=self._limits.per_day,
            passed=len(passed),
            waiting=waiting,
            most_waiting=self._limits.waiting,
            max_bytes=self._limits.max_bytes,
            # The first time the machine is tried out, which takes a moment.
            code_refusal=await asyncio.to_thread(self._refusal),
        )

    def _refusal(self) -> str | None:
        try:
            self._isolate()
        except CodeRefusedError as error:
            return error.message
        return None
