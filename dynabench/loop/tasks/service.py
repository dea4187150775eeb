"""Use cases of tasks, and what the chapters above ask about them."""

from collections.abc import Mapping
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.tasks.errors import (
    ConfigVersionNotFoundError,
    ShapeFrozenError,
    SlugTakenError,
    TaskNotFoundError,
    TaskStateError,
)
from dynabench.loop.tasks.lookup.service import TaskLookup, parse_config
from dynabench.loop.tasks.permissions import is_listed
from dynabench.loop.tasks.repository import ConfigVersionRow, ListedRow, TaskRepository, TaskRow
from dynabench.loop.tasks.rules import changed_fields, shape_of, summary_of
from dynabench.loop.tasks.schemas import (
    ConfigCheck,
    ConfigCheckRead,
    ConfigProblemRead,
    ConfigUpdate,
    ConfigVersionRead,
    TaskCreate,
    TaskPatch,
    TaskRead,
    TaskSummary,
)
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.people.permissions import require_admin
from dynabench.science.task_config.problems import TaskConfigError
from dynabench.science.task_config.public import describe_config
from dynabench.science.task_config.schema import TaskConfig

_DRAFT = frozenset({TaskStatus.DRAFT})
_DRAFT_OR_ACTIVE = frozenset({TaskStatus.DRAFT, TaskStatus.ACTIVE})


class TaskService(TaskLookup):
    """Makes, shows and changes tasks; `TaskLookup` answers what others ask about them."""

    async def create(
        self, body: TaskCreate, *, actor: Actor, key: RequestKey | None = None
    ) -> TaskRead:
        """Make a draft from a config; who makes it owns it.

        Raises:
            AdminNeededError: If the actor is no administrator.
            TaskConfigError: If the config cannot be used.
            SlugTakenError: If another task has the slug.
        """
        require_admin(actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self._describe(await self._row(done), actor=actor)
        config = await parse_config(body.config)
        try:
            task_id = await self._add(body, config, created_by=actor.user_id, key=key)
        except AlreadyDone as already:
            task_id = already.resource_id
        return await self._describe(await self._row(task_id), actor=actor)

    async def check(self, body: ConfigCheck, *, actor: Actor) -> ConfigCheckRead:
        """Tell everything that is wrong with a config, without storing it.

        Raises:
            SignInRequiredError: If the actor is a visitor: a check costs time.
            TaskNotFoundError: If it is to be a version of a task that is not there.
            TooManyChecksError: If too many checks of the actor's are under way.
        """
        user_id = require_signed_in(actor)
        slug = body.task_slug
        row = None if slug is None else await self._visible_row(slug, actor)
        try:
            with self._checks.one_more(user_id):
                config = await parse_config(body.config)
        except TaskConfigError as error:
            problems = [ConfigProblemRead.model_validate(one) for one in error.problems]
            return ConfigCheckRead(problems=problems, config=None)
        frozen = [] if row is None else await self._frozen_changes(row, config)
        return ConfigCheckRead(problems=[], config=describe_config(config), frozen_changes=frozen)

    async def read(self, slug: str, *, actor: Actor) -> TaskRead:
        """Show a task with its active config."""
        return await self._describe(await self._visible_row(slug, actor), actor=actor)

    async def config_versions(self, slug: str, *, actor: Actor) -> list[ConfigVersionRead]:
        """List the versions of a task's config, newest first."""
        row = await self._owned_row(slug, actor)
        async with self._db.read() as session:
            versions = await TaskRepository(session).config_versions(row.id)
        return [_version(one, row) for one in versions]

    async def config_version(self, slug: str, version: int, *, actor: Actor) -> ConfigVersionRead:
        """Show one version of a task's config.

        Raises:
            ConfigVersionNotFoundError: If there is none of this number.
        """
        row = await self._owned_row(slug, actor)
        async with self._db.read() as session:
            found = await TaskRepository(session).config_version(row.id, version)
        if found is None:
            raise ConfigVersionNotFoundError(slug=slug, version=version)
        return _version(found, row)

    async def update_config(self, slug: str, body: ConfigUpdate, *, actor: Actor) -> TaskRead:
        """Store a new version of a config and, unless it is only to be kept, make it active.

        A text that is stored already makes no new version.

        Raises:
            TaskConfigError: If the config cannot be used.
            ShapeFrozenError: If it is to be active, as the task is, and changes what is fixed.
            TaskStateError: If the task is archived.
        """
        known = await self._owned_row(slug, actor)
        config = await parse_config(body.config)
        async with self._db.transaction() as session:
            tasks = TaskRepository(session)
            row = await self._lock(tasks, known)
            version = await tasks.version_with(row.id, body.config)
            if body.activate:
                await self._require_same_shape(row, config)
            if version is None:
                version = await tasks.add_config(
                    row.id,
                    body.config,
                    summary=summary_of(config),
                    created_by=actor.user_id,
                    created_at=self._clock.now(),
                )
            if body.activate:
                await tasks.set_active_config(row.id, version)
        self._rows.forget(row.id)
        return await self.read(slug, actor=actor)

    async def activate_config(self, slug: str, version: int, *, actor: Actor) -> TaskRead:
        """Make a stored version of a config the active one, be it newer or older.

        Raises:
            ConfigVersionNotFoundError: If there is none of this number.
            ShapeFrozenError: If the task is active and the version changes what is fixed.
            TaskStateError: If the task is archived.
        """
        await self.config_version(slug, version, actor=actor)
        known = await self._owned_row(slug, actor)
        config = await self.config_of(known.id, version)
        async with self._db.transaction() as session:
            tasks = TaskRepository(session)
            row = await self._lock(tasks, known)
            await self._require_same_shape(row, config)
            await tasks.set_active_config(row.id, version)
        self._rows.forget(row.id)
        return await self.read(slug, actor=actor)

    async def change(self, slug: str, body: TaskPatch, *, actor: Actor) -> TaskRead:
        """Change who may take part in a task."""
        row = await self._owned_row(slug, actor)
        values = body.model_dump(exclude_none=True)
        if values:
            async with self._db.transaction() as session:
                await TaskRepository(session).change(row.id, **values)
            self._rows.forget(row.id)
        return await self.read(slug, actor=actor)

    async def activate(self, slug: str, *, actor: Actor) -> TaskRead:
        """Open a draft; from now on the shape of its fields is fixed.

        Raises:
            TaskStateError: If the task is no draft.
        """
        row = await self._owned_row(slug, actor)
        await self._set_status(row, TaskStatus.ACTIVE, was=_DRAFT, wanted="a draft")
        return await self.read(slug, actor=actor)

    async def archive(self, slug: str, *, actor: Actor) -> TaskRead:
        """Close a task to everything new; it stays readable.

        Raises:
            TaskStateError: If the task is archived already.
        """
        row = await self._owned_row(slug, actor)
        await self._set_status(
            row, TaskStatus.ARCHIVED, was=_DRAFT_OR_ACTIVE, wanted="a draft or active"
        )
        return await self.read(slug, actor=actor)

    async def ensure(self, slug: str, config: str, *, catalog_folder: str | None = None) -> Task:
        """Return the task of a slug; where there is none, make it from a config and activate it.

        For the installation itself: the task has no owner but the administrators.

        Args:
            slug: Its slug.
            config: What to make it from.
            catalog_folder: The folder of the catalogue that the config is from.

        Raises:
            TaskConfigError: If there is none and the config cannot be used.
        """
        try:
            return await self.get(slug)
        except TaskNotFoundError:
            parsed = await parse_config(config)
        body = TaskCreate(slug=slug, config=config)
        try:
            task_id = await self._add(
                body,
                parsed,
                created_by=None,
                key=None,
                is_active=True,
                catalog_folder=catalog_folder,
            )
        except SlugTakenError:
            # Another process that starts at the same time was faster.
            return await self.get(slug)
        return await self.get_by_id(task_id)

    async def add_draft(
        self,
        session: Session,
        task_id: UUID,
        body: TaskCreate,
        config: TaskConfig,
        *,
        created_by: UUID | None,
        catalog_folder: str | None = None,
    ) -> None:
        """Write a draft in the caller's transaction; who makes it owns it.

        Raises:
            SlugTakenError: If another task has the slug.
        """
        now = self._clock.now()
        tasks = TaskRepository(session)
        is_new = await tasks.add(
            task_id,
            slug=body.slug,
            created_by=created_by,
            created_at=now,
            catalog_folder=catalog_folder,
        )
        if not is_new:
            raise SlugTakenError(slug=body.slug)
        await tasks.add_config(
            task_id,
            body.config,
            summary=summary_of(config),
            created_by=created_by,
            created_at=now,
        )
        if created_by is not None:
            await tasks.add_owner(task_id, created_by, added_at=now)

    async def _add(
        self,
        body: TaskCreate,
        config: TaskConfig,
        *,
        created_by: UUID | None,
        key: RequestKey | None,
        is_active: bool = False,
        catalog_folder: str | None = None,
    ) -> UUID:
        task_id = new_id()
        async with self._db.transaction() as session:
            if key is not None:
                await claim(session, key, task_id)
            await self.add_draft(
                session,
                task_id,
                body,
                config,
                created_by=created_by,
                catalog_folder=catalog_folder,
            )
            if is_active:
                await TaskRepository(session).set_status(
                    task_id, TaskStatus.ACTIVE, was=_DRAFT, now=self._clock.now()
                )
        return task_id

    async def _lock(self, tasks: TaskRepository, known: TaskRow) -> TaskRow:
        """Return a task whose config no other transaction changes until this one ends."""
        row = await tasks.lock(known.id)
        assert row is not None, "a task is never deleted"
        if row.status is TaskStatus.ARCHIVED:
            raise TaskStateError(slug=row.slug, status=row.status, wanted="a draft or active")
        return row

    async def _frozen_changes(self, row: TaskRow, config: TaskConfig) -> list[str]:
        """Name what an active task would have to change for a config, and may not."""
        if row.status is not TaskStatus.ACTIVE:
            return []
        active = await self.config_of(row.id, row.active_config_version)
        return changed_fields(shape_of(active), shape_of(config))

    async def _require_same_shape(self, row: TaskRow, config: TaskConfig) -> None:
        changed = await self._frozen_changes(row, config)
        if changed:
            raise ShapeFrozenError(changed=changed)

    async def _set_status(
        self, row: TaskRow, status: TaskStatus, *, was: frozenset[TaskStatus], wanted: str
    ) -> None:
        async with self._db.transaction() as session:
            tasks = TaskRepository(session)
            if not await tasks.set_status(row.id, status, was=was, now=self._clock.now()):
                found = await tasks.by_id(row.id)
                assert found is not None, "a task is never deleted"
                raise TaskStateError(slug=row.slug, status=found.status, wanted=wanted)
        self._rows.forget(row.id)

    async def _owned_row(self, slug: str, actor: Actor) -> TaskRow:
        row = await self._visible_row(slug, actor)
        await self._require_role(row.id, row.slug, actor=actor, role=TaskRole.OWNER)
        return row

    async def _describe(self, row: TaskRow, *, actor: Actor) -> TaskRead:
        task = await self._task(row)
        role = await self.role_of(row.id, actor)
        async with self._db.read() as session:
            owners = await TaskRepository(session).owners(row.id)
        return TaskRead.model_validate(
            _summary(row, summary_of(task.config))
            | {
                "config": describe_config(task.config),
                "config_version": task.config_version,
                "my_role": role,
                "owners": owners,
            }
        )

    # Last, so that above it `list` still is the built-in type.
    async def list(self, *, actor: Actor) -> list[TaskSummary]:
        """List active tasks, and drafts and archived ones of the actor's."""
        async with self._db.read() as session:
            tasks = TaskRepository(session)
            rows = await tasks.all()
            roles = {} if actor.user_id is None else await tasks.roles_of(actor.user_id)
        return [
            TaskSummary.model_validate(_summary(one.task, await self._summary_of(one)))
            for one in rows
            if is_listed(
                one.task.status, TaskRole.OWNER if actor.is_admin else roles.get(one.task.id)
            )
        ]

    async def _summary_of(self, listed: ListedRow) -> Mapping[str, object]:
        if listed.summary is not None:
            return listed.summary
        row = listed.task
        return summary_of(await self.config_of(row.id, row.active_config_version))


def _summary(row: TaskRow, summary: Mapping[str, object]) -> dict[str, object]:
    return {
        **summary,
        "id": row.id,
        "slug": row.slug,
        "title": summary["title"] or row.slug,
        "status": row.status,
        "is_open_to_everyone": row.is_open_to_everyone,
        "visitors_may_try": row.visitors_may_try,
        "created_at": row.created_at,
    }


def _version(one: ConfigVersionRow, row: TaskRow) -> ConfigVersionRead:
    return ConfigVersionRead(
        version=one.version,
        config=one.config,
        created_at=one.created_at,
        created_by=one.created_by,
        is_active=one.version == row.active_config_version,
    )
