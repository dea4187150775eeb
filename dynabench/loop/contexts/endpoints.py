"""Routes of contexts."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request

from dynabench.kit.paging import Cursor, Page
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.contexts import errors
from dynabench.loop.contexts.schemas import ContextRead, ContextUploadRead, TagRead
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError
from dynabench.science.texts.wire_texts import OneLine

router = APIRouter(prefix="/api/v1", tags=["contexts"])

Contexts = Annotated[ContextService, Depends(provide(ContextService))]

_UPLOAD = {
    "requestBody": {
        "required": True,
        "description": 'One object a line: {"context": {…}, "tag": "…", "metadata": {…}}.',
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.get("/tasks/{slug}/contexts", openapi_extra=raises(TaskNotFoundError))
async def list_contexts(
    slug: str,
    actor: ActorDep,
    contexts: Contexts,
    tag: OneLine | None = None,
    cursor: Cursor = None,
) -> Page[ContextRead]:
    """List the contexts of a task (owners)."""
    return await contexts.list(slug, actor=actor, tag=tag, cursor=cursor)


@router.post(
    "/tasks/{slug}/contexts",
    openapi_extra=raises(TaskNotFoundError, TaskStateError, errors.ContextFileError) | _UPLOAD,
)
async def upload_contexts(
    slug: str, request: Request, actor: ActorDep, contexts: Contexts
) -> ContextUploadRead:
    """Add contexts from JSON lines; those already there are counted, not doubled (owners)."""
    return await contexts.upload(slug, chunks=request.stream(), actor=actor)


@router.get("/tasks/{slug}/context-tags", openapi_extra=raises(TaskNotFoundError))
async def list_tags(slug: str, actor: ActorDep, contexts: Contexts) -> list[TagRead]:
    """List the tags of a task's contexts."""
    return await contexts.tags(slug, actor=actor)


@router.get("/contexts/{context_id}", openapi_extra=raises(errors.ContextNotFoundError))
async def read_context(context_id: UUID, actor: ActorDep, contexts: Contexts) -> ContextRead:
    """Show a context."""
    return await contexts.read(context_id, actor=actor)


@router.delete(
    "/contexts/{context_id}", status_code=204, openapi_extra=raises(errors.ContextNotFoundError)
)
async def retire_context(context_id: UUID, actor: ActorDep, contexts: Contexts) -> None:
    """Hand a context out no more; examples on it stay (owners)."""
    await contexts.retire(context_id, actor=actor)
