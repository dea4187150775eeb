"""Use cases of scales: show a task's, compute it anew when its inputs change."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from pydantic import JsonValue, ValidationError

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.sentences import Phrase
from dynabench.loop.leaderboards.figures.service import Current, FigureService
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.scales.contests.rules import contest_of
from dynabench.loop.leaderboards.scales.repository import ScaleRepository, StoredRow
from dynabench.loop.leaderboards.scales.rules import (
    NO_SETS,
    NOT_OF_PREDICTIONS,
    material_of,
    scale_of,
)
from dynabench.loop.leaderboards.scales.schemas import (
    ContestRead,
    ScaledModelRead,
    ScaledSetRead,
    ScaleRead,
    SkillRead,
    StoredContest,
    StoredScale,
    StoredSkill,
    StrengthRead,
)
from dynabench.loop.leaderboards.scales.values import COMPUTE_SCALE, AttemptCount, Material
from dynabench.loop.leaderboards.suspicions.service import SuspicionService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus, TargetPolicy
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.people.directory.service import UserDirectory

_JOBS = UUID("5f0f6a39-5f1c-4c86-9f7e-0b7d8f4f3a11")
# What is stored is computed anew where the way it is computed has changed.
_METHOD = 1
_ONE_IS_ASKED = frozenset({TargetPolicy.SINGLE, TargetPolicy.RANDOM})
_OVER = frozenset({RoundStatus.CLOSED, RoundStatus.RELEASED})
_MOST_SKILLS = 500
NOT_YET = Phrase("scales.not_yet", "It was not computed yet; a worker does it now.").say()


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a scale is computed from, and the digest of it all."""

    current: Current | None
    published: Mapping[UUID, tuple[str, int]]
    rounds: Sequence[Round]
    digest: str


class ScaleService:
    """Scales of all tasks: computed by a worker, shown as of then."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        figures: FigureService,
        suspicions: SuspicionService,
        directory: UserDirectory,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._figures = figures
        self._suspicions = suspicions
        self._directory = directory
        self._queue = queue

    async def read(self, slug: str, *, actor: Actor) -> ScaleRead:
        """Return a task's scale as it was computed last; where inputs changed, ask for a new one.

        Raises:
            TaskNotFoundError: If the actor may not see the task.
        """
        task = await self._tasks.get_for(slug, actor)
        inputs, row, is_current = await self._look(task)
        return await self._describe(task, inputs, row, actor=actor, is_current=is_current)

    async def follow(self, task_id: UUID) -> bool:
        """Ask for a new scale where a task's inputs have changed; return whether they have."""
        await self._figures.compute(task_id)
        _, _, is_current = await self._look(await self._tasks.get_by_id(task_id))
        return not is_current

    async def recompute(self, slug: str, *, actor: Actor, key: RequestKey | None) -> JobRead:
        """Ask for a task's scale to be computed anew (owners).

        Raises:
            TaskNotFoundError: If the actor may not see the task.
            TaskRoleNeededError: If the actor does not own it.
        """
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        try:
            async with self._db.transaction() as session:
                done = None if key is None else await find(session, key)
                if done is None:
                    done = await self._queue.enqueue(
                        session,
                        COMPUTE_SCALE,
                        {"task_id": str(task.id), "is_forced": True},
                        created_by=actor.user_id,
                    )
                    if key is not None:
                        await claim(session, key, done)
        except AlreadyDone as already:
            done = already.resource_id
        async with self._db.read() as session:
            return JobRead.model_validate(await self._queue.get(session, done))

    async def compute(self, task_id: UUID, *, is_forced: bool = False) -> dict[str, JsonValue]:
        """Compute a task's scale and its suspected errors, unless they are those of now."""
        task = await self._tasks.get_by_id(task_id)
        await self._figures.compute(task_id)
        inputs = await self._inputs(task)
        async with self._db.read() as session:
            row = await ScaleRepository(session).stored(task_id)
        if not is_forced and row is not None and row.inputs_digest == inputs.digest:
            return {"models": 0}
        contest = await asyncio.to_thread(
            contest_of, inputs.rounds, await self._attempts(inputs.rounds)
        )
        material = _material(inputs)
        abilities: dict[UUID, float] = {}
        if material is None:
            reason = NOT_OF_PREDICTIONS if inputs.current is None else NO_SETS
            stored = _empty(contest, reason, inputs.current)
        else:
            stored, abilities = await asyncio.to_thread(scale_of, material, contest)
        async with self._db.transaction() as session:
            await ScaleRepository(session).keep(
                task_id,
                inputs_digest=inputs.digest,
                result=stored.model_dump(mode="json"),
                now=self._clock.now(),
            )
        suspected = 0
        if material is not None:
            suspected = await self._suspicions.compute(material, abilities)
        return {"models": len(stored.models), "sets": len(stored.sets), "suspected": suspected}

    async def _look(self, task: Task) -> tuple[_Inputs, StoredRow | None, bool]:
        """Return the inputs of now, what was computed, and whether of these; if not, ask for it."""
        inputs = await self._inputs(task)
        async with self._db.read() as session:
            row = await ScaleRepository(session).stored(task.id)
        is_current = row is not None and row.inputs_digest == inputs.digest
        if not is_current:
            await self._ask(task, inputs.digest)
        return inputs, row, is_current

    async def _inputs(self, task: Task) -> _Inputs:
        current = await self._figures.current(task)
        rounds = [one for one in await self._rounds.of_task(task.id) if one.status in _OVER]
        rounds.sort(key=lambda one: one.number)
        known = [one.id for one in rounds if one.people_are_known]
        async with self._db.read() as session:
            contenders = await BoardRepository(session).contenders(task.id)
            attempts = await ScaleRepository(session).attempts_stamp(known)
        published = {one.id: (one.name, one.version) for one in contenders if one.is_published}
        prepared = None if current is None else current.prepared
        about = (
            _METHOD,
            None if prepared is None else prepared.figures.stamp,
            sorted(map(str, published)),
            [(str(one.id), *sorted(map(str, one.target_model_ids))) for one in rounds],
            attempts,
        )
        return _Inputs(current, published, rounds, hashlib.sha256(repr(about).encode()).hexdigest())

    async def _attempts(self, rounds: Sequence[Round]) -> list[AttemptCount]:
        found: list[AttemptCount] = []
        for one in rounds:
            if one.people_are_known:
                async with self._db.read() as session:
                    found += await ScaleRepository(session).attempts(
                        one.id, is_one_asked=one.target_policy in _ONE_IS_ASKED
                    )
        return found

    async def _ask(self, task: Task, digest: str) -> None:
        """Ask for a job, once for the same inputs; of one that failed again in the next hour."""
        hour = self._clock.now().strftime("%Y-%m-%d %H")
        async with self._db.transaction() as session:
            await self._queue.enqueue(
                session,
                COMPUTE_SCALE,
                {"task_id": str(task.id)},
                job_id=uuid5(_JOBS, f"{task.id} {digest} {hour}"),
            )

    async def _describe(
        self,
        task: Task,
        inputs: _Inputs,
        row: StoredRow | None,
        *,
        actor: Actor,
        is_current: bool,
    ) -> ScaleRead:
        stored = None if row is None else _parse(row)
        if row is None or stored is None:
            contest = StoredContest(models=[], rounds=[], annotators=[], reason=NOT_YET)
            empty = _empty(contest, NOT_YET, inputs.current)
            return await self._read(task, inputs, empty, actor=actor, row=None, is_current=False)
        return await self._read(task, inputs, stored, actor=actor, row=row, is_current=is_current)

    async def _read(
        self,
        task: Task,
        inputs: _Inputs,
        stored: StoredScale,
        *,
        actor: Actor,
        row: StoredRow | None,
        is_current: bool,
    ) -> ScaleRead:
        # A model that is private by now is not named, whatever was computed when it was not.
        models = [
            ScaledModelRead(
                id=one.id,
                name=inputs.published[one.id][0],
                version=inputs.published[one.id][1],
                ability=one.ability,
                sets=one.sets,
                expected=one.expected,
            )
            for one in stored.models
            if one.id in inputs.published
        ]
        sets = [
            ScaledSetRead(
                **{
                    **dict(one),
                    "targets": [
                        "{} v{}".format(*inputs.published[model])
                        for model in one.targets
                        if model in inputs.published
                    ],
                }
            )
            for one in stored.sets
        ]
        return ScaleRead(
            task_slug=task.slug,
            metric=stored.metric,
            has_discrimination=stored.has_discrimination,
            models=models,
            sets=sets,
            contest=await self._contest(task, inputs, stored.contest, actor=actor),
            reason=stored.reason,
            reason_told=stored.reason_told,
            notes=stored.notes,
            notes_told=stored.notes_told,
            as_of=None if row is None else row.computed_at,
            is_current=is_current,
        )

    async def _contest(
        self, task: Task, inputs: _Inputs, stored: StoredContest, *, actor: Actor
    ) -> ContestRead:
        """Return who fooled what: skills are for owners, and one's own for oneself."""
        is_owner = may_own(await self._tasks.role_of(task.id, actor))
        mine = [one for one in stored.annotators if one.annotator_id == actor.user_id]
        shown = stored.annotators[:_MOST_SKILLS] if is_owner else []
        people = await self._directory.usernames({one.annotator_id for one in (*shown, *mine)})
        targets = {
            target.model_id: (target.name, target.version)
            for round_ in inputs.rounds
            for target in round_.targets
        }
        names = {**targets, **inputs.published}
        return ContestRead(
            models=[
                StrengthRead(
                    model_id=one.model_id,
                    name=names[one.model_id][0],
                    version=names[one.model_id][1],
                    strength=one.strength,
                    attempts=one.attempts,
                )
                for one in stored.models
                if one.model_id in names
            ],
            rounds=stored.rounds,
            annotators=[_skill(one, people) for one in shown] if is_owner else None,
            mine=_skill(mine[0], people) if mine else None,
            reason=stored.reason,
            reason_told=stored.reason_told,
        )


def _material(inputs: _Inputs) -> Material | None:
    current = inputs.current
    if current is None or current.prepared is None:
        return None
    return material_of(
        current.columns,
        current.prepared,
        published=inputs.published.keys(),
        rounds=inputs.rounds,
    )


def _empty(contest: StoredContest, reason: str, current: Current | None) -> StoredScale:
    return StoredScale(
        metric="" if current is None else current.columns.principal.name,
        has_discrimination=False,
        models=[],
        sets=[],
        contest=contest,
        reason=reason,
        notes=[],
    )


def _parse(row: StoredRow) -> StoredScale | None:
    """Read a stored scale; None where an older release wrote it in another shape."""
    try:
        return StoredScale.model_validate(row.result)
    except ValidationError:
        return None


def _skill(one: StoredSkill, people: Mapping[UUID, str]) -> SkillRead:
    return SkillRead(
        username=people.get(one.annotator_id, ""), skill=one.skill, attempts=one.attempts
    )
