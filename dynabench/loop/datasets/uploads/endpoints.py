"""Routes of uploaded datasets."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets import errors
from dynabench.loop.datasets.uploads.schemas import (
    DatasetCreate,
    DatasetFileRead,
    DatasetImportRead,
)
from dynabench.loop.datasets.uploads.service import UploadService
from dynabench.loop.models.submissions.errors import FilesQuotaError, StorageFullError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Uploads = Annotated[UploadService, Depends(provide(UploadService))]

_OWNING = (TaskNotFoundError, TaskRoleNeededError, TaskStateError)
_UPLOAD = {
    "requestBody": {
        "required": True,
        "description": "The file's bytes: JSON lines, CSV or Parquet.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "/tasks/{slug}/dataset-files",
    status_code=201,
    openapi_extra=raises(
        *_OWNING,
        errors.DatasetFileTooLargeError,
        errors.DatasetUploadsBusyError,
        FilesQuotaError,
        StorageFullError,
    )
    | _UPLOAD,
)
async def upload_dataset_file(
    slug: str,
    request: Request,
    actor: ActorDep,
    uploads: Uploads,
    content_length: Annotated[int | None, Header(ge=0, include_in_schema=False)] = None,
) -> DatasetFileRead:
    """Send a file of items; the digest that comes back names it for a week (owners)."""
    return await uploads.keep_file(
        slug, chunks=request.stream(), announced_bytes=content_length, actor=actor
    )


@router.post(
    "/tasks/{slug}/datasets",
    status_code=202,
    openapi_extra=raises(
        *_OWNING,
        errors.DatasetFileMissingError,
        errors.ColumnMapError,
        errors.DatasetNameTakenError,
    ),
)
async def create_dataset(
    slug: str, body: DatasetCreate, actor: ActorDep, uploads: Uploads, key: RequestKeyDep
) -> JobRead:
    """Check a sent file and store it as a dataset's next version (owners); a job does it."""
    return await uploads.create(slug, body, actor=actor, key=key)


@router.get("/dataset-imports/{job_id}", openapi_extra=raises(errors.ReportNotFoundError))
async def read_import(job_id: UUID, actor: ActorDep, uploads: Uploads) -> DatasetImportRead:
    """Tell what became of a file, once its job is done (owners)."""
    return await uploads.report(job_id, actor=actor)
