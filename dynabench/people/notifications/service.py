"""Use cases of notifications: telling people, and what they have read."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.paging import cut, decode_cursor, encode_cursor
from dynabench.people.notifications.errors import NotificationNotFoundError
from dynabench.people.notifications.repository import NotificationRepository
from dynabench.people.notifications.schemas import NotificationPage, NotificationRead
from dynabench.people.notifications.values import PAGE_SIZE, News


class NotificationService:
    """Tells people what happened to what is theirs, and shows it to them."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def notify(
        self, session: Session, user_ids: Collection[UUID], news: News, *, actor: Actor
    ) -> None:
        """Tell some people, in the caller's transaction, but not the one who did it."""
        told = sorted(set(user_ids) - {actor.user_id})
        await NotificationRepository(session).add(told, news, now=self._clock.now())

    async def admin_ids(self, session: Session) -> set[UUID]:
        """Return who administrates, for what all of them are told."""
        return await NotificationRepository(session).admin_ids()

    async def page(self, *, actor: Actor, cursor: str | None) -> NotificationPage:
        """Show the actor what they were told, newest first.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            BadCursorError: If the cursor is of another list.
        """
        user_id = require_signed_in(actor)
        before = None if cursor is None else decode_cursor(cursor, datetime, UUID)
        async with self._db.read() as session:
            repository = NotificationRepository(session)
            found = await repository.page(user_id, before=before, limit=PAGE_SIZE + 1)
            unread = await repository.unread(user_id)
        shown, has_more = cut(found, size=PAGE_SIZE)
        return NotificationPage(
            items=[NotificationRead.model_validate(one) for one in shown],
            next_cursor=encode_cursor([shown[-1].created_at, shown[-1].id]) if has_more else None,
            unread=unread,
        )

    async def mark_read(self, notification_id: UUID, *, actor: Actor) -> None:
        """Note that the actor has read one.

        Raises:
            NotificationNotFoundError: If it is not the actor's.
        """
        user_id = require_signed_in(actor)
        async with self._db.transaction() as session:
            is_theirs = await NotificationRepository(session).mark_read(
                notification_id, user_id=user_id, now=self._clock.now()
            )
        if not is_theirs:
            raise NotificationNotFoundError

    async def mark_read_through(self, notification_id: UUID, *, actor: Actor) -> None:
        """Note that the actor has read one and all that are older.

        Raises:
            NotificationNotFoundError: If it is not the actor's.
        """
        user_id = require_signed_in(actor)
        async with self._db.transaction() as session:
            is_theirs = await NotificationRepository(session).mark_read_through(
                notification_id, user_id=user_id, now=self._clock.now()
            )
        if not is_theirs:
            raise NotificationNotFoundError
