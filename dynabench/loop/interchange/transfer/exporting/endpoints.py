"""Route of exports: a whole task in a file."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.interchange.transfer.errors import ExportUnderWayError, TaskBusyError
from dynabench.loop.interchange.transfer.exporting.service import OpenedExport, TaskSender
from dynabench.loop.models.submissions.errors import StorageFullError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["tasks"])

Sender = Annotated[TaskSender, Depends(provide(TaskSender))]

_TYPE = "application/zip"
_FILE: dict[str, object] = {
    "content": {_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    "description": "The file's bytes.",
}


async def _opened(slug: str, actor: ActorDep, sender: Sender) -> AsyncIterator[OpenedExport]:
    """Give a task's file until its last byte is sent, or nobody is there to read it."""
    async with sender.open(slug, actor=actor) as opened:
        yield opened


@router.get(
    "/tasks/{slug}/export",
    response_class=StreamingResponse,
    responses={200: _FILE},
    openapi_extra=raises(
        TaskNotFoundError,
        TaskRoleNeededError,
        TaskBusyError,
        ExportUnderWayError,
        StorageFullError,
    ),
)
async def export_task(
    opened: Annotated[OpenedExport, Depends(_opened)],
) -> StreamingResponse:
    """Download a whole task as `dynabench task import` reads it, without people's names (owners).

    The file is written before its first byte is sent, so a large task takes a while to begin.
    """
    return StreamingResponse(
        opened.chunks(),
        media_type=_TYPE,
        headers={
            "content-length": str(opened.size_bytes),
            "content-disposition": f'attachment; filename="{opened.name}"',
            "cache-control": "private, no-store",
            "x-content-type-options": "nosniff",
        },
    )
