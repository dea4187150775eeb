"""Doing a creation once, however often the client sends it.

The claim is written in the transaction of the creation itself, so there is never a key
without its resource or a resource without its key.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from sqlalchemy import Column, LargeBinary, Table, Uuid, bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.columns import utc_now
from dynabench.kit.db.database import Session
from dynabench.kit.db.metadata import metadata
from dynabench.kit.db.pipeline import PlainRow, Prepared, Query, ask
from dynabench.kit.errors import ConflictError

KEPT_FOR = timedelta(hours=24)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("scope_digest", LargeBinary, primary_key=True),
    Column("request_digest", LargeBinary, nullable=False),
    Column("resource_id", Uuid, nullable=False),
    utc_now("created_at"),
)


class IdempotencyKeyReusedError(ConflictError):
    """A key came back with another request."""

    code = "request.idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used for another request. Use a new key for "
            "each thing you create."
        )


# It is no error, and its name says so.
class AlreadyDone(Exception):  # noqa: N818
    """Not an error: another request with the same key has created the resource meanwhile.

    Leaving the transaction by this exception undoes the second creation.
    """

    def __init__(self, resource_id: UUID) -> None:
        super().__init__(str(resource_id))
        self.resource_id = resource_id


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes two requests the same one.

    Attributes:
        scope: Digest of who asked, which route, and the key that the client chose.
        request: Digest of what was asked for.
    """

    scope: bytes
    request: bytes

    @classmethod
    def of(cls, *, actor_id: UUID | None, route: str, key: str, body: bytes) -> Self:
        """Digest the parts; a visitor's requests share the scope of no actor."""
        scope = hashlib.sha256()
        for part in (str(actor_id), route, key):
            data = part.encode("utf-8", "surrogatepass")
            scope.update(len(data).to_bytes(8, "big") + data)
        return cls(scope=scope.digest(), request=hashlib.sha256(body).digest())


_FIND = Prepared(
    select(idempotency_keys.c.request_digest, idempotency_keys.c.resource_id).where(
        idempotency_keys.c.scope_digest == bindparam("scope")
    )
)
_CLAIM = Prepared(
    insert(idempotency_keys)
    .values(
        scope_digest=bindparam("scope"),
        request_digest=bindparam("request"),
        resource_id=bindparam("resource"),
    )
    .on_conflict_do_nothing()
    .returning(idempotency_keys.c.resource_id)
)


def finding(key: RequestKey) -> Query[UUID | None]:
    """Return the query for what an earlier request with this key created.

    Its result is read as `find` says, with the same error.
    """

    def read(rows: Sequence[PlainRow]) -> UUID | None:
        if not rows:
            return None
        if bytes(rows[0]["request_digest"]) != key.request:
            raise IdempotencyKeyReusedError
        resource_id: UUID = rows[0]["resource_id"]
        return resource_id

    return _FIND.with_values(read, scope=key.scope)


async def find(session: Session, key: RequestKey) -> UUID | None:
    """Return what an earlier request with this key created, if there was one.

    Raises:
        IdempotencyKeyReusedError: If that request asked for something else.
    """
    return await ask(session, finding(key))


def claiming(key: RequestKey, resource_id: UUID) -> Query[bool]:
    """Return the query that writes a claim; its result says whether it was the first.

    It waits for a concurrent transaction with the same key to end. Whoever sends it must
    hand the result to `require_first`.
    """
    return _CLAIM.with_values(bool, scope=key.scope, request=key.request, resource=resource_id)


async def require_first(session: Session, key: RequestKey, *, is_first: bool) -> None:
    """Leave a creation whose key another transaction has claimed.

    Raises:
        AlreadyDone: The caller answers with what that one created.
        IdempotencyKeyReusedError: If that one asked for something else.
    """
    if is_first:
        return
    done = await find(session, key)
    assert done is not None, "a key is never deleted within the hour"
    raise AlreadyDone(done)


async def claim(session: Session, key: RequestKey, resource_id: UUID) -> None:
    """Write in the creation's own transaction that `key` has created `resource_id`.

    Waits for a concurrent transaction with the same key to end.

    Raises:
        AlreadyDone: If that one was committed; the caller answers with its resource.
        IdempotencyKeyReusedError: If that one asked for something else.
    """
    is_first = await ask(session, claiming(key, resource_id))
    await require_first(session, key, is_first=is_first)


async def purge(session: Session, *, now: datetime) -> int:
    """Forget keys older than a day; return how many."""
    deleted = await session.execute(
        delete(idempotency_keys).where(idempotency_keys.c.created_at < now - KEPT_FOR)
    )
    return deleted.rowcount
