"""All SQL of notifications."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, select, tuple_, update

from dynabench.kit.db.database import Session
from dynabench.kit.ids import new_id
from dynabench.people.notifications.tables import notifications
from dynabench.people.notifications.values import News, Notification, NotificationKind
from dynabench.people.tables import users

_SHOWN = (
    notifications.c.id,
    notifications.c.kind,
    notifications.c.details,
    notifications.c.path,
    notifications.c.created_at,
    notifications.c.read_at,
)


class NotificationRepository:
    """Reads and writes what people are told."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, user_ids: Collection[UUID], news: News, *, now: datetime) -> None:
        """Write what some people are told."""
        rows = [
            {
                "id": new_id(),
                "user_id": user_id,
                "kind": news.kind.value,
                "details": news.details,
                "path": news.path,
                "created_at": now,
            }
            for user_id in user_ids
        ]
        if rows:
            await self._session.execute(insert(notifications), rows)

    async def page(
        self, user_id: UUID, *, before: tuple[datetime, UUID] | None, limit: int
    ) -> list[Notification]:
        """Return what a person was told, newest first."""
        # A kind that a newer version has written is nothing that this one could show.
        statement = select(*_SHOWN).where(
            notifications.c.user_id == user_id, notifications.c.kind.in_(list(NotificationKind))
        )
        if before is not None:
            statement = statement.where(
                tuple_(notifications.c.created_at, notifications.c.id) < before
            )
        statement = statement.order_by(
            notifications.c.created_at.desc(), notifications.c.id.desc()
        ).limit(limit)
        rows = (await self._session.execute(statement)).mappings()
        return [Notification(**{**row, "kind": NotificationKind(row["kind"])}) for row in rows]

    async def unread(self, user_id: UUID) -> int:
        """Return how much a person has not read."""
        statement = select(func.count()).where(
            notifications.c.user_id == user_id,
            notifications.c.read_at.is_(None),
            notifications.c.kind.in_(list(NotificationKind)),
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def mark_read(self, notification_id: UUID, *, user_id: UUID, now: datetime) -> bool:
        """Write that a person has read one; tells whether it is theirs."""
        statement = (
            update(notifications)
            .where(notifications.c.id == notification_id, notifications.c.user_id == user_id)
            .values(read_at=func.coalesce(notifications.c.read_at, now))
            .returning(notifications.c.id)
        )
        return (await self._session.execute(statement)).first() is not None

    async def mark_read_through(
        self, notification_id: UUID, *, user_id: UUID, now: datetime
    ) -> bool:
        """Write that a person has read one and all older ones; tells whether it is theirs."""
        place = select(notifications.c.created_at, notifications.c.id).where(
            notifications.c.id == notification_id, notifications.c.user_id == user_id
        )
        last = (await self._session.execute(place)).one_or_none()
        if last is None:
            return False
        await self._session.execute(
            update(notifications)
            .where(
                notifications.c.user_id == user_id,
                notifications.c.read_at.is_(None),
                tuple_(notifications.c.created_at, notifications.c.id)
                <= (last.created_at, last.id),
            )
            .values(read_at=now)
        )
        return True

    async def admin_ids(self) -> set[UUID]:
        """Return the administrators who can sign in."""
        statement = select(users.c.id).where(users.c.is_admin, users.c.disabled_at.is_(None))
        return set((await self._session.execute(statement)).scalars())
