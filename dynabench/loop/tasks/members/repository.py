"""SQL of members and join links."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import RowMapping, delete, exists, func, insert, or_, select
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.tasks.tables import task_join_link_uses, task_join_links, task_members
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.tables import users


@dataclass(frozen=True, slots=True)
class JoinLinkRow:
    """A link that gives a role, without its secret."""

    id: UUID
    task_id: UUID
    role: TaskRole
    note: str
    created_at: datetime
    expires_at: datetime


class MemberRepository:
    """Reads and writes roles in a task."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def of_task(self, task_id: UUID) -> Sequence[RowMapping]:
        """Return the members of a task by name."""
        statement = (
            select(users.c.username, task_members.c.role, task_members.c.added_at)
            .join(users, users.c.id == task_members.c.user_id)
            .where(task_members.c.task_id == task_id)
            .order_by(users.c.username_key)
        )
        return (await self._session.execute(statement)).mappings().all()

    async def active_owner_ids(self, task_id: UUID) -> set[UUID]:
        """Return who owns a task and can sign in."""
        statement = (
            select(task_members.c.user_id)
            .join(users, users.c.id == task_members.c.user_id)
            .where(
                task_members.c.task_id == task_id,
                task_members.c.role == TaskRole.OWNER,
                users.c.disabled_at.is_(None),
            )
        )
        return set((await self._session.execute(statement)).scalars())

    async def set_role(
        self, task_id: UUID, user_id: UUID, *, role: TaskRole, added_at: datetime
    ) -> datetime:
        """Write a person's role; returns since when the person is a member."""
        statement = (
            upsert(task_members)
            .values(task_id=task_id, user_id=user_id, role=role, added_at=added_at)
            .on_conflict_do_update(
                index_elements=[task_members.c.task_id, task_members.c.user_id],
                set_={"role": role},
            )
            .returning(task_members.c.added_at)
        )
        since: datetime = (await self._session.execute(statement)).scalar_one()
        return since

    async def remove(self, task_id: UUID, user_id: UUID) -> None:
        """Delete a person's role."""
        await self._session.execute(
            delete(task_members).where(
                task_members.c.task_id == task_id, task_members.c.user_id == user_id
            )
        )


class JoinLinkRepository:
    """Reads and writes join links."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, link: JoinLinkRow, *, digest: bytes, created_by: UUID | None) -> None:
        """Write a link."""
        await self._session.execute(
            insert(task_join_links).values(
                id=link.id,
                task_id=link.task_id,
                role=link.role,
                note=link.note,
                secret_digest=digest,
                created_by=created_by,
                created_at=link.created_at,
                expires_at=link.expires_at,
            )
        )

    async def of_task(self, task_id: UUID) -> Sequence[RowMapping]:
        """Return the links of a task with the number of their uses, newest first."""
        uses = (
            select(func.count())
            .where(task_join_link_uses.c.link_id == task_join_links.c.id)
            .scalar_subquery()
        )
        statement = (
            select(
                task_join_links.c.id,
                task_join_links.c.role,
                task_join_links.c.note,
                task_join_links.c.created_at,
                task_join_links.c.expires_at,
                uses.label("uses"),
            )
            .where(task_join_links.c.task_id == task_id)
            .order_by(task_join_links.c.id.desc())
        )
        return (await self._session.execute(statement)).mappings().all()

    async def open_link(self, digest: bytes, *, now: datetime) -> JoinLinkRow | None:
        """Return a link that has not expired, and keep it from being taken back meanwhile.

        It is good as long as who made it might make it now: an owner, or an administrator,
        whose account is not disabled.
        """
        maker = task_join_links.c.created_by
        owns = exists().where(
            task_members.c.task_id == task_join_links.c.task_id,
            task_members.c.user_id == maker,
            task_members.c.role == TaskRole.OWNER,
        )
        may_make = exists().where(
            users.c.id == maker, users.c.disabled_at.is_(None), or_(users.c.is_admin, owns)
        )
        statement = (
            select(
                task_join_links.c.id,
                task_join_links.c.task_id,
                task_join_links.c.role,
                task_join_links.c.note,
                task_join_links.c.created_at,
                task_join_links.c.expires_at,
            )
            .where(
                task_join_links.c.secret_digest == digest,
                task_join_links.c.expires_at > now,
                or_(maker.is_(None), may_make),
            )
            .with_for_update(read=True, key_share=True)
        )
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else JoinLinkRow(**row)

    async def has_used(self, link_id: UUID, user_id: UUID) -> bool:
        """Tell whether a person took a link before."""
        found = exists().where(
            task_join_link_uses.c.link_id == link_id, task_join_link_uses.c.user_id == user_id
        )
        return bool((await self._session.execute(select(found))).scalar_one())

    async def note_use(self, link_id: UUID, user_id: UUID, *, used_at: datetime) -> None:
        """Write that a person took a link; taking it again changes nothing."""
        await self._session.execute(
            upsert(task_join_link_uses)
            .values(link_id=link_id, user_id=user_id, used_at=used_at)
            .on_conflict_do_nothing()
        )

    async def remove(self, link_id: UUID, *, task_id: UUID) -> bool:
        """Delete a task's link; tells whether there was one."""
        statement = (
            delete(task_join_links)
            .where(task_join_links.c.id == link_id, task_join_links.c.task_id == task_id)
            .returning(task_join_links.c.id)
        )
        return (await self._session.execute(statement)).first() is not None
