"""SQL of choosing the next context of a round for an annotator."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Text, Uuid, all_, and_, any_, exists, func, literal, or_, select
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
        order = _order_of(policy, used=_uses(round_id, annotator_id, now))
        # Among equals the round starts at a random place and goes round from there.
        turn = contexts.c.shuffle_key < start
        statement = (
            select(contexts.c.id)
            .outerjoin(
                context_counts,
                and_(
                    context_counts.c.context_id == contexts.c.id,
                    context_counts.c.round_id == round_id,
                ),
            )
            .where(
                *_drawn_from(task_id, tags),
                *_open_to(policy),
                ~_has_written(round_id, annotator_id),
                *([contexts.c.id != all_(literal(list(skip), type_=_UUIDS))] if skip else []),
            )
            .order_by(*order, turn, contexts.c.shuffle_key)
            .limit(1)
        )
        found = (await self._session.execute(statement)).scalar_one_or_none()
        return None if found is None else UUID(str(found))

    async def had(
        self, context_id: UUID, *, round_id: UUID, annotator_id: UUID, tags: Sequence[str]
    ) -> bool:
        """Tell whether an annotator was lent a context of these tags in a round, or wrote on it.

        A lease that is over counts while it is kept; empty tags are all.
        """
        was_lent = exists().where(
            context_leases.c.round_id == round_id,
            context_leases.c.annotator_id == annotator_id,
            context_leases.c.context_id == contexts.c.id,
        )
        statement = select(
            exists().where(
                contexts.c.id == context_id,
                *_with_tag(tags),
                or_(was_lent, _has_written(round_id, annotator_id)),
            )
        )
        return bool((await self._session.execute(statement)).scalar_one())

    async def sample(self, *, task_id: UUID, start: float) -> UUID | None:
        """Return some context of a task, the first one after a random place."""
        statement = (
            select(contexts.c.id)
            .where(*_drawn_from(task_id, ()))
            .order_by(contexts.c.shuffle_key < start, contexts.c.shuffle_key)
            .limit(1)
        )
        found = (await self._session.execute(statement)).scalar_one_or_none()
        return None if found is None else UUID(str(found))

    async def has_contexts(self, *, task_id: UUID, tags: Sequence[str]) -> bool:
        """Tell whether a round has any context to hand out."""
        statement = select(exists().where(*_drawn_from(task_id, tags)))
        return bool((await self._session.execute(statement)).scalar_one())


def _drawn_from(task_id: UUID, tags: Sequence[str]) -> list[ColumnElement[bool]]:
    """Say which contexts a round draws from; without tags from all of its task."""
    return [contexts.c.task_id == task_id, contexts.c.retired_at.is_(None), *_with_tag(tags)]


def _with_tag(tags: Sequence[str]) -> list[ColumnElement[bool]]:
    return [contexts.c.tag == any_(literal(list(tags), type_=ARRAY(Text)))] if tags else []


def _open_to(policy: ContextPolicy) -> list[ColumnElement[bool]]:
    """Say what a policy leaves out: all but contexts of which every fooling example failed."""
    if policy is not ContextPolicy.VALIDATION_FAILED:
        return []
    return [
        context_counts.c.fooled > 0,
        context_counts.c.fooled == context_counts.c.failed_validation,
    ]


def _order_of(policy: ContextPolicy, *, used: ColumnElement[int]) -> list[ColumnElement[int]]:
    """Return what comes first by a policy."""
    if policy is ContextPolicy.UNIFORM:
        return []
    if policy is ContextPolicy.LEAST_FOOLED:
        return [func.coalesce(context_counts.c.fooled, 0), used]
    return [used]


def _has_written(round_id: UUID, annotator_id: UUID) -> ColumnElement[bool]:
    return exists().where(
        examples.c.round_id == round_id,
        examples.c.annotator_id == annotator_id,
        examples.c.context_id == contexts.c.id,
    )


def _uses(round_id: UUID, annotator_id: UUID, now: datetime) -> ColumnElement[int]:
    """Count who wrote on a context in the round, and who else holds it to write."""
    has_written = exists().where(
        examples.c.round_id == context_leases.c.round_id,
        examples.c.annotator_id == context_leases.c.annotator_id,
        examples.c.context_id == context_leases.c.context_id,
    )
    holders = (
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
    return func.coalesce(context_counts.c.annotators, 0) + holders
