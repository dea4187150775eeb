"""SQL of browsing: which examples of a round an owner wants to see, and everyone's votes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    Text,
    Uuid,
    and_,
    any_,
    cast,
    exists,
    func,
    literal,
    not_,
    select,
    tuple_,
)
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.repository import VoteRow
from dynabench.loop.validations.schemas import OutcomeFilter
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Verdict

_UUIDS = ARRAY(Uuid)


class ExpertRepository:
    """Reads examples with their outcomes, for owners and experts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def browse(
        self,
        *,
        round_id: UUID,
        chosen: OutcomeFilter,
        annotator_id: UUID | None,
        viewer_id: UUID | None,
        after: tuple[datetime, UUID] | None,
        limit: int,
    ) -> Sequence[tuple[datetime, UUID]]:
        """Return (time, id) of the round's examples that fit, newest first.

        Left out are the ones on which `viewer_id` was shown no model.
        """
        statement = (
            select(examples.c.created_at, examples.c.id)
            .join(outcomes, outcomes.c.example_id == examples.c.id)
            .where(examples.c.round_id == round_id, *_conditions(chosen, annotator_id))
            .order_by(examples.c.created_at.desc(), examples.c.id.desc())
            .limit(limit)
        )
        if viewer_id is not None:
            is_theirs = examples.c.annotator_id == viewer_id
            statement = statement.where(not_(and_(is_theirs, examples.c.arm == Arm.NO_MODEL)))
        if after is not None:
            statement = statement.where(
                tuple_(examples.c.created_at, examples.c.id) < tuple_(*map(literal, after))
            )
        return [(row.created_at, row.id) for row in await self._session.execute(statement)]

    async def votes(self, example_ids: Sequence[UUID]) -> Mapping[UUID, list[VoteRow]]:
        """Return every vote on the examples, withdrawn ones too, in the order cast."""
        statement = (
            select(validations)
            .where(validations.c.example_id == any_(literal(list(example_ids), type_=_UUIDS)))
            .order_by(validations.c.created_at, validations.c.id)
        )
        found: dict[UUID, list[VoteRow]] = {}
        for row in await self._session.execute(statement):
            found.setdefault(row.example_id, []).append(VoteRow(**row._mapping))  # noqa: SLF001
        return found


def _conditions(chosen: OutcomeFilter, annotator_id: UUID | None) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if chosen.verdict is not None:
        conditions.append(outcomes.c.verdict == Verdict(chosen.verdict))
    if chosen.fooled is not None:
        conditions.append(outcomes.c.fooled.is_(chosen.fooled))
    if chosen.retracted is not None:
        conditions.append(outcomes.c.is_retracted.is_(chosen.retracted))
    if chosen.flagged_by_author is not None:
        conditions.append(examples.c.flagged_at.is_not(None).is_(chosen.flagged_by_author))
    if annotator_id is not None:
        conditions.append(examples.c.annotator_id == annotator_id)
    if chosen.tag is not None:
        conditions.append(
            exists().where(contexts.c.id == examples.c.context_id, contexts.c.tag == chosen.tag)
        )
    if chosen.search:
        pattern = "%" + _escape_like(chosen.search) + "%"
        conditions.append(
            func.concat(cast(examples.c.inputs, Text), " ", cast(examples.c.answer, Text)).ilike(
                pattern, escape="\\"
            )
        )
    return conditions


def _escape_like(search: str) -> str:
    return search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
