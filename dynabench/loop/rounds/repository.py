"""All SQL of rounds."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Row,
    Select,
    Uuid,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import distinct_on

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import PlainRow, Prepared, Query, nothing
from dynabench.kit.ids import new_id
from dynabench.loop.models.tables import models
from dynabench.loop.rounds.tables import round_parents, round_targets, rounds
from dynabench.loop.rounds.values import (
    ROUND_CHANNEL,
    NewRound,
    Round,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundSchedule,
    RoundStatus,
    RoundValidation,
    Target,
)
from dynabench.loop.tasks.tables import tasks

_NUMBERING = "rounds.numbering"
_WAIT_IN_LINE = Prepared(
    select(func.pg_advisory_xact_lock_shared(bindparam("key", type_=BigInteger)))
)
_STATE = Prepared(
    select(rounds.c.status, rounds.c.number, rounds.c.opens_at, rounds.c.closes_at).where(
        rounds.c.id == bindparam("round_id")
    )
)


class RoundRepository:
    """Reads and writes rounds with their targets and parents."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, round_id: UUID) -> Round | None:
        """Return a round with its targets."""
        found = await self._load(_BY_ID, {"round_id": round_id})
        return found[0] if found else None

    async def of_task(self, task_id: UUID) -> list[Round]:
        """Return a task's rounds, newest first."""
        return await self._load(
            _selected().where(rounds.c.task_id == task_id).order_by(rounds.c.number.desc())
        )

    async def latest(self, task_ids: Collection[UUID]) -> list[Round]:
        """Return each task's open round, or the one past its draft that was opened last."""
        is_open = rounds.c.status == RoundStatus.OPEN
        # A replayed round was never open; numbers say little where drafts opened out of order.
        begun = func.coalesce(rounds.c.opened_at, rounds.c.created_at)
        return await self._load(
            _selected()
            .where(rounds.c.task_id.in_(task_ids), rounds.c.status != RoundStatus.DRAFT)
            .ext(distinct_on(rounds.c.task_id))
            .order_by(rounds.c.task_id, is_open.desc(), begun.desc(), rounds.c.number.desc())
        )

    async def by_number(self, *, task_id: UUID, number: int) -> Round | None:
        """Return a task's round of that number."""
        found = await self._load(
            _selected().where(rounds.c.task_id == task_id, rounds.c.number == number)
        )
        return found[0] if found else None

    async def lock_task(self, task_id: UUID) -> None:
        """Number and open the rounds of a task one at a time, until the transaction ends."""
        key = func.hashtextextended(f"{_NUMBERING}:{task_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def next_number(self, task_id: UUID) -> int:
        """Return the number after the task's highest."""
        highest = select(func.coalesce(func.max(rounds.c.number), 0)).where(
            rounds.c.task_id == task_id
        )
        return int((await self._session.execute(highest)).scalar_one()) + 1

    async def open_number(self, task_id: UUID) -> int | None:
        """Return the number of the task's open round, if one is open."""
        statement = select(rounds.c.number).where(
            rounds.c.task_id == task_id, rounds.c.status == RoundStatus.OPEN
        )
        number: int | None = (await self._session.execute(statement)).scalar_one_or_none()
        return number

    async def lock(self, round_id: UUID) -> None:
        """Wait until nobody holds the round, and let nobody hold it until this ends.

        Everything that changes a round does so behind this.
        """
        await self._session.execute(select(func.pg_advisory_xact_lock(_lock_key(round_id))))

    async def add(self, round_: NewRound, *, plan: RoundPlan) -> None:
        """Store a round with its targets and parents."""
        await self._session.execute(insert(rounds).values(**asdict(round_), **_columns_of(plan)))
        await self._put_lists(round_.id, plan)

    async def change(self, round_id: UUID, *, plan: RoundPlan) -> None:
        """Store anew what an owner decided, but for targets and parents."""
        await self._session.execute(
            update(rounds).where(rounds.c.id == round_id).values(**_columns_of(plan))
        )

    async def change_draft(self, round_id: UUID, *, plan: RoundPlan) -> None:
        """Store anew everything that an owner decided."""
        await self.change(round_id, plan=plan)
        for table in (round_targets, round_parents):
            await self._session.execute(delete(table).where(table.c.round_id == round_id))
        await self._put_lists(round_id, plan)

    async def open(self, round_id: UUID, *, config_version: int, now: datetime) -> None:
        """Start to collect, with the config that is active now."""
        await self._session.execute(
            update(rounds)
            .where(rounds.c.id == round_id)
            .values(status=RoundStatus.OPEN, config_version=config_version, opened_at=now)
        )
        await self._tell(round_id)

    async def reopen(self, round_id: UUID) -> None:
        """Collect again; when it was opened first stays."""
        await self._session.execute(
            update(rounds)
            .where(rounds.c.id == round_id)
            .values(status=RoundStatus.OPEN, closed_at=None, close_reason=None)
        )
        await self._tell(round_id)

    async def close(self, round_id: UUID, *, now: datetime, reason: str | None) -> None:
        """Collect no more."""
        await self._session.execute(
            update(rounds)
            .where(rounds.c.id == round_id)
            .values(status=RoundStatus.CLOSED, closed_at=now, close_reason=reason)
        )
        await self._tell(round_id)

    async def release(self, round_id: UUID, *, now: datetime) -> None:
        """Say that the round's dataset is out."""
        await self._session.execute(
            update(rounds)
            .where(rounds.c.id == round_id)
            .values(status=RoundStatus.RELEASED, released_at=now)
        )
        await self._tell(round_id)

    async def _tell(self, round_id: UUID) -> None:
        """Tell listeners, once this is committed, that a round has moved on."""
        await self._session.execute(select(func.pg_notify(ROUND_CHANNEL, str(round_id))))

    async def of_task_among(self, round_ids: Collection[UUID], *, task_id: UUID) -> set[UUID]:
        """Return those of the ids that are rounds of the task, drafts left out."""
        found = await self._session.execute(
            select(rounds.c.id).where(
                rounds.c.id.in_(round_ids),
                rounds.c.task_id == task_id,
                rounds.c.status != RoundStatus.DRAFT,
            )
        )
        return set(found.scalars())

    async def _put_lists(self, round_id: UUID, plan: RoundPlan) -> None:
        targets = [
            {"round_id": round_id, "model_id": model_id, "position": position}
            for position, model_id in enumerate(plan.target_model_ids)
        ]
        parents = [
            {
                "id": new_id(),
                "round_id": round_id,
                "parent_round_id": parent_round_id,
                "parent_model_id": parent_model_id,
                "position": position,
            }
            for position, (parent_round_id, parent_model_id) in enumerate(
                [(parent, None) for parent in plan.parent_round_ids]
                + [(None, parent) for parent in plan.parent_model_ids]
            )
        ]
        if targets:
            await self._session.execute(insert(round_targets), targets)
        if parents:
            await self._session.execute(insert(round_parents), parents)

    # SQLAlchemy types a row of chosen columns as Row[Any].
    async def _load(
        self, statement: Select[Any], values: Mapping[str, object] | None = None
    ) -> list[Round]:
        rows = (await self._session.execute(statement, values)).all()
        if not rows:
            return []
        ids = [row.id for row in rows]
        targets = defaultdict[UUID, list[Target]](list)
        for row in await self._session.execute(_TARGETS, {"ids": ids}):
            target = Target(
                model_id=row.model_id, name=row.name, version=row.version, digest=row.digest
            )
            targets[row.round_id].append(target)
        parents = defaultdict[UUID, list[tuple[UUID | None, UUID | None]]](list)
        for row in await self._session.execute(_PARENTS, {"ids": ids}):
            parents[row.round_id].append((row.parent_round_id, row.parent_model_id))
        return [_round_of(row, targets[row.id], parents[row.id]) for row in rows]


_control = models.alias("control_model")


# The same as above.
def _selected() -> Select[Any]:
    return (
        select(
            rounds,
            tasks.c.slug.label("task_slug"),
            _control.c.name.label("control_name"),
            _control.c.version.label("control_version"),
            _control.c.digest.label("control_digest"),
        )
        .join(tasks, tasks.c.id == rounds.c.task_id)
        .outerjoin(_control, _control.c.id == rounds.c.control_model_id)
    )


# Every attempt and vote asks for its round: these are not built anew each time.
_BY_ID = _selected().where(rounds.c.id == bindparam("round_id"))
_IDS = bindparam("ids", expanding=True, type_=Uuid)
_TARGETS = (
    select(
        round_targets.c.round_id,
        models.c.id.label("model_id"),
        models.c.name,
        models.c.version,
        models.c.digest,
    )
    .join(models, models.c.id == round_targets.c.model_id)
    .where(round_targets.c.round_id.in_(_IDS))
    .order_by(round_targets.c.position)
)
_PARENTS = (
    select(round_parents)
    .where(round_parents.c.round_id.in_(_IDS))
    .order_by(round_parents.c.position)
)


class HeldState(NamedTuple):
    """What a held round is until the transaction ends."""

    status: RoundStatus
    number: int
    schedule: RoundSchedule


class Holding(NamedTuple):
    """The queries that hold a round, to be sent with others and in this order."""

    turn: Query[None]
    state: Query[HeldState | None]


def holding(round_id: UUID) -> Holding:
    """Return the queries that read a round's state and number and keep `lock` waiting.

    They go together, in this order. The first waits in line, so that a closing gets its turn
    however many are at work; the second begins after that, and so sees what a closing that
    was waited for has made of the round.
    """

    def read(rows: Sequence[PlainRow]) -> HeldState | None:
        if not rows:
            return None
        row = rows[0]
        schedule = RoundSchedule(opens_at=row["opens_at"], closes_at=row["closes_at"])
        return HeldState(RoundStatus(row["status"]), row["number"], schedule)

    return Holding(
        _WAIT_IN_LINE.with_values(nothing, key=_lock_key(round_id)),
        _STATE.with_values(read, round_id=round_id),
    )


def _lock_key(round_id: UUID) -> int:
    """Return the number under which a round is held; an id's last half is random."""
    return int.from_bytes(round_id.bytes[8:], "big", signed=True)


def _columns_of(plan: RoundPlan) -> dict[str, object]:
    return {
        "target_policy": plan.target_policy,
        "context_policy": plan.context_policy,
        "context_tags": list(plan.context_tags),
        "validation_mode": plan.validation.mode,
        "quorum": plan.validation.quorum,
        "maximum": plan.validation.maximum,
        "gold_from": plan.validation.gold_from,
        "share_of_others": plan.validation.share_of_others,
        "max_tries": plan.max_tries,
        "budget_examples": plan.budget.examples,
        "budget_days": plan.budget.days,
        "budget_validated_fooling": plan.budget.validated_fooling,
        "control_no_model_share": plan.controls.no_model_share,
        "control_earlier_share": plan.controls.earlier_share,
        "control_model_id": plan.controls.model_id,
        "opens_at": plan.schedule.opens_at,
        "closes_at": plan.schedule.closes_at,
        "seed": plan.seed,
    }


# The same as above.
def _round_of(
    row: Row[Any],
    targets: Sequence[Target],
    parents: Sequence[tuple[UUID | None, UUID | None]],
) -> Round:
    return Round(
        id=row.id,
        task_id=row.task_id,
        task_slug=row.task_slug,
        number=row.number,
        status=row.status,
        config_version=row.config_version,
        target_model_ids=tuple(target.model_id for target in targets),
        target_policy=row.target_policy,
        context_policy=row.context_policy,
        context_tags=tuple(row.context_tags),
        validation=RoundValidation(
            mode=row.validation_mode,
            quorum=row.quorum,
            maximum=row.maximum,
            gold_from=row.gold_from,
            share_of_others=row.share_of_others,
        ),
        max_tries=row.max_tries,
        budget=RoundBudget(
            examples=row.budget_examples,
            days=row.budget_days,
            validated_fooling=row.budget_validated_fooling,
        ),
        schedule=RoundSchedule(opens_at=row.opens_at, closes_at=row.closes_at),
        parent_round_ids=tuple(round_id for round_id, _ in parents if round_id is not None),
        parent_model_ids=tuple(model_id for _, model_id in parents if model_id is not None),
        controls=RoundControls(
            no_model_share=row.control_no_model_share,
            earlier_share=row.control_earlier_share,
            model_id=row.control_model_id,
        ),
        seed=row.seed,
        targets=tuple(targets),
        control_target=_control_of(row),
        arm_secret=row.arm_secret,
        is_replay=row.is_replay,
        people_are_known=row.people_are_known,
        created_at=row.created_at,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        released_at=row.released_at,
        close_reason=row.close_reason,
        provenance=row.provenance,
    )


# The same as above.
def _control_of(row: Row[Any]) -> Target | None:
    if row.control_model_id is None:
        return None
    return Target(
        model_id=row.control_model_id,
        name=row.control_name,
        version=row.control_version,
        digest=row.control_digest,
    )
