"""All SQL of outcomes, and of the votes they are derived from."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, bindparam, literal, select, update
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.outcomes.values import CastVote, Outcome
from dynabench.loop.validations.tables import validations

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
        statement = (
            select(*_COLUMNS)
            .where(outcomes.c.example_id == any_(literal(list(example_ids), type_=_UUIDS)))
            .order_by(outcomes.c.example_id)
            .with_for_update()
        )
        return {
            row.example_id: Outcome(**row._mapping)  # noqa: SLF001
            for row in await self._session.execute(statement)
        }

    async def get_many(self, example_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
        """Return outcome rows by example."""
        statement = select(*_COLUMNS).where(
            outcomes.c.example_id == any_(literal(list(example_ids), type_=_UUIDS))
        )
        return {
            row.example_id: Outcome(**row._mapping)  # noqa: SLF001
            for row in await self._session.execute(statement)
        }

    async def save(self, changed: Sequence[Outcome]) -> None:
        """Write the derived columns of outcome rows."""
        if not changed:
            return
        statement = (
            update(outcomes)
            .where(outcomes.c.example_id == bindparam("key"))
            .values({name: bindparam(name) for name in _DERIVED})
        )
        await self._session.execute(
            statement,
            [
                {"key": outcome.example_id} | {name: getattr(outcome, name) for name in _DERIVED}
                for outcome in changed
            ],
        )

    async def votes(self, example_ids: Sequence[UUID]) -> Mapping[UUID, list[CastVote]]:
        """Return every vote on the examples, in the order cast."""
        statement = (
            select(
                validations.c.example_id,
                validations.c.validator_id,
                validations.c.vote,
                validations.c.answer,
                validations.c.is_expert,
                validations.c.withdrawn_at,
            )
            .where(validations.c.example_id == any_(literal(list(example_ids), type_=_UUIDS)))
            .order_by(validations.c.created_at, validations.c.id)
        )
        found: dict[UUID, list[CastVote]] = {}
        for row in await self._session.execute(statement):
            found.setdefault(row.example_id, []).append(
                CastVote(
                    validator_id=row.validator_id,
                    vote=row.vote,
                    answer=row.answer,
                    is_expert=row.is_expert,
                    withdrawn=row.withdrawn_at is not None,
                )
            )
        return found

    async def void(
        self, example_ids: Sequence[UUID], *, by: UUID, reason: str, now: datetime
    ) -> None:
        """Take examples out of every count."""
        await self._session.execute(
            update(outcomes)
            .where(outcomes.c.example_id == any_(literal(list(example_ids), type_=_UUIDS)))
            .values(voided_at=now, voided_by=by, void_reason=reason)
        )
