"""All SQL of votes and of the queue of examples that wait for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    DateTime,
    Integer,
    Uuid,
    all_,
    and_,
    any_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import PlainRow, Prepared, Query, ask, json_of, nothing, send
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.examples.tables import examples
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.outcomes.values import CastVote
from dynabench.loop.validations.tables import validation_leases, validations
from dynabench.loop.validations.values import Verdict, Vote

_WAITING_SHOWN = 20
_CHOOSING_TRIES = 10
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

    def as_cast(self) -> CastVote:
        """Return what decides of it."""
        return CastVote(
            validator_id=self.validator_id,
            vote=self.vote,
            answer=self.answer,
            is_expert=self.is_expert,
            withdrawn=self.withdrawn_at is not None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What decides which examples of a round wait for a validator.

    Votes are wanted up to `quorum` that agree and `maximum` in all; leases that ended
    before `now` hold nothing. Examples of `barred_authors` are left out.
    """

    round_id: UUID
    validator_id: UUID
    quorum: int
    maximum: int
    now: datetime
    barred_authors: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenItem:
    """What a validator is shown of an example."""

    example_id: UUID
    context: dict[str, object]
    inputs: dict[str, object]
    answer: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was lent, how many votes the validator has cast, and what still waits for them."""

    items: tuple[TakenItem, ...]
    votes: int
    waiting: int


class ValidationRepository:
    """Reads and writes votes and leases."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, vote: VoteRow) -> None:
        """Store a vote."""
        await ask(self._session, adding_vote(vote))

    async def get(self, validation_id: UUID) -> VoteRow | None:
        """Return a vote by its id; its row is held until the transaction ends."""
        statement = select(validations).where(validations.c.id == validation_id).with_for_update()
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else VoteRow(**row._mapping)  # noqa: SLF001

    async def withdraw(self, validation_id: UUID, *, now: datetime) -> None:
        """Mark a vote as withdrawn; its row is kept."""
        await self._session.execute(
            update(validations).where(validations.c.id == validation_id).values(withdrawn_at=now)
        )

    async def take_next(self, queue: Queue, *, expires_at: datetime, count: int) -> Taken:
        """Lease the next examples to a validator and describe them, in order.

        An example is passed over while as many others hold it as it wants votes; one that
        somebody is taking at this moment is passed over too. The rows are held before the
        leases of others are counted for good: who comes first is seen by who comes next.

        The commit does not wait for the disk: of a lease that a crash undoes the validator is
        told when they vote, and the example is lent anew.
        """
        for _ in range(_CHOOSING_TRIES):
            chosen = _choosing(queue, count=count)
            await send(self._session, chosen)
            ids = chosen.result
            taken = await self._take(queue, ids, expires_at=expires_at)
            # Chosen before another's lease was seen, and left after: there may be more.
            if taken.items or not ids:
                break
        return taken

    async def _take(self, queue: Queue, ids: list[UUID], *, expires_at: datetime) -> Taken:
        leased = _LEASE.with_values(
            lambda rows: {row["example_id"] for row in rows},
            **_values_of(queue),
            ids=ids,
            expires_at=expires_at,
        )
        items = _ITEMS.with_values(_items_of, ids=ids)
        votes = _OWN_VOTES.with_values(
            lambda rows: int(rows[0]["votes"]),
            round_id=queue.round_id,
            validator_id=queue.validator_id,
        )
        waiting = _WAITING.with_values(lambda rows: int(rows[0]["waiting"]), **_values_of(queue))
        lent: list[Query[Any]] = [leased, items] if ids else []
        await send(self._session, *lent, votes, waiting)
        found = items.result if ids else {}
        return Taken(
            items=tuple(found[one] for one in ids if one in leased.result) if ids else (),
            votes=votes.result,
            waiting=waiting.result,
        )

    async def lend_again(
        self, *, example_id: UUID, validator_id: UUID, expires_at: datetime
    ) -> None:
        """Lend an example to the one whose vote on it was just withdrawn."""
        lease = upsert(validation_leases).values(
            example_id=example_id, validator_id=validator_id, expires_at=expires_at
        )
        await self._session.execute(
            lease.on_conflict_do_update(
                index_elements=["example_id", "validator_id"],
                set_={"expires_at": expires_at, "is_skipped": False},
            )
        )

    async def passed_over(self, *, round_id: UUID, validator_id: UUID) -> tuple[int, int]:
        """Return how many examples of a round a person passed over and judged; counts in turn."""
        turn = func.hashtextextended(f"skips of {validator_id} in {round_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(turn)))
        skipped = (
            select(func.count())
            .select_from(validation_leases)
            .join(outcomes, outcomes.c.example_id == validation_leases.c.example_id)
            .where(
                outcomes.c.round_id == round_id,
                validation_leases.c.validator_id == validator_id,
                validation_leases.c.is_skipped,
            )
        )
        judged = select(func.count(validations.c.id)).where(
            validations.c.round_id == round_id,
            validations.c.validator_id == validator_id,
            validations.c.withdrawn_at.is_(None),
        )
        both = select(skipped.scalar_subquery(), judged.scalar_subquery())
        passed, votes = (await self._session.execute(both)).one()
        return int(passed), int(votes)

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


def adding_vote(vote: VoteRow) -> Query[None]:
    """Return the query that stores a vote."""
    values = {column.name: getattr(vote, column.name) for column in validations.columns}
    return _ADD.with_values(
        nothing,
        **{
            **values,
            "answer": json_of(vote.answer),
            "metadata": json_of(vote.metadata),
        },
    )


def asking_whether_voted(*, example_id: UUID, validator_id: UUID) -> Query[bool]:
    """Return the query whether an ordinary vote of this person on this example stands."""
    return _HAS_VOTED.with_values(
        lambda rows: bool(rows[0]["has_voted"]), example_id=example_id, validator_id=validator_id
    )


def asking_whether_lent(*, example_id: UUID, validator_id: UUID, now: datetime) -> Query[bool]:
    """Return the query whether this person holds an example to judge it."""
    return _IS_LENT.with_values(
        lambda rows: bool(rows[0]["is_lent"]),
        example_id=example_id,
        validator_id=validator_id,
        now=now,
    )


def ending_lease(*, example_id: UUID, validator_id: UUID) -> Query[None]:
    """Return the query that forgets a lease."""
    return _END_LEASE.with_values(nothing, example_id=example_id, validator_id=validator_id)


def _own_vote(example_id: object) -> ColumnElement[bool]:
    return and_(
        validations.c.example_id == example_id,
        validations.c.validator_id == bindparam("validator_id"),
        validations.c.is_expert.is_(False),
        validations.c.withdrawn_at.is_(None),
    )


def _open() -> ColumnElement[bool]:
    """Say which outcomes wait for one more vote that the validator may cast."""
    validator = bindparam("validator_id", type_=Uuid)
    held_by_others = (
        select(func.count())
        .where(
            validation_leases.c.example_id == outcomes.c.example_id,
            validation_leases.c.validator_id != validator,
            validation_leases.c.expires_at > bindparam("now"),
            validation_leases.c.is_skipped.is_(False),
        )
        .correlate(outcomes)
        .scalar_subquery()
    )
    skipped = exists().where(
        validation_leases.c.example_id == outcomes.c.example_id,
        validation_leases.c.validator_id == validator,
        validation_leases.c.is_skipped,
    )
    return and_(
        outcomes.c.round_id == bindparam("round_id"),
        # Spelt like the queue's partial index, so that the planner recognises it.
        outcomes.c.verdict == literal_column(f"'{Verdict.PENDING.value}'"),
        outcomes.c.is_wanted,
        outcomes.c.annotator_id != validator,
        outcomes.c.annotator_id != all_(bindparam("barred_authors", type_=_UUIDS)),
        ~exists().where(_own_vote(outcomes.c.example_id)),
        ~skipped,
        func.least(
            bindparam("quorum", type_=Integer) - outcomes.c.leading,
            bindparam("maximum", type_=Integer) - outcomes.c.votes,
        )
        > held_by_others,
    )


_IDS = bindparam("ids", type_=_UUIDS)
_ADD = Prepared(
    insert(validations)
    .inline()
    .values({column.name: bindparam(column.name) for column in validations.columns})
)
_HAS_VOTED = Prepared(select(exists().where(_own_vote(bindparam("example_id"))).label("has_voted")))
_IS_LENT = Prepared(
    select(
        exists()
        .where(
            validation_leases.c.example_id == bindparam("example_id"),
            validation_leases.c.validator_id == bindparam("validator_id"),
            validation_leases.c.expires_at > bindparam("now"),
            validation_leases.c.is_skipped.is_(False),
        )
        .label("is_lent")
    )
)
_END_LEASE = Prepared(
    delete(validation_leases).where(
        validation_leases.c.example_id == bindparam("example_id"),
        validation_leases.c.validator_id == bindparam("validator_id"),
    )
)
_OWN_VOTES = Prepared(
    select(func.count().label("votes")).where(
        validations.c.validator_id == bindparam("validator_id"),
        validations.c.round_id == bindparam("round_id"),
        validations.c.withdrawn_at.is_(None),
    )
)
_forgiving = select(func.set_config("synchronous_commit", "off", True)).scalar_subquery()
_NEXT = Prepared(
    select(outcomes.c.example_id, _forgiving)
    .where(_open())
    .order_by(
        outcomes.c.priority,
        outcomes.c.leading.desc(),
        outcomes.c.example_created_at,
        outcomes.c.example_id,
    )
    .limit(bindparam("count", type_=Integer))
    .with_for_update(of=outcomes, skip_locked=True)
)
_new_lease = upsert(validation_leases).from_select(
    ["example_id", "validator_id", "expires_at"],
    select(
        outcomes.c.example_id,
        bindparam("validator_id", type_=Uuid),
        bindparam("expires_at", type_=DateTime(timezone=True)),
    ).where(outcomes.c.example_id == any_(_IDS), _open()),
)
_LEASE = Prepared(
    _new_lease.on_conflict_do_update(
        index_elements=["example_id", "validator_id"],
        set_={"expires_at": _new_lease.excluded.expires_at, "is_skipped": False},
    ).returning(validation_leases.c.example_id)
)
_ITEMS = Prepared(
    select(examples.c.id, examples.c.inputs, examples.c.answer, contexts.c.content)
    .join(contexts, contexts.c.id == examples.c.context_id)
    .where(examples.c.id == any_(_IDS))
)
_WAITING = Prepared(
    select(func.count().label("waiting")).select_from(
        select(outcomes.c.example_id).where(_open()).limit(_WAITING_SHOWN).subquery()
    )
)


def _values_of(queue: Queue) -> dict[str, object]:
    return {
        "round_id": queue.round_id,
        "validator_id": queue.validator_id,
        "quorum": queue.quorum,
        "maximum": queue.maximum,
        "now": queue.now,
        "barred_authors": list(queue.barred_authors),
    }


def _choosing(queue: Queue, *, count: int) -> Query[list[UUID]]:
    return _NEXT.with_values(
        lambda rows: [row["example_id"] for row in rows], **_values_of(queue), count=count
    )


def _items_of(rows: Sequence[PlainRow]) -> dict[UUID, TakenItem]:
    return {
        row["id"]: TakenItem(
            example_id=row["id"],
            context=row["content"],
            inputs=row["inputs"],
            answer=row["answer"],
        )
        for row in rows
    }
