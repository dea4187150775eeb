"""Routes of tasks."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Query, Response

from dynabench.kit.paging import BadCursorError, Page
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.tasks import errors
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.schemas import (
    ConfigCheck,
    ConfigCheckRead,
    ConfigUpdate,
    ConfigVersionRead,
    JoinedRead,
    JoinLinkCreate,
    JoinLinkCreated,
    JoinLinkRead,
    MemberRead,
    MemberUpdate,
    TaskCreate,
    TaskPatch,
    TaskRead,
    TaskSummary,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter
from dynabench.people.errors import UserNotFoundError
from dynabench.science.task_config.json_schema import published_schema

router = APIRouter(prefix="/api/v1", tags=["tasks"])

Tasks = Annotated[TaskService, Depends(provide(TaskService))]
# As large as a column holds.
ConfigVersion = Annotated[int, Path(ge=1, le=2**31 - 1)]
Members = Annotated[MemberService, Depends(provide(MemberService))]
KnownTag = Annotated[str | None, Header(alias="If-None-Match", max_length=200)]

_SCHEMA_TYPE = "application/schema+json"


@router.get("/tasks")
async def list_tasks(actor: ActorDep, tasks: Tasks) -> list[TaskSummary]:
    """List active tasks, and drafts and archived ones of which the reader is a member."""
    return await tasks.list(actor=actor)


@router.post(
    "/tasks",
    status_code=201,
    openapi_extra=raises(errors.SlugTakenError, errors.ConfigInvalidError),
)
async def create_task(
    body: TaskCreate, actor: ActorDep, tasks: Tasks, key: RequestKeyDep
) -> TaskRead:
    """Create a draft task from a config (administrators)."""
    return await tasks.create(body, actor=actor, key=key)


@router.post(
    "/task-config-checks",
    openapi_extra=raises(errors.TaskNotFoundError, errors.TooManyChecksError),
)
async def check_config(body: ConfigCheck, actor: ActorDep, tasks: Tasks) -> ConfigCheckRead:
    """Check a config without storing it (whoever is signed in)."""
    return await tasks.check(body, actor=actor)


@router.get(
    "/task-config.schema.json",
    response_class=Response,
    responses={
        200: {"description": "The schema.", "content": {_SCHEMA_TYPE: {}}},
        304: {"description": "The reader has it already."},
    },
)
async def read_config_schema(known: KnownTag = None) -> Response:
    """Give the JSON schema of task configs, for editors."""
    schema = published_schema()
    headers = {"etag": schema.tag, "cache-control": "public, no-cache"}
    if known is not None and schema.tag in known:
        return Response(status_code=304, headers=headers)
    return Response(schema.content, media_type=_SCHEMA_TYPE, headers=headers)


@router.get("/tasks/{slug}", openapi_extra=raises(errors.TaskNotFoundError))
async def read_task(slug: str, actor: ActorDep, tasks: Tasks) -> TaskRead:
    """Show a task with its active config."""
    return await tasks.read(slug, actor=actor)


@router.patch(
    "/tasks/{slug}",
    openapi_extra=raises(errors.TaskNotFoundError, errors.TaskRoleNeededError),
)
async def change_task(slug: str, body: TaskPatch, actor: ActorDep, tasks: Tasks) -> TaskRead:
    """Open a task to everyone, or to its members only (owners)."""
    return await tasks.change(slug, body, actor=actor)


@router.get("/tasks/{slug}/configs", openapi_extra=raises(errors.TaskNotFoundError))
async def list_configs(slug: str, actor: ActorDep, tasks: Tasks) -> list[ConfigVersionRead]:
    """List the versions of a config, newest first (owners)."""
    return await tasks.config_versions(slug, actor=actor)


@router.post(
    "/tasks/{slug}/configs",
    status_code=201,
    openapi_extra=raises(
        errors.TaskNotFoundError,
        errors.ConfigInvalidError,
        errors.ShapeFrozenError,
        errors.TaskStateError,
    ),
)
async def update_config(slug: str, body: ConfigUpdate, actor: ActorDep, tasks: Tasks) -> TaskRead:
    """Store a new version of the config; unless told otherwise it becomes active (owners)."""
    return await tasks.update_config(slug, body, actor=actor)


@router.get(
    "/tasks/{slug}/configs/{version}",
    openapi_extra=raises(errors.TaskNotFoundError, errors.ConfigVersionNotFoundError),
)
async def read_config(
    slug: str, version: ConfigVersion, actor: ActorDep, tasks: Tasks
) -> ConfigVersionRead:
    """Show one version of a config (owners)."""
    return await tasks.config_version(slug, version, actor=actor)


@router.post(
    "/tasks/{slug}/configs/{version}/activate",
    openapi_extra=raises(
        errors.TaskNotFoundError,
        errors.ConfigVersionNotFoundError,
        errors.ShapeFrozenError,
        errors.TaskStateError,
    ),
)
async def activate_config(
    slug: str, version: ConfigVersion, actor: ActorDep, tasks: Tasks
) -> TaskRead:
    """Make a stored version of the config the active one, newer or older (owners)."""
    return await tasks.activate_config(slug, version, actor=actor)


@router.post(
    "/tasks/{slug}/activate",
    openapi_extra=raises(errors.TaskNotFoundError, errors.TaskStateError),
)
async def activate(slug: str, actor: ActorDep, tasks: Tasks) -> TaskRead:
    """Open a draft task to everyone; freezes the shape of its inputs and outputs (owners)."""
    return await tasks.activate(slug, actor=actor)


@router.post(
    "/tasks/{slug}/archive",
    openapi_extra=raises(errors.TaskNotFoundError, errors.TaskStateError),
)
async def archive(slug: str, actor: ActorDep, tasks: Tasks) -> TaskRead:
    """Archive a task: readable, closed to everything new (owners)."""
    return await tasks.archive(slug, actor=actor)


@router.get("/tasks/{slug}/audit", openapi_extra=raises(errors.TaskNotFoundError, BadCursorError))
async def list_task_audit_entries(
    slug: str, wanted: Annotated[AuditFilter, Query()], actor: ActorDep, members: Members
) -> Page[AuditEntryRead]:
    """List who changed what in a task, newest first (owners)."""
    return await members.audit(slug, wanted, actor=actor)


@router.get("/tasks/{slug}/members", openapi_extra=raises(errors.TaskNotFoundError))
async def list_members(slug: str, actor: ActorDep, members: Members) -> list[MemberRead]:
    """List the members of a task (owners)."""
    return await members.list(slug, actor=actor)


@router.put(
    "/tasks/{slug}/members/{username}",
    openapi_extra=raises(errors.TaskNotFoundError, UserNotFoundError, errors.LastOwnerError),
)
async def set_member(
    slug: str, username: str, body: MemberUpdate, actor: ActorDep, members: Members
) -> MemberRead:
    """Give a person a role in a task (owners)."""
    return await members.set_role(slug, username=username, role=body.role, actor=actor)


@router.delete(
    "/tasks/{slug}/members/{username}",
    status_code=204,
    openapi_extra=raises(errors.TaskNotFoundError, UserNotFoundError, errors.LastOwnerError),
)
async def remove_member(slug: str, username: str, actor: ActorDep, members: Members) -> None:
    """Take a person's role in a task away (owners)."""
    await members.remove(slug, username=username, actor=actor)


@router.get("/tasks/{slug}/join-links", openapi_extra=raises(errors.TaskNotFoundError))
async def list_join_links(slug: str, actor: ActorDep, members: Members) -> list[JoinLinkRead]:
    """List the join links of a task (owners)."""
    return await members.join_links(slug, actor=actor)


@router.post(
    "/tasks/{slug}/join-links", status_code=201, openapi_extra=raises(errors.TaskNotFoundError)
)
async def create_join_link(
    slug: str, body: JoinLinkCreate, actor: ActorDep, members: Members
) -> JoinLinkCreated:
    """Make a link that gives its visitors a role in the task (owners)."""
    return await members.create_join_link(slug, body, actor=actor)


@router.delete(
    "/tasks/{slug}/join-links/{link_id}",
    status_code=204,
    openapi_extra=raises(errors.TaskNotFoundError, errors.JoinLinkInvalidError),
)
async def revoke_join_link(slug: str, link_id: UUID, actor: ActorDep, members: Members) -> None:
    """Take a join link back (owners)."""
    await members.revoke_join_link(slug, link_id=link_id, actor=actor)


@router.post(
    "/join-links/{secret}",
    openapi_extra=raises(errors.JoinLinkInvalidError, errors.JoinLinkUsedError),
)
async def join(secret: str, actor: ActorDep, members: Members) -> JoinedRead:
    """Take the role that a join link gives."""
    return await members.join(secret, actor=actor)
