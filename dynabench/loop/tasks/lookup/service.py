"""Finds tasks, their configs and people's roles in them."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID

from anyio import to_thread

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.under_way import UnderWay
from dynabench.loop.tasks.errors import (
    OrderLapsedError,
    TaskNotFoundError,
    TaskRoleNeededError,
    TooManyChecksError,
)
from dynabench.loop.tasks.permissions import may_see
from dynabench.loop.tasks.repository import TaskRepository, TaskRow
from dynabench.loop.tasks.rules import includes, is_slug
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

_BELIEVED_FOR = timedelta(seconds=1)
_REMEMBERED_CONFIGS = 256
_REMEMBERED_ROWS = 10_000
# An editor asks again while the answer before is still on its way.
_MOST_CHECKS = 4

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


# Reading takes the processor from everybody else, so what people send waits for its turn.
_READERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="config")


async def parse_config(text: str) -> TaskConfig:
    """Read somebody's config in a thread: a long one would hold up everybody else.

    Raises:
        TaskConfigError: If it cannot be used.
    """
    return await asyncio.get_running_loop().run_in_executor(_READERS, load_task_config, text)


async def _parse_stored(text: str) -> TaskConfig:
    """Read a task's own config: whoever works on the task waits, so it stands in no line."""
    return await to_thread.run_sync(load_task_config, text)


class Recent(Generic[KeyT, ValueT]):
    """What was read within the last second; a value may be None, hence the tuples."""

    def __init__(self) -> None:
        self._kept: OrderedDict[KeyT, tuple[ValueT, datetime]] = OrderedDict()
        # Counts what was forgotten: a value read before must not be kept after.
        self.forgotten = 0

    def get(self, key: KeyT, *, now: datetime) -> tuple[ValueT] | None:
        """Return the value of a key, alone in a tuple, or None if it is not known."""
        found = self._kept.get(key)
        return (found[0],) if found is not None and now < found[1] else None

    def remember(self, key: KeyT, value: ValueT, *, now: datetime, seen: int) -> None:
        """Keep a value that was read after `seen` had been looked up in `forgotten`."""
        if seen != self.forgotten:
            return
        self._kept[key] = (value, now + _BELIEVED_FOR)
        self._kept.move_to_end(key)
        while len(self._kept) > _REMEMBERED_ROWS:
            self._kept.popitem(last=False)

    def forget(self, key: KeyT) -> None:
        """Drop the value of a key, and every value that is being read just now."""
        self.forgotten += 1
        self._kept.pop(key, None)


class TaskLookup:
    """Finds tasks, configs and roles.

    Tasks and roles are believed for a second and parsed configs for good, so that an
    attempt or a vote costs no query about its task. A change counts at once in the
    process that made it, and within that second in the others.
    """

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._configs: OrderedDict[tuple[UUID, int], TaskConfig] = OrderedDict()
        self._rows: Recent[UUID, TaskRow] = Recent()
        self._roles: Recent[tuple[UUID, UUID], TaskRole | None] = Recent()
        # A slug is never changed or given to another task.
        self._ids: dict[str, UUID] = {}
        self._checks = UnderWay(most=_MOST_CHECKS, refuse=TooManyChecksError)

    async def get(self, slug: str) -> Task:
        """Return a task, whoever asks.

        Raises:
            TaskNotFoundError: If there is none.
        """
        return await self._task(await self._row_of(slug))

    async def get_by_id(self, task_id: UUID) -> Task:
        """Return a task, whoever asks.

        Raises:
            TaskNotFoundError: If there is none.
        """
        return await self._task(await self._row(task_id))

    async def get_for(self, slug: str, actor: Actor) -> Task:
        """Return a task that the actor may see.

        Raises:
            TaskNotFoundError: If there is none, or it is a draft of which the actor is
                no member.
        """
        return await self._task(await self._visible_row(slug, actor))

    async def slugs_by_catalog_folder(self) -> dict[str, list[str]]:
        """Return the tasks that were made from each folder of the catalogue."""
        async with self._db.read() as session:
            found = await TaskRepository(session).from_catalog()
        slugs: dict[str, list[str]] = {}
        for folder, slug in found:
            slugs.setdefault(folder, []).append(slug)
        return slugs

    async def config_of(self, task_id: UUID, version: int) -> TaskConfig:
        """Return one version of a task's config, parsed once.

        Raises:
            ValueError: If the task has no such version.
        """
        key = (task_id, version)
        if (known := self._configs.get(key)) is not None:
            self._configs.move_to_end(key)
            return known
        async with self._db.read() as session:
            text = await TaskRepository(session).config(task_id, version)
        if text is None:
            message = f"Task {task_id} has no config version {version}."
            raise ValueError(message)
        config = self._configs[key] = await _parse_stored(text)
        while len(self._configs) > _REMEMBERED_CONFIGS:
            self._configs.popitem(last=False)
        return config

    async def role_of(self, task_id: UUID, actor: Actor) -> TaskRole | None:
        """Return the actor's role in a task; an administrator counts as owner."""
        if actor.is_admin:
            return TaskRole.OWNER
        if actor.user_id is None:
            return None
        key = (task_id, actor.user_id)
        now = self._clock.now()
        if (known := self._roles.get(key, now=now)) is not None:
            return known[0]
        seen = self._roles.forgotten
        async with self._db.read() as session:
            role = await TaskRepository(session).role(task_id, actor.user_id)
        self._roles.remember(key, role, now=now, seen=seen)
        return role

    async def require_role(self, task: Task, actor: Actor, role: TaskRole) -> None:
        """Refuse whoever lacks a role in a task that they may see.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            TaskRoleNeededError: If the actor's role does not include this one.
        """
        await self._require_role(task.id, task.slug, actor=actor, role=role)

    async def require_still(
        self, task_id: UUID, *, author_id: UUID | None, role: TaskRole = TaskRole.OWNER
    ) -> None:
        """Refuse to begin what somebody ordered who may not order it any more.

        Nothing that is remembered is believed: an order is taken up by another process than
        the one that took the role away. What nobody ordered is the installation's own.

        Args:
            task_id: What the order is about.
            author_id: Who gave it.
            role: What they had to be, and still have to.

        Raises:
            OrderLapsedError: If they lost the role, or their account is disabled.
        """
        if author_id is None:
            return
        async with self._db.read() as session:
            author = await TaskRepository(session).standing(task_id, author_id)
        if author is not None and not author.is_disabled:
            has = TaskRole.OWNER if author.is_admin else author.role
            if includes(has, role):
                return
        task = await self.get_by_id(task_id)
        name = "Somebody" if author is None else author.username
        raise OrderLapsedError(slug=task.slug, role=role, username=name)

    def forget_role(self, task_id: UUID, user_id: UUID) -> None:
        """Believe a person's role no longer: it was changed in this process."""
        self._roles.forget((task_id, user_id))

    async def _require_role(
        self, task_id: UUID, slug: str, *, actor: Actor, role: TaskRole
    ) -> None:
        if includes(await self.role_of(task_id, actor), role):
            return
        require_signed_in(actor)
        raise TaskRoleNeededError(slug=slug, role=role)

    async def _row(self, task_id: UUID) -> TaskRow:
        now = self._clock.now()
        if (known := self._rows.get(task_id, now=now)) is not None:
            return known[0]
        seen = self._rows.forgotten
        async with self._db.read() as session:
            row = await TaskRepository(session).by_id(task_id)
        if row is None:
            raise TaskNotFoundError(slug=str(task_id))
        self._rows.remember(task_id, row, now=now, seen=seen)
        return row

    async def _row_of(self, slug: str) -> TaskRow:
        if (known := self._ids.get(slug)) is not None:
            return await self._row(known)
        if not is_slug(slug):
            raise TaskNotFoundError(slug=slug[:100])
        async with self._db.read() as session:
            row = await TaskRepository(session).by_slug(slug)
        if row is None:
            raise TaskNotFoundError(slug=slug)
        self._ids[slug] = row.id
        return row

    async def _visible_row(self, slug: str, actor: Actor) -> TaskRow:
        row = await self._row_of(slug)
        if row.status is TaskStatus.DRAFT and not may_see(
            row.status, await self.role_of(row.id, actor)
        ):
            raise TaskNotFoundError(slug=slug)
        return row

    async def _task(self, row: TaskRow) -> Task:
        return Task(
            id=row.id,
            slug=row.slug,
            status=row.status,
            config=await self.config_of(row.id, row.active_config_version),
            config_version=row.active_config_version,
            is_open_to_everyone=row.is_open_to_everyone,
            visitors_may_try=row.visitors_may_try,
            catalog_folder=row.catalog_folder,
        )
