"""Use case of assignments: lend an annotator the next context."""

import random
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.loop.assignments.errors import NoContextLeftError
from dynabench.loop.assignments.repository import AssignmentRepository
from dynabench.loop.assignments.rules import goals_of, tags_to_draw
from dynabench.loop.assignments.schemas import AssignmentRead, NextContextRequest
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.schemas import ContextRead
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.values import LEASE_DURATION, Context
from dynabench.loop.examples.errors import RoundNotOpenError
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.rules import draw_arm, is_model_shown
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.permissions import require_annotator
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.folds.service import FoldService


class AssignmentService:
    """Chooses contexts by the round's policy and keeps leases, so that people spread out."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        contexts: ContextService,
        examples: ExampleService,
        folds: FoldService,
        chance: random.Random | None = None,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._examples = examples
        self._folds = folds
        # Only spreads annotators over equal contexts; nothing secret hangs on it.
        self._chance = chance or random.Random()  # noqa: S311

    async def next_context(
        self, round_id: UUID, body: NextContextRequest, *, actor: Actor
    ) -> AssignmentRead:
        """Lend the annotator a context they have not written on, by the round's policy."""
        annotator_id = require_signed_in(actor)
        round_, task = await self._collecting(round_id, actor)
        await self._folds.catch_up()
        tags = tags_to_draw(of_round=round_.context_tags, wanted=body.tags)
        async with self._db.transaction() as session:
            repository = AssignmentRepository(session)
            context_id = await repository.next_context(
                task_id=task.id,
                round_id=round_id,
                annotator_id=annotator_id,
                policy=round_.context_policy,
                tags=tags,
                skip=body.skip,
                start=self._chance.random(),
                now=self._clock.now(),
            )
            if context_id is None:
                raise NoContextLeftError(
                    has_any=await repository.has_contexts(task_id=task.id, tags=tags)
                )
            return await self._lend(session, context_id, round_=round_, task=task, by=annotator_id)

    async def resume(self, round_id: UUID, *, context_id: UUID, actor: Actor) -> AssignmentRead:
        """Lend a context again that the annotator had before.

        Raises:
            ContextNotFoundError: If they were not lent it in this round, or the round draws
                from other tags by now.
        """
        annotator_id = require_signed_in(actor)
        round_, task = await self._collecting(round_id, actor)
        async with self._db.transaction() as session:
            if not await AssignmentRepository(session).had(
                context_id, round_id=round_id, annotator_id=annotator_id, tags=round_.context_tags
            ):
                raise ContextNotFoundError
            return await self._lend(session, context_id, round_=round_, task=task, by=annotator_id)

    async def sample(self, slug: str, *, actor: Actor) -> ContextRead:
        """Return some context of a task that the actor may see; nobody is lent it."""
        task = await self._tasks.get_for(slug, actor)
        async with self._db.read() as session:
            context_id = await AssignmentRepository(session).sample(
                task_id=task.id, start=self._chance.random()
            )
        if context_id is None:
            raise NoContextLeftError(has_any=False)
        return ContextRead.model_validate(await self._contexts.get(context_id))

    async def _collecting(self, round_id: UUID, actor: Actor) -> tuple[Round, Task]:
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        require_annotator(task, await self._tasks.role_of(task.id, actor), actor)
        if round_.status is not RoundStatus.OPEN:
            raise RoundNotOpenError(round_number=round_.number, status=round_.status)
        self._rounds.require_within(round_)
        return round_, task

    async def _lend(
        self, session: Session, context_id: UUID, *, round_: Round, task: Task, by: UUID
    ) -> AssignmentRead:
        context: Context = await self._contexts.get(context_id)
        if context.task_id != task.id:
            raise ContextNotFoundError
        now = self._clock.now()
        await self._contexts.lease(
            session, round_id=round_.id, context_id=context_id, annotator_id=by, now=now
        )
        tries = await self._examples.tries(
            session, round_id=round_.id, annotator_id=by, context_id=context_id
        )
        return AssignmentRead(
            round_id=round_.id,
            context=ContextRead.model_validate(context),
            lease_expires_at=now + LEASE_DURATION,
            tries=tries,
            tries_left=max(round_.max_tries - tries, 0),
            goals=goals_of(task.config, annotator_id=by, context_id=context_id),
            is_model_shown=is_model_shown(
                draw_arm(round_, context_id=context_id, annotator_id=by), status=round_.status
            ),
        )
