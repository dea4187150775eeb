"""Use cases of members and join links."""

from datetime import timedelta
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.paging import Page
from dynabench.loop.tasks.errors import JoinLinkInvalidError, JoinLinkUsedError, LastOwnerError
from dynabench.loop.tasks.members.repository import (
    JoinLinkRepository,
    JoinLinkRow,
    MemberRepository,
)
from dynabench.loop.tasks.repository import TaskRepository
from dynabench.loop.tasks.rules import higher_role, is_loss
from dynabench.loop.tasks.schemas import (
    JoinedRead,
    JoinLinkCreate,
    JoinLinkCreated,
    JoinLinkRead,
    MemberRead,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter
from dynabench.people.audit.service import AuditService
from dynabench.people.directory.service import UserDirectory
from dynabench.people.errors import UserNotFoundError
from dynabench.people.notifications.service import NotificationService
from dynabench.people.notifications.values import News, NotificationKind
from dynabench.people.rules import digest_of, new_secret
from dynabench.people.values import UserRow


class MemberService:
    """Gives people roles in a task, by name or by link.

    Args:
        public_url: Where browsers find the server, if the operator has said it.
    """

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        tasks: TaskService,
        directory: UserDirectory,
        notifications: NotificationService,
        public_url: str | None = None,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._directory = directory
        self._notifications = notifications
        self._audit = AuditService(db)
        self._public_url = public_url

    async def audit(self, slug: str, wanted: AuditFilter, *, actor: Actor) -> Page[AuditEntryRead]:
        """Show owners who changed what in their task, newest first."""
        task = await self._owned(slug, actor)
        return await self._audit.of_task(wanted, task_id=task.id)

    async def set_role(
        self, slug: str, *, username: str, role: TaskRole, actor: Actor
    ) -> MemberRead:
        """Give a person a role, in place of the one they have, and tell them.

        Raises:
            UserNotFoundError: If nobody who can sign in has this name.
            LastOwnerError: If the task's last owner would become less.
        """
        task = await self._owned(slug, actor)
        user = await self._real_user(username)
        async with self._db.transaction() as session:
            if role is not TaskRole.OWNER:
                await _require_another_owner(session, task.id, user.id)
            before = await TaskRepository(session).role(task.id, user.id)
            since = await MemberRepository(session).set_role(
                task.id, user.id, role=role, added_at=self._clock.now()
            )
            if role is not before:
                news = _role_given(task.slug, role, actor)
                await self._notifications.notify(session, [user.id], news, actor=actor)
        self._tasks.forget_role(task.id, user.id)
        return MemberRead(username=user.username, role=role, added_at=since)

    async def remove(self, slug: str, *, username: str, actor: Actor) -> None:
        """Take a person's role away; nothing happens where there is none.

        Raises:
            UserNotFoundError: If nobody who can sign in has this name.
            LastOwnerError: If it is the task's last owner.
        """
        task = await self._owned(slug, actor)
        user = await self._real_user(username)
        async with self._db.transaction() as session:
            await _require_another_owner(session, task.id, user.id)
            await MemberRepository(session).remove(task.id, user.id)
        self._tasks.forget_role(task.id, user.id)

    async def join_links(self, slug: str, *, actor: Actor) -> list[JoinLinkRead]:
        """List the links of a task, newest first, expired ones too."""
        task = await self._owned(slug, actor)
        async with self._db.read() as session:
            rows = await JoinLinkRepository(session).of_task(task.id)
        return [JoinLinkRead.model_validate(dict(row)) for row in rows]

    async def create_join_link(
        self, slug: str, body: JoinLinkCreate, *, actor: Actor
    ) -> JoinLinkCreated:
        """Make a link that gives its visitors a role; nothing but its digest is kept."""
        task = await self._owned(slug, actor)
        secret = new_secret()
        now = self._clock.now()
        link = JoinLinkRow(
            id=new_id(),
            task_id=task.id,
            role=body.role,
            note=body.note.strip(),
            created_at=now,
            expires_at=now + timedelta(days=body.expires_in_days),
        )
        async with self._db.transaction() as session:
            await JoinLinkRepository(session).add(
                link, digest=digest_of(secret), created_by=actor.user_id
            )
        return JoinLinkCreated(
            id=link.id,
            role=link.role,
            note=link.note,
            created_at=link.created_at,
            expires_at=link.expires_at,
            uses=0,
            path=(path := f"/join/{secret}"),
            public_url=None if self._public_url is None else self._public_url + path,
        )

    async def revoke_join_link(self, slug: str, *, link_id: UUID, actor: Actor) -> None:
        """Take a link back; the roles that it gave stay.

        Raises:
            JoinLinkInvalidError: If the task has no such link.
        """
        task = await self._owned(slug, actor)
        async with self._db.transaction() as session:
            if not await JoinLinkRepository(session).remove(link_id, task_id=task.id):
                raise JoinLinkInvalidError

    async def join(self, secret: str, *, actor: Actor) -> JoinedRead:
        """Give the actor a link's role; a higher role that they have stays.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            JoinLinkInvalidError: If the link has expired or was taken back, or its task
                is archived.
            JoinLinkUsedError: If the actor lost since what it gave them, or would give.
        """
        user_id = require_signed_in(actor)
        now = self._clock.now()
        async with self._db.transaction() as session:
            links = JoinLinkRepository(session)
            link = await links.open_link(digest_of(secret), now=now)
            if link is None:
                raise JoinLinkInvalidError
            # The lock also keeps two changes of one person's role in order.
            tasks = TaskRepository(session)
            task = await tasks.lock(link.task_id)
            if task is None or task.status is TaskStatus.ARCHIVED:
                raise JoinLinkInvalidError
            before = await tasks.role(task.id, user_id)
            role = higher_role(before, link.role)
            if role is not before:
                await self._require_newer(session, link, user_id=user_id)
            await MemberRepository(session).set_role(task.id, user_id, role=role, added_at=now)
            await links.note_use(link.id, user_id, used_at=now)
        self._tasks.forget_role(task.id, user_id)
        return JoinedRead(task_slug=task.slug, role=role)

    async def _require_newer(self, session: Session, link: JoinLinkRow, *, user_id: UUID) -> None:
        """Refuse a link that was there when its visitor lost a role.

        The audit trail numbers both in one order, whatever the clocks said.
        """
        if await JoinLinkRepository(session).has_used(link.id, user_id):
            raise JoinLinkUsedError
        changes = await self._audit.roles_since(
            session, task_id=link.task_id, user_id=user_id, link_id=link.id
        )
        if any(is_loss(before, after) for before, after in changes):
            raise JoinLinkUsedError

    async def _owned(self, slug: str, actor: Actor) -> Task:
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return task

    async def _real_user(self, username: str) -> UserRow:
        user = await self._directory.find(username)
        if user.is_synthetic:
            raise UserNotFoundError(username=username)
        return user

    # Last, so that above it `list` still is the built-in type.
    async def list(self, slug: str, *, actor: Actor) -> list[MemberRead]:
        """List the members of a task by name."""
        task = await self._owned(slug, actor)
        async with self._db.read() as session:
            rows = await MemberRepository(session).of_task(task.id)
        return [MemberRead.model_validate(dict(row)) for row in rows]


def _role_given(slug: str, role: TaskRole, actor: Actor) -> News:
    return News(
        kind=NotificationKind.MEMBER_ROLE_GIVEN,
        details={"slug": slug, "role": role.value, "by": actor.username},
        path=f"/tasks/{slug}",
    )


async def _require_another_owner(session: Session, task_id: UUID, user_id: UUID) -> None:
    """Refuse to take the ownership of the only owner who can sign in away.

    Who is disabled counts for nobody's company, and may lose it: administrators appoint others.
    """
    # Two owners who remove each other at the same time must not both succeed.
    await TaskRepository(session).lock(task_id)
    if await MemberRepository(session).active_owner_ids(task_id) == {user_id}:
        raise LastOwnerError
