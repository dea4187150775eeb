"""Route of exports: a whole task in a file."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.interchange.transfer.errors import ExportUnderWayError, TaskBusyError
from dynabench.loop.interchange.transfer.exporting.service import TaskSender
from dynabench.loop.models.submissions.errors import StorageFullError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["tasks"])

Sender = Annotated[TaskSender, Depends(provide(TaskSender))]

_TYPE = "application/zip"
_FILE: dict[str, object] = {
    "content": {_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    "description": "The file's bytes.",
}


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
async def export_task(slug: str, actor: ActorDep, sender: Sender) -> StreamingResponse:
    """Download a whole task as `dynabench task import` reads it, without people's names (owners).

    The file is written before its first byte is sent, so a large task takes a while to begin.
    """
    opened = await sender.open(slug, actor=actor)
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
