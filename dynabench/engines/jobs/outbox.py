"""Announcements that a higher package acts on later, kept in the announcer's transaction."""

from collections.abc import Mapping

from pydantic import JsonValue
from sqlalchemy import bindparam, delete, insert, select

from dynabench.engines.jobs.tables import outbox
from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import Prepared, Query, ask, json_of, nothing

_ANNOUNCE = Prepared(
    insert(outbox).inline().values(consumer=bindparam("consumer"), payload=bindparam("payload"))
)


def announcing(*, consumer: str, payload: Mapping[str, JsonValue]) -> Query[None]:
    """Return the query that keeps an announcement, to be sent with others."""
    return _ANNOUNCE.with_values(nothing, consumer=consumer, payload=json_of(dict(payload)))


async def announce(session: Session, *, consumer: str, payload: Mapping[str, JsonValue]) -> None:
    """Keep an announcement for `consumer`; it exists exactly if the transaction commits."""
    await ask(session, announcing(consumer=consumer, payload=payload))


async def drain(session: Session, consumer: str, *, limit: int = 100) -> list[dict[str, JsonValue]]:
    """Take announcements, oldest first, in the transaction that acts on them.

    They are gone when it commits and there again when it does not. Announcements that
    another drain has in hand are passed over, so several may run at once.
    """
    oldest = (
        select(outbox.c.id)
        .where(outbox.c.consumer == consumer)
        .order_by(outbox.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("oldest")
        .prefix_with("MATERIALIZED", dialect="postgresql")
    )
    taken = await session.execute(
        delete(outbox)
        .where(outbox.c.id.in_(select(oldest.c.id)))
        .returning(outbox.c.id, outbox.c.payload)
    )
    return [row.payload for row in sorted(taken, key=lambda row: int(row.id))]
