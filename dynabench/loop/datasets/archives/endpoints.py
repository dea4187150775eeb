"""Routes of archives."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Response
from fastapi.responses import StreamingResponse

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.archives import errors
from dynabench.loop.datasets.archives.schemas import ArchiveRead
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.archives.values import OpenedArchive
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.tasks.errors import TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Archives = Annotated[ArchiveService, Depends(provide(ArchiveService))]
RangeHeader = Annotated[str | None, Header(alias="range")]
IfRangeHeader = Annotated[str | None, Header(alias="if-range")]

_TYPE = "application/zip"
_BYTES: dict[str, object] = {
    "content": {_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    "description": "The file's bytes.",
}
_PATH = "/dataset-versions/{version_id}/archive"


@router.get(
    _PATH,
    response_class=StreamingResponse,
    responses={200: _BYTES, 206: {**_BYTES, "description": "The bytes that `Range` names."}},
    openapi_extra=raises(DatasetNotFoundError, errors.ArchivePendingError),
)
async def download_archive(
    version_id: UUID,
    actor: ActorDep,
    archives: Archives,
    range_: RangeHeader = None,
    if_range: IfRangeHeader = None,
) -> Response:
    """Download a version as one zip; what broke off goes on with `Range` and `If-Range`."""
    opened = await archives.open(
        version_id, range_header=range_, if_range=if_range, with_content=True, actor=actor
    )
    return _sent(opened)


# What a HEAD answers is what the GET of the same address says, and is not described again.
@router.head(_PATH, include_in_schema=False)
async def look_at_archive(version_id: UUID, actor: ActorDep, archives: Archives) -> Response:
    """Tell what a download would be."""
    opened = await archives.open(
        version_id, range_header=None, if_range=None, with_content=False, actor=actor
    )
    return _sent(opened)


@router.get(f"{_PATH}/state", openapi_extra=raises(DatasetNotFoundError))
async def read_archive(version_id: UUID, actor: ActorDep, archives: Archives) -> ArchiveRead:
    """Tell how far a version's archive is, and what is in it."""
    return await archives.read(version_id, actor=actor)


@router.post(_PATH, status_code=202, openapi_extra=raises(DatasetNotFoundError))
async def make_archive(version_id: UUID, actor: ActorDep, archives: Archives) -> ArchiveRead:
    """Have a version's archive made, unless it is there or on its way; a job does it."""
    return await archives.ask(version_id, actor=actor)


@router.post(
    "/dataset-versions/{version_id}/open-test",
    openapi_extra=raises(DatasetNotFoundError, TaskRoleNeededError, errors.AnswersElsewhereError),
)
async def open_test(version_id: UUID, actor: ActorDep, archives: Archives) -> DatasetVersionRead:
    """Give out the right answers of a version for good (owners)."""
    return await archives.open_test(version_id, actor=actor)


def _sent(opened: OpenedArchive | int) -> Response:
    if isinstance(opened, int):
        return Response(status_code=416, headers={"content-range": f"bytes */{opened}"})
    headers = {
        "etag": f'"{opened.digest}"',
        "accept-ranges": "bytes",
        "content-length": str(opened.end - opened.start),
        "content-disposition": f'attachment; filename="{opened.name}"',
        # The same address gives another file once the answers are opened.
        "cache-control": "private, no-cache",
        "x-content-type-options": "nosniff",
    }
    if opened.chunks is None:
        return Response(headers=headers, media_type=_TYPE)
    if not opened.is_whole:
        last = opened.end - 1
        headers["content-range"] = f"bytes {opened.start}-{last}/{opened.size_bytes}"
    return StreamingResponse(
        opened.chunks,
        status_code=200 if opened.is_whole else 206,
        media_type=_TYPE,
        headers=headers,
    )
