"""All SQL of tasks and their config versions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, and_, bindparam, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import Prepared, ask
from dynabench.loop.tasks.tables import task_config_versions, task_members, tasks
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.tables import users

_TASK = (
    tasks.c.id,
    tasks.c.slug,
    tasks.c.status,
    tasks.c.is_open_to_everyone,
    tasks.c.visitors_may_try,
    tasks.c.active_config_version,
    tasks.c.created_at,
    tasks.c.catalog_folder,
)

_CONFIG_VERSION = (
    task_config_versions.c.version,
    task_config_versions.c.config,
    task_config_versions.c.created_at,
    users.c.username.label("created_by"),
)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task without its config."""

    id: UUID
    slug: str
    status: TaskStatus
    is_open_to_everyone: bool
    visitors_may_try: bool
    active_config_version: int
    created_at: datetime
    catalog_folder: str | None


@dataclass(frozen=True, slots=True)
class ConfigVersionRow:
    """One version of a task's config, with the name of who wrote it."""

    version: int
    config: str
    created_at: datetime
    created_by: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody may do in a task at this moment, by their account and their role."""

    username: str
    is_admin: bool
    is_disabled: bool
    role: TaskRole | None


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A task in the list; `summary` is None where it was stored before there were any."""

    task: TaskRow
    summary: Mapping[str, object] | None


_ROLE = Prepared(
    select(task_members.c.role).where(
        task_members.c.task_id == bindparam("task_id"),
        task_members.c.user_id == bindparam("user_id"),
    )
)


class TaskRepository:
    """Reads and writes tasks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(
        self,
        task_id: UUID,
        *,
        slug: str,
        created_by: UUID | None,
        created_at: datetime,
        catalog_folder: str | None = None,
    ) -> bool:
        """Write a draft whose first config version follows; tells whether the slug was free."""
        statement = (
            upsert(tasks)
            .values(
                id=task_id,
                slug=slug,
                status=TaskStatus.DRAFT,
                active_config_version=1,
                created_by=created_by,
                created_at=created_at,
                catalog_folder=catalog_folder,
            )
            .on_conflict_do_nothing(index_elements=[tasks.c.slug])
            .returning(tasks.c.id)
        )
        return (await self._session.execute(statement)).first() is not None

    async def by_id(self, task_id: UUID) -> TaskRow | None:
        """Return the task of an id."""
        return await self._one(select(*_TASK).where(tasks.c.id == task_id))

    async def by_slug(self, slug: str) -> TaskRow | None:
        """Return the task of a slug."""
        return await self._one(select(*_TASK).where(tasks.c.slug == slug))

    async def lock(self, task_id: UUID) -> TaskRow | None:
        """Return a task that no other transaction changes until this one ends."""
        return await self._one(select(*_TASK).where(tasks.c.id == task_id).with_for_update())

    async def from_catalog(self) -> list[tuple[str, str]]:
        """Return the folder and the slug of each task from the catalogue, by slug."""
        statement = (
            select(tasks.c.catalog_folder, tasks.c.slug)
            .where(tasks.c.catalog_folder.is_not(None))
            .order_by(tasks.c.slug)
        )
        return [(row.catalog_folder, row.slug) for row in await self._session.execute(statement)]

    async def all(self) -> list[ListedRow]:
        """Return all tasks, oldest first, each with the summary of its active config."""
        statement = (
            select(*_TASK, task_config_versions.c.summary)
            .join(
                task_config_versions,
                and_(
                    task_config_versions.c.task_id == tasks.c.id,
                    task_config_versions.c.version == tasks.c.active_config_version,
                ),
            )
            .order_by(tasks.c.id)
        )
        rows = await self._session.execute(statement)
        return [ListedRow(task=TaskRow(*row[:-1]), summary=row[-1]) for row in rows]

    async def set_status(
        self, task_id: UUID, status: TaskStatus, *, was: Collection[TaskStatus], now: datetime
    ) -> bool:
        """Write a task's status; tells whether it had one of those it must have had."""
        times = {TaskStatus.ACTIVE: "activated_at", TaskStatus.ARCHIVED: "archived_at"}
        noted = {times[status]: now} if status in times else {}
        statement = (
            update(tasks)
            .where(tasks.c.id == task_id, tasks.c.status.in_(list(was)))
            .values({"status": status, **noted})
            .returning(tasks.c.id)
        )
        return (await self._session.execute(statement)).first() is not None

    async def change(self, task_id: UUID, **values: bool) -> None:
        """Write who may take part."""
        await self._session.execute(update(tasks).where(tasks.c.id == task_id).values(values))

    async def add_config(
        self,
        task_id: UUID,
        config: str,
        *,
        summary: Mapping[str, object],
        created_by: UUID | None,
        created_at: datetime,
    ) -> int:
        """Write the next version of a locked task's config and return its number."""
        latest = select(func.coalesce(func.max(task_config_versions.c.version), 0)).where(
            task_config_versions.c.task_id == task_id
        )
        version: int = (await self._session.execute(latest)).scalar_one() + 1
        await self._session.execute(
            insert(task_config_versions).values(
                task_id=task_id,
                version=version,
                config=config,
                summary=dict(summary),
                created_by=created_by,
                created_at=created_at,
            )
        )
        return version

    async def set_active_config(self, task_id: UUID, version: int) -> None:
        """Write which version of a locked task's config is the active one."""
        await self._session.execute(
            update(tasks).where(tasks.c.id == task_id).values(active_config_version=version)
        )

    async def config(self, task_id: UUID, version: int) -> str | None:
        """Return the text of one version of a config."""
        statement = select(task_config_versions.c.config).where(
            task_config_versions.c.task_id == task_id, task_config_versions.c.version == version
        )
        found: str | None = (await self._session.execute(statement)).scalar_one_or_none()
        return found

    async def config_versions(self, task_id: UUID) -> list[ConfigVersionRow]:
        """Return all versions of a config, newest first."""
        statement = (
            select(*_CONFIG_VERSION)
            .outerjoin(users, users.c.id == task_config_versions.c.created_by)
            .where(task_config_versions.c.task_id == task_id)
            .order_by(task_config_versions.c.version.desc())
        )
        rows = (await self._session.execute(statement)).mappings()
        return [ConfigVersionRow(**row) for row in rows]

    async def config_version(self, task_id: UUID, version: int) -> ConfigVersionRow | None:
        """Return one version of a config."""
        statement = (
            select(*_CONFIG_VERSION)
            .outerjoin(users, users.c.id == task_config_versions.c.created_by)
            .where(
                task_config_versions.c.task_id == task_id,
                task_config_versions.c.version == version,
            )
        )
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else ConfigVersionRow(**row)

    async def version_with(self, task_id: UUID, config: str) -> int | None:
        """Return the newest version of a config that has exactly this text."""
        statement = select(func.max(task_config_versions.c.version)).where(
            task_config_versions.c.task_id == task_id, task_config_versions.c.config == config
        )
        found: int | None = (await self._session.execute(statement)).scalar_one()
        return found

    async def add_owner(self, task_id: UUID, user_id: UUID, *, added_at: datetime) -> None:
        """Write the first owner of a new task."""
        await self._session.execute(
            insert(task_members).values(
                task_id=task_id, user_id=user_id, role=TaskRole.OWNER, added_at=added_at
            )
        )

    async def role(self, task_id: UUID, user_id: UUID) -> TaskRole | None:
        """Return a person's role in a task."""
        return await ask(
            self._session,
            _ROLE.with_values(
                lambda rows: TaskRole(rows[0]["role"]) if rows else None,
                task_id=task_id,
                user_id=user_id,
            ),
        )

    async def standing(self, task_id: UUID, user_id: UUID) -> Standing | None:
        """Return a person's account and role in a task; None if there is no such person."""
        is_theirs = and_(task_members.c.user_id == users.c.id, task_members.c.task_id == task_id)
        statement = (
            select(users.c.username, users.c.is_admin, users.c.disabled_at, task_members.c.role)
            .outerjoin(task_members, is_theirs)
            .where(users.c.id == user_id)
        )
        row = (await self._session.execute(statement)).one_or_none()
        if row is None:
            return None
        return Standing(
            username=row.username,
            is_admin=row.is_admin,
            is_disabled=row.disabled_at is not None,
            role=row.role,
        )

    async def roles_of(self, user_id: UUID) -> dict[UUID, TaskRole]:
        """Return a person's roles by task."""
        statement = select(task_members.c.task_id, task_members.c.role).where(
            task_members.c.user_id == user_id
        )
        return {row.task_id: row.role for row in await self._session.execute(statement)}

    async def owners(self, task_id: UUID) -> list[str]:
        """Return the names of a task's owners, sorted."""
        statement = (
            select(users.c.username)
            .join(task_members, task_members.c.user_id == users.c.id)
            .where(task_members.c.task_id == task_id, task_members.c.role == TaskRole.OWNER)
            .order_by(users.c.username_key)
        )
        return list((await self._session.execute(statement)).scalars())

    async def _one(self, statement: Select[*tuple[object, ...]]) -> TaskRow | None:
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else TaskRow(**row)
