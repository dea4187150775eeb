"""Use cases of rounds: plan one, open it, close it, open it again."""

import time
from collections.abc import Callable, Collection, Mapping
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.db.pipeline import send
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.errors import (
    AnotherRoundOpenError,
    JudgeMissingError,
    RoundNotFoundError,
    RoundReleasedError,
    RoundStateError,
)
from dynabench.loop.rounds.permissions import can_see
from dynabench.loop.rounds.references.service import ReferenceService
from dynabench.loop.rounds.repository import Holding, RoundRepository, holding
from dynabench.loop.rounds.rules import (
    require_changeable,
    require_next,
    require_reopenable,
    require_replay,
    require_settings,
)
from dynabench.loop.rounds.schedules.rules import require_schedule, require_within
from dynabench.loop.rounds.schemas import RoundCreate, RoundPatch, RoundRead, RoundReopen
from dynabench.loop.rounds.values import NewRound, Round, RoundPlan, RoundSchedule, RoundStatus
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus

_CACHE_SECONDS = 1.0
_CACHE_ENTRIES = 1_000
_CLOSED_BY_OWNER = "An owner closed it."


class RoundService:
    """Rounds of all tasks.

    A round is read for every attempt, so this process remembers it for a second; whether it
    is open is asked of the database again where an example is stored (`holding`).
    """

    def __init__(
        self, *, db: Database, clock: Clock, tasks: TaskService, models: ModelService
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._references = ReferenceService(models)
        self._cache: dict[UUID, tuple[float, Round]] = {}
        self._changes = 0

    async def read(self, round_id: UUID, *, actor: Actor) -> RoundRead:
        """Return a round as pages show it."""
        return RoundRead.model_validate(await self.get_visible(round_id, actor))

    async def create(
        self, slug: str, body: RoundCreate, *, actor: Actor, key: RequestKey | None
    ) -> RoundRead:
        """Store a draft under the task's next number."""
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self.read(done, actor=actor)
        if task.status is TaskStatus.ARCHIVED:
            raise TaskStateError(slug=task.slug, status=task.status, wanted="a draft or active")
        plan = body.plan()
        require_settings(plan, config=task.config, is_complete=False)
        require_schedule(plan.schedule, before=RoundSchedule(), now=self._clock.now())
        try:
            async with self._db.transaction() as session:
                await self._references.check(session, plan, task=task)
                round_id = await self._add_draft(session, plan, task=task, actor=actor)
                if key is not None:
                    await claim(session, key, round_id)
        except AlreadyDone as done_before:
            round_id = done_before.resource_id
        return await self.read(round_id, actor=actor)

    async def change(self, round_id: UUID, body: RoundPatch, *, actor: Actor) -> RoundRead:
        """Change a draft; of an open round only its budget, schedule and context tags."""
        task = await self._owned(round_id, actor)
        async with self._db.transaction() as session:
            repository = RoundRepository(session)
            before = await self._locked(session, round_id)
            require_changeable(before, changed=body.changed)
            plan = body.applied_to(before)
            require_schedule(
                plan.schedule,
                now=self._clock.now(),
                before=before.schedule,
                begun_at=before.collects_from,
            )
            is_draft = before.status is RoundStatus.DRAFT
            require_settings(plan, config=task.config, is_complete=not is_draft)
            if is_draft:
                await self._references.check(session, plan, task=task, round_=before)
                await repository.change_draft(round_id, plan=plan)
            else:
                await repository.change(round_id, plan=plan)
        self._forget(round_id)
        return await self.read(round_id, actor=actor)

    async def open(self, round_id: UUID, *, actor: Actor) -> RoundRead:
        """Start to collect, if the task is active and no other round of it is open."""
        task = await self._owned(round_id, actor)
        async with self._db.transaction() as session:
            round_ = await self._hold(session, round_id, task)
            require_next(round_, RoundStatus.OPEN)
            await self._require_can_collect(session, round_, task)
            await RoundRepository(session).open(
                round_id, config_version=task.config_version, now=self._clock.now()
            )
        self._forget(round_id)
        return await self.read(round_id, actor=actor)

    async def reopen(
        self, session: Session, round_id: UUID, body: RoundReopen, *, actor: Actor
    ) -> None:
        """Collect again in the caller's transaction in a round that was closed.

        Raises:
            DynabenchError: As `require_reopenable` and `open`.
        """
        task = await self._owned(round_id, actor)
        round_ = await self._hold(session, round_id, task)
        (latest,) = await RoundRepository(session).latest([task.id])
        require_reopenable(round_, config_version=task.config_version, latest_number=latest.number)
        plan = body.limited(round_)
        await self._require_can_collect(session, plan, task)
        await RoundRepository(session).change(round_id, plan=plan)
        await RoundRepository(session).reopen(round_id)
        self._forget(round_id)

    async def _hold(self, session: Session, round_id: UUID, task: Task) -> Round:
        await RoundRepository(session).lock_task(task.id)
        return await self._locked(session, round_id)

    async def _require_can_collect(self, session: Session, plan: RoundPlan, task: Task) -> None:
        """Refuse to collect without what it needs, or beside another round of the task."""
        if task.status is not TaskStatus.ACTIVE:
            raise TaskStateError(slug=task.slug, status=task.status, wanted="active")
        require_settings(plan, config=task.config, is_complete=True)
        require_schedule(plan.schedule, now=self._clock.now())
        await self._models.require_ready(session, plan.asked_model_ids, is_for_all=True)
        judge = task.config.model_wrong_metric.judge
        if judge and await self._models.newest_judge(task.id, name=judge) is None:
            raise JudgeMissingError(judge=judge)
        other = await RoundRepository(session).open_number(task.id)
        if other is not None:
            raise AnotherRoundOpenError(round_number=other)

    async def close(self, round_id: UUID, *, actor: Actor) -> RoundRead:
        """End the collection, after the examples that are being stored right now."""
        await self._owned(round_id, actor)
        async with self._db.transaction() as session:
            require_next(await self._locked(session, round_id), RoundStatus.CLOSED)
            await RoundRepository(session).close(
                round_id, now=self._clock.now(), reason=_CLOSED_BY_OWNER
            )
        self._forget(round_id)
        return await self.read(round_id, actor=actor)

    async def close_for_budget(self, round_id: UUID, *, reason: str) -> bool:
        """Close a round whose budget is spent; False if it was not open any more.

        Has a transaction of its own: one that stored an example holds the round open.
        """
        return await self.close_by_itself(round_id, why=lambda _: reason)

    async def close_by_itself(self, round_id: UUID, *, why: Callable[[Round], str | None]) -> bool:
        """Close a round that is open and over; False if it is not.

        Args:
            round_id: The round.
            why: Returns why the round, as it is while nobody changes it, is over; or None.
        """
        async with self._db.transaction() as session:
            round_ = await self._locked(session, round_id)
            reason = why(round_) if round_.status is RoundStatus.OPEN else None
            if reason is not None:
                await RoundRepository(session).close(round_id, now=self._clock.now(), reason=reason)
        self._forget(round_id)
        return reason is not None

    async def get(self, round_id: UUID) -> Round:
        """Return a round as it was at most a second ago.

        Raises:
            RoundNotFoundError: If there is none.
        """
        known = self._cache.get(round_id)
        if known is not None and time.monotonic() < known[0]:
            return known[1]
        seen = self._changes
        async with self._db.read() as session:
            round_ = await self._load(session, round_id)
        if seen != self._changes:
            # What was read may be older than a change made meanwhile: it is not kept.
            return round_
        if len(self._cache) >= _CACHE_ENTRIES:
            self._cache.clear()
        self._cache[round_id] = (time.monotonic() + _CACHE_SECONDS, round_)
        return round_

    async def get_visible(self, round_id: UUID, actor: Actor) -> Round:
        """Return a round that the actor may know of.

        Raises:
            RoundNotFoundError: If there is none, or it is a draft of others.
        """
        round_ = await self.get(round_id)
        try:
            task = await self._tasks.get_for(round_.task_slug, actor)
        except TaskNotFoundError as error:
            raise RoundNotFoundError from error
        if round_.status is RoundStatus.DRAFT:
            role = await self._tasks.role_of(task.id, actor)
            if not can_see(round_, role=role):
                raise RoundNotFoundError
        return round_

    async def of_task(self, task_id: UUID) -> "list[Round]":
        """Return all rounds of a task, newest first, drafts too."""
        async with self._db.read() as session:
            return await RoundRepository(session).of_task(task_id)

    async def latest(self, task_ids: Collection[UUID]) -> Mapping[UUID, Round]:
        """Return each task's open round, or the one opened last; tasks without one are left out."""
        async with self._db.read() as session:
            found = await RoundRepository(session).latest(task_ids)
        return {one.task_id: one for one in found}

    async def hold_open(self, session: Session, round_id: UUID) -> None:
        """Keep the round open until the caller's transaction ends.

        Raises:
            RoundNotFoundError: If there is none.
            RoundStateError: If it does not collect.
            RoundNotBegunError: If its opening is still to come.
            RoundOverError: If its closing has come.
        """
        held = self.holding(round_id)
        await send(session, *held)
        self.require_held_open(round_id, held)

    async def hold_unreleased(self, session: Session, round_id: UUID) -> None:
        """Keep the round from being released until the caller's transaction ends.

        Whatever changes a round's examples or votes does so behind this: a release reads them
        while nobody does.

        Raises:
            RoundNotFoundError: If there is none.
            RoundReleasedError: If it is released.
        """
        held = self.holding(round_id)
        await send(session, *held)
        if held.state.result is None:
            raise RoundNotFoundError
        if held.state.result.status is RoundStatus.RELEASED:
            self._forget(round_id)
            raise RoundReleasedError(round_number=held.state.result.number)

    def require_within(self, round_: Round) -> None:
        """Check that an open round's opening has come and its closing has not.

        Raises:
            RoundNotBegunError: If its opening is still to come.
            RoundOverError: If its closing has come.
        """
        require_within(round_.schedule, round_number=round_.number, now=self._clock.now())

    def holding(self, round_id: UUID) -> Holding:
        """Return what keeps a round in its state until the caller's transaction ends."""
        return holding(round_id)

    def require_held_open(self, round_id: UUID, held: Holding) -> None:
        """Check, after its queries were sent, that the round collects; raises as `hold_open`."""
        found = held.state.result
        if found is None:
            raise RoundNotFoundError
        if found.status is not RoundStatus.OPEN:
            self._forget(round_id)
            raise RoundStateError(round_number=found.number, status=found.status, wanted="open")
        require_within(found.schedule, round_number=found.number, now=self._clock.now())

    async def mark_released(self, session: Session, round_id: UUID) -> None:
        """Say in the caller's transaction that the closed round's dataset is out."""
        require_next(await self._locked(session, round_id), RoundStatus.RELEASED)
        await RoundRepository(session).release(round_id, now=self._clock.now())
        self._forget(round_id)

    async def create_closed(
        self,
        session: Session,
        plan: RoundPlan,
        *,
        task: Task,
        number: int,
        reason: str,
        people_are_known: bool = True,
        provenance: Values | None = None,
    ) -> Round:
        """Make the closed round that a replay fills, or return it if an earlier run made it.

        The task's rounds are held until the transaction ends, so replays take turns.

        Args:
            session: The caller's transaction.
            plan: Targets and validation, as the source says they were.
            task: Whose round it is.
            number: The number that it has in the source.
            reason: Why it is closed, in a sentence.
            people_are_known: Whether the source says who wrote what.
            provenance: Where it comes from; when it came is added.

        Raises:
            RoundSettingsError: If the settings are wrong, or a round that was collected here
                has this number.
        """
        repository = RoundRepository(session)
        await repository.lock_task(task.id)
        existing = await repository.by_number(task_id=task.id, number=number)
        if existing is not None:
            require_replay(existing)
            return existing
        require_settings(plan, config=task.config, is_complete=False)
        new = NewRound.replayed(
            task,
            number=number,
            reason=reason,
            people_are_known=people_are_known,
            provenance=provenance,
            now=self._clock.now(),
        )
        await repository.add(new, plan=plan)
        return await self._load(session, new.id)

    async def list(self, slug: str, *, actor: Actor) -> list[RoundRead]:
        """Return the rounds that the actor may see, newest first."""
        task = await self._tasks.get_for(slug, actor)
        role = await self._tasks.role_of(task.id, actor)
        async with self._db.read() as session:
            found = await RoundRepository(session).of_task(task.id)
        return [RoundRead.model_validate(one) for one in found if can_see(one, role=role)]

    async def _add_draft(
        self, session: Session, plan: RoundPlan, *, task: Task, actor: Actor
    ) -> UUID:
        repository = RoundRepository(session)
        await repository.lock_task(task.id)
        round_id = new_id()
        await repository.add(
            NewRound(
                id=round_id,
                task_id=task.id,
                number=await repository.next_number(task.id),
                status=RoundStatus.DRAFT,
                config_version=task.config_version,
                is_replay=False,
                created_by=actor.user_id,
                created_at=self._clock.now(),
            ),
            plan=plan,
        )
        return round_id

    async def _owned(self, round_id: UUID, actor: Actor) -> Task:
        """Return the task of a round whose owner the actor is."""
        round_ = await self.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return task

    async def _locked(self, session: Session, round_id: UUID) -> Round:
        await RoundRepository(session).lock(round_id)
        return await self._load(session, round_id)

    async def _load(self, session: Session, round_id: UUID) -> Round:
        round_ = await RoundRepository(session).get(round_id)
        if round_ is None:
            raise RoundNotFoundError
        return round_

    def _forget(self, round_id: UUID) -> None:
        self._changes += 1
        self._cache.pop(round_id, None)
