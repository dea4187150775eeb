"""Use cases of allowances: tell before a form is filled in what is taken; count kept files."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.loop.models.submissions.allowances.schemas import AllowanceRead
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.submissions.rules import require_kept
from dynabench.loop.models.submissions.values import PERIOD, ChooseIsolation, SubmissionLimits
from dynabench.loop.tasks.service import TaskService

KeptElsewhere: TypeAlias = Callable[[Session, UUID], Awaitable[int]]
"""Tells how many bytes of files a chapter above keeps for a task."""


class FileQuota:
    """Counts the files that one person, and one task, keep on the server.

    Args:
        limits: What the operator allows.
        kept_elsewhere: What a task keeps beside the files of its models.
    """

    def __init__(self, *, limits: SubmissionLimits, kept_elsewhere: KeptElsewhere) -> None:
        self._limits = limits
        self._kept_elsewhere = kept_elsewhere

    async def require(
        self,
        session: Session,
        coming_bytes: int,
        *,
        task_id: UUID,
        user_id: UUID | None = None,
        instead_of: UUID | None = None,
    ) -> None:
        """Refuse files that a person, or a task, may not keep besides what is kept.

        Until the transaction ends others of either wait, so that none is counted past.

        Args:
            session: The caller's transaction.
            coming_bytes: How many bytes are to come.
            task_id: The task that they are for.
            user_id: Whose models they are of, if any person's.
            instead_of: The model whose files they take the place of.

        Raises:
            FilesQuotaError: With whose files these are and how many bytes they have.
        """
        repository = SubmissionRepository(session)
        if user_id is not None:
            await repository.lock_person_files(user_id)
            kept = await repository.kept_bytes(user_id=user_id, but_of=instead_of)
            require_kept("you", kept, coming_bytes, limit=self._limits.kept_bytes_per_person)
        if self._limits.kept_bytes_per_task is not None:
            await repository.lock_task_files(task_id)
            kept = await repository.kept_bytes(task_id=task_id, but_of=instead_of)
            kept += await self._kept_elsewhere(session, task_id)
            require_kept("task", kept, coming_bytes, limit=self._limits.kept_bytes_per_task)


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
