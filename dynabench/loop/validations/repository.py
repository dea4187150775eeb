"""All SQL of votes and of the queue of examples that wait for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    DateTime,
    Uuid,
    and_,
    any_,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validation_leases, validations
from dynabench.loop.validations.values import Verdict, Vote

_WAITING_SHOWN = 100
_UUIDS = ARRAY(Uuid)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRow:
    """A vote as its row says, with the round it belongs to."""

    id: UUID
    example_id: UUID
    round_id: UUID
    validator_id: UUID
    vote: Vote
    answer: dict[str, object] | None
    metadata: dict[str, object]
    is_expert: bool
    time_spent_seconds: float | None
    created_at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What decides which examples of a round wait for a validator.

    Votes are wanted up to `quorum` that agree and `maximum` in all; leases that ended
    before `now` hold nothing.
    """

    round_id: UUID
    validator_id: UUID
    quorum: int
    maximum: int
    now: datetime


class ValidationRepository:
    """Reads and writes votes and leases."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, vote: VoteRow) -> None:
        """Store a vote."""
        values = {column.name: getattr(vote, column.name) for column in validations.columns}
        await self._session.execute(insert(validations), values)

    async def get(self, validation_id: UUID) -> VoteRow | None:
        """Return a vote by its id; its row is held until the transaction ends."""
        statement = select(validations).where(validations.c.id == validation_id).with_for_update()
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else VoteRow(**row._mapping)  # noqa: SLF001

    async def has_voted(self, *, example_id: UUID, validator_id: UUID) -> bool:
        """Tell whether an ordinary vote of this person on this example stands."""
        statement = select(exists().where(_own_vote(example_id, validator_id)))
        return bool((await self._session.execute(statement)).scalar_one())

    async def withdraw(self, validation_id: UUID, *, now: datetime) -> None:
        """Mark a vote as withdrawn; its row is kept."""
        await self._session.execute(
            update(validations).where(validations.c.id == validation_id).values(withdrawn_at=now)
        )

    async def votes_of(self, *, round_id: UUID, validator_id: UUID) -> int:
        """Return how many votes of this person stand in a round."""
        statement = select(func.count()).where(
            validations.c.validator_id == validator_id,
            validations.c.round_id == round_id,
            validations.c.withdrawn_at.is_(None),
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def take_next(self, queue: Queue, *, expires_at: datetime, count: int) -> Sequence[UUID]:
        """Lease the next examples to a validator and return their ids, in order.

        An example is passed over while as many others hold it as it wants votes; one that
        somebody is taking at this moment is passed over too. The rows are held before the
        leases of others are counted for good: who comes first is seen by who comes next.
        """
        statement = (
            select(outcomes.c.example_id)
            .where(_open_to(queue))
            .order_by(
                outcomes.c.priority,
                outcomes.c.leading.desc(),
                outcomes.c.example_created_at,
                outcomes.c.example_id,
            )
            .limit(count)
            .with_for_update(of=outcomes, skip_locked=True)
        )
        ids = (await self._session.execute(statement)).scalars().all()
        if not ids:
            return []
        still_open = select(
            outcomes.c.example_id,
            literal(queue.validator_id, type_=Uuid),
            literal(expires_at, type_=DateTime(timezone=True)),
        ).where(outcomes.c.example_id == any_(literal(list(ids), type_=_UUIDS)), _open_to(queue))
        lease = upsert(validation_leases).from_select(
            ["example_id", "validator_id", "expires_at"], still_open
        )
        taken = await self._session.execute(
            lease.on_conflict_do_update(
                index_elements=["example_id", "validator_id"],
                set_={"expires_at": lease.excluded.expires_at, "is_skipped": False},
            ).returning(validation_leases.c.example_id)
        )
        leased = set(taken.scalars())
        return [example_id for example_id in ids if example_id in leased]

    async def waiting(self, queue: Queue) -> int:
        """Return how many examples wait for this validator, counted up to one hundred."""
        some = select(outcomes.c.example_id).where(_open_to(queue)).limit(_WAITING_SHOWN).subquery()
        statement = select(func.count()).select_from(some)
        return int((await self._session.execute(statement)).scalar_one())

    async def end_lease(self, *, example_id: UUID, validator_id: UUID) -> None:
        """Forget a lease."""
        await self._session.execute(
            delete(validation_leases).where(
                validation_leases.c.example_id == example_id,
                validation_leases.c.validator_id == validator_id,
            )
        )

    async def skip(self, *, example_id: UUID, validator_id: UUID, now: datetime) -> None:
        """Give a lease back for good."""
        lease = upsert(validation_leases).values(
            example_id=example_id, validator_id=validator_id, expires_at=now, is_skipped=True
        )
        await self._session.execute(
            lease.on_conflict_do_update(
                index_elements=["example_id", "validator_id"],
                set_={"expires_at": now, "is_skipped": True},
            )
        )


def _own_vote(example_id: object, validator_id: UUID) -> ColumnElement[bool]:
    return and_(
        validations.c.example_id == example_id,
        validations.c.validator_id == validator_id,
        validations.c.is_expert.is_(False),
        validations.c.withdrawn_at.is_(None),
    )


def _open_to(queue: Queue) -> ColumnElement[bool]:
    """Say which outcomes wait for one more vote that this validator may cast."""
    held_by_others = (
        select(func.count())
        .where(
            validation_leases.c.example_id == outcomes.c.example_id,
            validation_leases.c.validator_id != queue.validator_id,
            validation_leases.c.expires_at > queue.now,
            validation_leases.c.is_skipped.is_(False),
        )
        .correlate(outcomes)
        .scalar_subquery()
    )
    skipped = exists().where(
        validation_leases.c.example_id == outcomes.c.example_id,
        validation_leases.c.validator_id == queue.validator_id,
        validation_leases.c.is_skipped,
    )
    return and_(
        outcomes.c.round_id == queue.round_id,
        # Spelt like the queue's partial index, so that the planner recognises it.
        outcomes.c.verdict == Verdict.PENDING,
        outcomes.c.is_wanted,
        outcomes.c.annotator_id != queue.validator_id,
        ~exists().where(_own_vote(outcomes.c.example_id, queue.validator_id)),
        ~skipped,
        func.least(queue.quorum - outcomes.c.leading, queue.maximum - outcomes.c.votes)
        > held_by_others,
    )
