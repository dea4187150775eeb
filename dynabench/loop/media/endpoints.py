"""Routes of pictures and sounds."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import StreamingResponse

from dynabench.engines.media.errors import (
    MediaFetchError,
    MediaInspectionError,
    MediaRefusedError,
    MediaTooLargeError,
)
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.media.errors import MediaBusyError, MediaNotFoundError, MediaQuotaError
from dynabench.loop.media.schemas import MediaFetch, MediaRead
from dynabench.loop.media.service import MediaService
from dynabench.loop.media.values import OpenedMedia
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["media"])

Media = Annotated[MediaService, Depends(provide(MediaService))]
RangeHeader = Annotated[str | None, Header(alias="range")]

_BRINGING = (
    TaskNotFoundError,
    TaskStateError,
    TaskRoleNeededError,
    MediaRefusedError,
    MediaQuotaError,
    MediaBusyError,
    MediaInspectionError,
)
_UPLOAD = {
    "requestBody": {
        "required": True,
        "description": "The file's bytes; its content says what it is.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_BYTES: dict[str, object] = {
    "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
    "description": "The file's bytes.",
}
# A digest names the same bytes for ever. Nothing in them runs, whoever opens them where.
_HEADERS = {
    "cache-control": "private, max-age=31536000, immutable",
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": "inline",
}


@router.post("/tasks/{slug}/media", openapi_extra=raises(*_BRINGING, MediaTooLargeError) | _UPLOAD)
async def upload_media(slug: str, request: Request, actor: ActorDep, media: Media) -> MediaRead:
    """Store a picture or a sound for a task (annotators); the same file gives the same digest."""
    return await media.upload(slug, chunks=request.stream(), actor=actor)


@router.post("/tasks/{slug}/media/fetch", openapi_extra=raises(*_BRINGING, MediaFetchError))
async def fetch_media(slug: str, body: MediaFetch, actor: ActorDep, media: Media) -> MediaRead:
    """Have the server fetch a picture or a sound and store it (annotators)."""
    return await media.fetch(slug, body.url, actor=actor)


@router.get("/media/{digest}/facts", openapi_extra=raises(MediaNotFoundError))
async def read_media(digest: str, media: Media) -> MediaRead:
    """Tell what a stored file is."""
    return await media.read(digest)


@router.get(
    "/media/{digest}",
    response_class=StreamingResponse,
    responses={200: _BYTES, 206: {**_BYTES, "description": "The bytes that `Range` names."}},
    openapi_extra=raises(MediaNotFoundError),
)
async def download_media(digest: str, media: Media, range_: RangeHeader = None) -> Response:
    """Send a stored file; who knows its digest may read it."""
    opened = await media.open(digest, range_header=range_)
    if opened is None:
        size = (await media.read(digest)).size_bytes
        return Response(status_code=416, headers={"content-range": f"bytes */{size}"})
    return _sent(opened, etag=digest)


@router.get(
    "/media/{digest}/thumbnail",
    response_class=StreamingResponse,
    responses={200: _BYTES},
    openapi_extra=raises(MediaNotFoundError),
)
async def download_thumbnail(digest: str, media: Media) -> Response:
    """Send a picture in at most 480 × 480 pixels."""
    return _sent(await media.open_thumbnail(digest), etag=f"{digest}-thumbnail")


def _sent(opened: OpenedMedia, *, etag: str) -> Response:
    headers = {
        **_HEADERS,
        "etag": f'"{etag}"',
        "accept-ranges": "bytes",
        "content-length": str(opened.end - opened.start),
    }
    if not opened.is_whole:
        last = opened.end - 1
        headers["content-range"] = f"bytes {opened.start}-{last}/{opened.size_bytes}"
    return StreamingResponse(
        opened.chunks,
        status_code=200 if opened.is_whole else 206,
        media_type=opened.media_type,
        headers=headers,
    )
