"""SQL of sessions."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select

from dynabench.kit.db.database import Session
from dynabench.people.tables import sessions, users


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a password is checked against."""

    user_id: UUID
    password_hash: str | None


class SessionRepository:
    """Reads and writes sessions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def credentials(self, name_key: str) -> Credentials | None:
        """Return what the password of a name is checked against, if it may sign in."""
        statement = select(users.c.id, users.c.password_hash).where(
            users.c.username_key == name_key,
            users.c.disabled_at.is_(None),
            users.c.is_synthetic.is_(False),
        )
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else Credentials(row.id, row.password_hash)

    async def add(
        self,
        session_id: UUID,
        *,
        user_id: UUID,
        digest: bytes,
        created_at: datetime,
        expires_at: datetime,
    ) -> None:
        """Write a session."""
        await self._session.execute(
            insert(sessions).values(
                id=session_id,
                user_id=user_id,
                secret_digest=digest,
                created_at=created_at,
                expires_at=expires_at,
                last_used_at=created_at,
            )
        )

    async def remove(self, digest: bytes) -> None:
        """Delete a session."""
        await self._session.execute(delete(sessions).where(sessions.c.secret_digest == digest))

    async def remove_all_of(self, user_id: UUID, *, but: bytes | None = None) -> None:
        """Delete a person's sessions, all or all but one."""
        statement = delete(sessions).where(sessions.c.user_id == user_id)
        if but is not None:
            statement = statement.where(sessions.c.secret_digest != but)
        await self._session.execute(statement)

    async def remove_expired(self, *, now: datetime) -> None:
        """Delete sessions that have ended."""
        await self._session.execute(delete(sessions).where(sessions.c.expires_at <= now))
