"""All SQL of outcomes, and of the votes they are derived from."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, literal, select, update
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import PlainRow, Prepared, Query, ask, json_of, nothing, send
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.outcomes.values import CastVote, Outcome
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Verdict, Vote

_UUIDS = ARRAY(Uuid)
_COLUMNS = tuple(
    column for column in outcomes.columns if column.name not in {"voided_by", "void_reason"}
)
_DERIVED = (
    "is_wanted",
    "priority",
    "verdict",
    "gold",
    "fooled",
    "agrees_with_author",
    "votes",
    "leading",
    "is_retracted",
    "decided_at",
)


_IDS = bindparam("ids", type_=_UUIDS)
_CHOSEN = select(*_COLUMNS).where(outcomes.c.example_id == any_(_IDS))
_READ = Prepared(_CHOSEN)
_LOCK = Prepared(_CHOSEN.order_by(outcomes.c.example_id).with_for_update())
_SAVE = Prepared(
    update(outcomes)
    .where(outcomes.c.example_id == bindparam("key"))
    .values({name: bindparam(f"new_{name}") for name in _DERIVED})
)
_VOTES = Prepared(
    select(
        validations.c.example_id,
        validations.c.validator_id,
        validations.c.vote,
        validations.c.answer,
        validations.c.is_expert,
        validations.c.withdrawn_at,
    )
    .where(validations.c.example_id == any_(_IDS))
    .order_by(validations.c.created_at, validations.c.id)
)


def locking(example_ids: Sequence[UUID]) -> Query[dict[UUID, Outcome]]:
    """Return the query that reads outcome rows and holds them, in the order of their ids."""
    return _LOCK.with_values(_outcomes_of, ids=list(example_ids))


def reading_votes(example_ids: Sequence[UUID]) -> Query[dict[UUID, list[CastVote]]]:
    """Return the query for every vote on the examples, in the order cast."""
    return _VOTES.with_values(_votes_of, ids=list(example_ids))


def saving(outcome: Outcome) -> Query[None]:
    """Return the query that writes the derived columns of an outcome row."""
    values = {f"new_{name}": getattr(outcome, name) for name in _DERIVED}
    values["new_gold"] = json_of(outcome.gold)
    return _SAVE.with_values(nothing, key=outcome.example_id, **values)


def _outcomes_of(rows: Sequence[PlainRow]) -> dict[UUID, Outcome]:
    return {
        row["example_id"]: Outcome(
            **{**row, "verdict": Verdict(row["verdict"]), "arm": Arm(row["arm"])}
        )
        for row in rows
    }


def _votes_of(rows: Sequence[PlainRow]) -> dict[UUID, list[CastVote]]:
    found: dict[UUID, list[CastVote]] = {}
    for row in rows:
        found.setdefault(row["example_id"], []).append(
            CastVote(
                validator_id=row["validator_id"],
                vote=Vote(row["vote"]),
                answer=row["answer"],
                is_expert=row["is_expert"],
                withdrawn=row["withdrawn_at"] is not None,
            )
        )
    return found


class OutcomeRepository:
    """Reads and writes outcome rows."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add_missing(self, found: Sequence[Outcome]) -> None:
        """Insert outcome rows that are not there yet."""
        if found:
            await self._session.execute(
                insert(outcomes).on_conflict_do_nothing(index_elements=["example_id"]),
                [asdict(outcome) for outcome in found],
            )

    async def lock(self, example_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
        """Return outcome rows and hold them, always in the same order, so nobody deadlocks."""
        return await ask(self._session, locking(example_ids))

    async def get_many(self, example_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
        """Return outcome rows by example."""
        return await ask(self._session, _READ.with_values(_outcomes_of, ids=list(example_ids)))

    async def save(self, changed: Sequence[Outcome]) -> None:
        """Write the derived columns of outcome rows."""
        if changed:
            await send(self._session, *(saving(outcome) for outcome in changed))

    async def votes(self, example_ids: Sequence[UUID]) -> Mapping[UUID, list[CastVote]]:
        """Return every vote on the examples, in the order cast."""
        return await ask(self._session, reading_votes(example_ids))

    async def void(
        self, example_ids: Sequence[UUID], *, by: UUID, reason: str, now: datetime
    ) -> None:
        """Take examples out of every count."""
        await self._session.execute(
            update(outcomes)
            .where(outcomes.c.example_id == any_(literal(list(example_ids), type_=_UUIDS)))
            .values(voided_at=now, voided_by=by, void_reason=reason)
        )
