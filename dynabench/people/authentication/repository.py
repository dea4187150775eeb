"""SQL of finding the person behind a secret."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import RowMapping, Select, or_, select, update

from dynabench.kit.db.database import Session
from dynabench.people.tables import api_tokens, sessions, users
from dynabench.people.values import TokenScope

_PERSON = (users.c.id.label("user_id"), users.c.username, users.c.is_admin)
_MAY_SIGN_IN = users.c.disabled_at.is_(None) & users.c.is_synthetic.is_(False)


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who holds a secret that is still good."""

    secret_id: UUID
    user_id: UUID
    username: str
    is_admin: bool
    scope: TokenScope
    expires_at: datetime | None
    last_used_at: datetime | None


class AuthenticationRepository:
    """Reads sessions and API tokens, and notes their use."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def session_bearer(self, digest: bytes, *, now: datetime) -> Bearer | None:
        """Return who holds a session."""
        statement = (
            select(
                sessions.c.id.label("secret_id"),
                sessions.c.expires_at,
                sessions.c.last_used_at,
                *_PERSON,
            )
            .join(users, users.c.id == sessions.c.user_id)
            .where(sessions.c.secret_digest == digest, sessions.c.expires_at > now, _MAY_SIGN_IN)
        )
        row = await self._one(statement)
        return None if row is None else Bearer(scope=TokenScope.WRITE, **row)

    async def token_bearer(self, digest: bytes, *, now: datetime) -> Bearer | None:
        """Return who holds an API token."""
        statement = (
            select(
                api_tokens.c.id.label("secret_id"),
                api_tokens.c.scope,
                api_tokens.c.expires_at,
                api_tokens.c.last_used_at,
                *_PERSON,
            )
            .join(users, users.c.id == api_tokens.c.user_id)
            .where(
                api_tokens.c.secret_digest == digest,
                or_(api_tokens.c.expires_at.is_(None), api_tokens.c.expires_at > now),
                _MAY_SIGN_IN,
            )
        )
        row = await self._one(statement)
        return None if row is None else Bearer(**row)

    async def note_session_use(
        self, session_id: UUID, *, now: datetime, expires_at: datetime
    ) -> None:
        """Write when a session was used, and until when it lasts from now on."""
        await self._session.execute(
            update(sessions)
            .where(sessions.c.id == session_id)
            .values(last_used_at=now, expires_at=expires_at)
        )

    async def note_token_use(self, token_id: UUID, *, now: datetime) -> None:
        """Write when an API token was used."""
        await self._session.execute(
            update(api_tokens).where(api_tokens.c.id == token_id).values(last_used_at=now)
        )

    # A select's row type has no common spelling over both tables.
    async def _one(self, statement: Select[*tuple[object, ...]]) -> RowMapping | None:
        return (await self._session.execute(statement)).mappings().one_or_none()
