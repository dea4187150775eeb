"""All SQL of contexts and their leases."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Row, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import Prepared, Query, ask, nothing
from dynabench.kit.ids import new_id
from dynabench.loop.contexts.rules import shuffle_key
from dynabench.loop.contexts.tables import context_leases, contexts
from dynabench.loop.contexts.values import Context, ContextItem

# More columns than SQLAlchemy's typed `select` knows.
_COLUMNS: tuple[Column[Any], ...] = (
    contexts.c.id,
    contexts.c.task_id,
    contexts.c.content,
    contexts.c.tag,
    contexts.c.metadata,
    contexts.c.shuffle_key,
    contexts.c.created_at,
    contexts.c.retired_at,
)


_CONTEXT = Prepared(select(*_COLUMNS).where(contexts.c.id == bindparam("context_id")))


class ContextRepository:
    """Reads and writes contexts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, context_id: UUID) -> Context | None:
        """Return a context."""
        return await ask(
            self._session,
            _CONTEXT.with_values(
                lambda rows: Context(**rows[0]) if rows else None, context_id=context_id
            ),
        )

    async def page(
        self, *, task_id: UUID, tag: str | None, after: UUID | None, limit: int
    ) -> list[Context]:
        """Return contexts that are still handed out, newest first, below an id."""
        statement = select(*_COLUMNS).where(
            contexts.c.task_id == task_id, contexts.c.retired_at.is_(None)
        )
        if tag is not None:
            statement = statement.where(contexts.c.tag == tag)
        if after is not None:
            statement = statement.where(contexts.c.id < after)
        found = await self._session.execute(statement.order_by(contexts.c.id.desc()).limit(limit))
        return [_context_of(row) for row in found]

    async def add(
        self,
        items: Mapping[bytes, ContextItem],
        *,
        task_id: UUID,
        uploaded_by: UUID | None,
        now: datetime,
    ) -> dict[bytes, UUID]:
        """Store what is not there yet; returns the new ids by digest.

        The digests go in in order, so that two uploads at once cannot wait for each other.
        """
        rows = [
            {
                "id": new_id(),
                "task_id": task_id,
                "content": item.content,
                "digest": digest,
                "tag": item.tag,
                "metadata": item.metadata,
                "shuffle_key": shuffle_key(digest),
                "created_at": now,
                "uploaded_by": uploaded_by,
            }
            for digest, item in sorted(items.items())
        ]
        if not rows:
            return {}
        added = await self._session.execute(
            insert(contexts)
            .on_conflict_do_nothing(index_elements=["task_id", "digest"])
            .returning(contexts.c.digest, contexts.c.id),
            rows,
        )
        return {bytes(row.digest): row.id for row in added}

    async def by_digests(self, digests: Collection[bytes], *, task_id: UUID) -> dict[bytes, UUID]:
        """Return the ids of a task's contexts by their digests."""
        found = await self._session.execute(
            select(contexts.c.digest, contexts.c.id).where(
                contexts.c.task_id == task_id, contexts.c.digest.in_(digests)
            )
        )
        return {bytes(row.digest): row.id for row in found}

    async def tags(self, task_id: UUID) -> Sequence[tuple[str, int]]:
        """Return each tag with its number of contexts, in the tags' order."""
        found = await self._session.execute(
            select(contexts.c.tag, func.count())
            .where(contexts.c.task_id == task_id, contexts.c.retired_at.is_(None))
            .group_by(contexts.c.tag)
            .order_by(contexts.c.tag)
        )
        return [(row[0], row[1]) for row in found]

    async def retire(self, context_id: UUID, *, now: datetime) -> None:
        """Hand a context out no more."""
        await self._session.execute(
            update(contexts)
            .where(contexts.c.id == context_id, contexts.c.retired_at.is_(None))
            .values(retired_at=now)
        )

    async def lease_end(
        self, *, round_id: UUID, context_id: UUID, annotator_id: UUID
    ) -> datetime | None:
        """Return when a lease runs or ran out."""
        ends: datetime | None = (
            await self._session.execute(
                select(context_leases.c.expires_at).where(
                    context_leases.c.round_id == round_id,
                    context_leases.c.context_id == context_id,
                    context_leases.c.annotator_id == annotator_id,
                )
            )
        ).scalar_one_or_none()
        return ends


_NEW_LEASE = insert(context_leases).values(
    round_id=bindparam("round_id"),
    context_id=bindparam("context_id"),
    annotator_id=bindparam("annotator_id"),
    expires_at=bindparam("expires_at"),
)
_PUT_LEASE = Prepared(
    _NEW_LEASE.on_conflict_do_update(
        index_elements=["round_id", "context_id", "annotator_id"],
        set_={
            "expires_at": func.greatest(context_leases.c.expires_at, _NEW_LEASE.excluded.expires_at)
        },
    )
)


def putting_lease(
    *, round_id: UUID, context_id: UUID, annotator_id: UUID, expires_at: datetime
) -> Query[None]:
    """Return the query that starts or renews a lease; it never becomes shorter."""
    return _PUT_LEASE.with_values(
        nothing,
        round_id=round_id,
        context_id=context_id,
        annotator_id=annotator_id,
        expires_at=expires_at,
    )


# SQLAlchemy types a row of chosen columns as Row[Any].
def _context_of(row: Row[Any]) -> Context:
    return Context(**row._mapping)  # noqa: SLF001
