"""Tells who sent a request, without asking the database each time."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.people.authentication.repository import AuthenticationRepository, Bearer
from dynabench.people.rules import digest_of
from dynabench.people.values import LONGEST_SECRET, TokenScope

_BELIEVED_FOR = timedelta(seconds=5)
_USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Known:
    actor: Actor
    until: datetime


class Authenticator:
    """Turns the secrets of sessions and API tokens into actors.

    What was found is believed for five seconds, so that a busy client costs a query now
    and then instead of one per request. A sign-out, revocation or disabled account counts
    at once in the process that did it (`forget`, `forget_everything_of`), and after at
    most these five seconds in the others.
    """

    def __init__(
        self, db: Database, clock: Clock, *, session_days: int = 30, remembers: int = 10_000
    ) -> None:
        self._db = db
        self._clock = clock
        self._session_lifetime = timedelta(days=session_days)
        self._remembers = remembers
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        # Counts what was forgotten: an answer read before must not be kept after.
        self._forgotten = 0

    async def identify_session(self, secret: str) -> Actor | None:
        """Return who is signed in with a session's secret, or None if it is not good.

        A session in use lasts on: it ends `session_days` after its last use.
        """
        now = self._clock.now()
        digest = self._digest(secret, kind="session")
        if digest is None:
            return None
        if (actor := self._recall(digest, now=now)) is not None:
            return actor
        forgotten = self._forgotten
        async with self._db.read() as session:
            bearer = await AuthenticationRepository(session).session_bearer(
                digest_of(secret), now=now
            )
        if bearer is None:
            return None
        if _is_due(bearer, now=now):
            async with self._db.transaction() as session:
                await AuthenticationRepository(session).note_session_use(
                    bearer.secret_id, now=now, expires_at=now + self._session_lifetime
                )
        return self._remember(digest, bearer, now=now, forgotten=forgotten)

    async def identify_token(self, secret: str) -> Actor | None:
        """Return who holds an API token, or None if it is not good."""
        now = self._clock.now()
        digest = self._digest(secret, kind="token")
        if digest is None:
            return None
        if (actor := self._recall(digest, now=now)) is not None:
            return actor
        forgotten = self._forgotten
        async with self._db.read() as session:
            bearer = await AuthenticationRepository(session).token_bearer(
                digest_of(secret), now=now
            )
        if bearer is None:
            return None
        if _is_due(bearer, now=now):
            async with self._db.transaction() as session:
                await AuthenticationRepository(session).note_token_use(bearer.secret_id, now=now)
        return self._remember(digest, bearer, now=now, forgotten=forgotten, is_token=True)

    def forget_everything_of(self, user_id: UUID) -> None:
        """Believe nothing about a person any more: a secret or right of theirs has changed."""
        self._forgotten += 1
        gone = [key for key, known in self._known.items() if known.actor.user_id == user_id]
        for key in gone:
            del self._known[key]

    def forget(self, secret: str) -> None:
        """Believe a session's secret no longer."""
        self._forgotten += 1
        digest = self._digest(secret, kind="session")
        if digest is not None:
            self._known.pop(digest, None)

    @staticmethod
    def _digest(secret: str, *, kind: str) -> bytes | None:
        """Key of the memory; a session's secret is never taken for a token's."""
        return None if len(secret) > LONGEST_SECRET else digest_of(f"{kind}:{secret}")

    def _recall(self, digest: bytes, *, now: datetime) -> Actor | None:
        known = self._known.get(digest)
        return known.actor if known is not None and now < known.until else None

    def _remember(
        self,
        digest: bytes,
        bearer: Bearer,
        *,
        now: datetime,
        forgotten: int,
        is_token: bool = False,
    ) -> Actor:
        actor = Actor(
            user_id=bearer.user_id,
            username=bearer.username,
            is_admin=bearer.is_admin,
            is_read_only=bearer.scope is TokenScope.READ,
            token_id=bearer.secret_id if is_token else None,
            token_expires_at=bearer.expires_at if is_token else None,
        )
        if forgotten == self._forgotten:
            until = now + _BELIEVED_FOR
            if bearer.expires_at is not None:
                until = min(until, bearer.expires_at)
            self._known[digest] = _Known(actor, until)
            self._known.move_to_end(digest)
            while len(self._known) > self._remembers:
                self._known.popitem(last=False)
        return actor


def _is_due(bearer: Bearer, *, now: datetime) -> bool:
    return bearer.last_used_at is None or now - bearer.last_used_at >= _USE_NOTED_EVERY
