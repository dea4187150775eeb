"""SQL of choosing the next context of a round for an annotator."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, all_, and_, any_, exists, func, literal, select
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.contexts.tables import context_leases, contexts
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.values import ContextPolicy
from dynabench.loop.validations.folds.tables import context_counts

_UUIDS = ARRAY(Uuid)


class AssignmentRepository:
    """Finds the context that a policy hands out next."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def next_context(
        self,
        *,
        task_id: UUID,
        round_id: UUID,
        annotator_id: UUID,
        policy: ContextPolicy,
        tags: Sequence[str],
        skip: Sequence[UUID],
        start: float,
        now: datetime,
    ) -> UUID | None:
        """Return the context to hand out, or None if this annotator has seen all.

        Args:
            task_id: The task whose contexts are drawn from.
            round_id: The round that counts uses.
            annotator_id: Contexts on which this person wrote are left out.
            policy: What comes first.
            tags: Draw only from these; empty means from all.
            skip: Contexts passed over.
            start: Where to begin among equals, in [0, 1).
            now: Leases that end after this count as uses.
        """
        counts = context_counts.alias("counts")
        conditions = [
            contexts.c.task_id == task_id,
            contexts.c.retired_at.is_(None),
            ~_has_written(round_id, annotator_id),
        ]
        if tags:
            conditions.append(contexts.c.tag == any_(literal(list(tags), type_=ARRAY(Text))))
        if skip:
            conditions.append(contexts.c.id != all_(literal(list(skip), type_=_UUIDS)))
        if policy is ContextPolicy.VALIDATION_FAILED:
            conditions += [counts.c.fooled > 0, counts.c.fooled == counts.c.failed_validation]
        # Among equals the round starts at a random place and goes round from there.
        turn = contexts.c.shuffle_key < start
        used = func.coalesce(counts.c.annotators, 0) + _leases(round_id, annotator_id, now)
        order: list[ColumnElement[object]] = []
        if policy in {ContextPolicy.MIN, ContextPolicy.VALIDATION_FAILED}:
            order.append(used)
        if policy is ContextPolicy.LEAST_FOOLED:
            order += [func.coalesce(counts.c.fooled, 0), used]
        statement = (
            select(contexts.c.id)
            .outerjoin(
                counts,
                and_(counts.c.context_id == contexts.c.id, counts.c.round_id == round_id),
            )
            .where(*conditions)
            .order_by(*order, turn, contexts.c.shuffle_key)
            .limit(1)
        )
        found = (await self._session.execute(statement)).scalar_one_or_none()
        return None if found is None else UUID(str(found))

    async def sample(self, *, task_id: UUID, start: float) -> UUID | None:
        """Return some context of a task, the first one after a random place."""
        statement = (
            select(contexts.c.id)
            .where(contexts.c.task_id == task_id, contexts.c.retired_at.is_(None))
            .order_by(contexts.c.shuffle_key < start, contexts.c.shuffle_key)
            .limit(1)
        )
        found = (await self._session.execute(statement)).scalar_one_or_none()
        return None if found is None else UUID(str(found))

    async def has_contexts(self, *, task_id: UUID, tags: Sequence[str]) -> bool:
        """Tell whether a round has any context to hand out."""
        conditions = [contexts.c.task_id == task_id, contexts.c.retired_at.is_(None)]
        if tags:
            conditions.append(contexts.c.tag == any_(literal(list(tags), type_=ARRAY(Text))))
        return bool((await self._session.execute(select(exists().where(*conditions)))).scalar_one())


def _has_written(round_id: UUID, annotator_id: UUID) -> ColumnElement[bool]:
    return exists().where(
        examples.c.round_id == round_id,
        examples.c.annotator_id == annotator_id,
        examples.c.context_id == contexts.c.id,
    )


def _leases(round_id: UUID, annotator_id: UUID, now: datetime) -> ColumnElement[int]:
    """Count the people who hold a context and have not written on it yet in the round."""
    has_written = exists().where(
        examples.c.round_id == context_leases.c.round_id,
        examples.c.annotator_id == context_leases.c.annotator_id,
        examples.c.context_id == context_leases.c.context_id,
    )
    return (
        select(func.count())
        .where(
            context_leases.c.round_id == round_id,
            context_leases.c.context_id == contexts.c.id,
            context_leases.c.annotator_id != annotator_id,
            context_leases.c.expires_at > now,
            ~has_written,
        )
        .correlate(contexts)
        .scalar_subquery()
    )
