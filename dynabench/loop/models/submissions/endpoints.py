"""Routes of submissions."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request

from dynabench.engines.jobs.errors import JobTimeError
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.models.errors import (
    ModelCheckFailedError,
    ModelKindError,
    ModelNotFoundError,
    ModelNotReadyError,
    ModelOptionsError,
    PrivateAddressError,
)
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.submissions import errors
from dynabench.loop.models.submissions.care.service import CareService
from dynabench.loop.models.submissions.schemas import ModelPatch, SubmissionCreate
from dynabench.loop.models.submissions.service import SubmissionService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["submissions"])

Submissions = Annotated[SubmissionService, Depends(provide(SubmissionService))]
Care = Annotated[CareService, Depends(provide(CareService))]

_UPLOAD = {
    "requestBody": {
        "required": True,
        "description": "The file's bytes: a zip or tar.gz archive, or an .onnx file.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post(
    "/tasks/{slug}/submissions",
    status_code=201,
    openapi_extra=raises(
        TaskNotFoundError,
        TaskStateError,
        ModelOptionsError,
        ModelKindError,
        ModelCheckFailedError,
        PrivateAddressError,
        errors.CodeRefusedError,
        errors.NameTakenError,
        errors.SameModelError,
        errors.TooManyWaitingError,
        errors.DailyLimitError,
        JobTimeError,
    ),
)
async def submit_model(
    slug: str,
    body: SubmissionCreate,
    actor: ActorDep,
    submissions: Submissions,
    key: RequestKeyDep,
) -> ModelRead:
    """Hand a model in; what has files is checked once they have arrived."""
    return await submissions.create(slug, body, actor=actor, key=key)


@router.put(
    "/models/{model_id}/artifact",
    status_code=202,
    openapi_extra=raises(
        ModelNotFoundError,
        errors.NotYourModelError,
        errors.NoArtifactError,
        errors.ArtifactThereError,
        errors.ArtifactTooLargeError,
        errors.ArtifactFormatError,
        errors.StorageFullError,
        errors.FilesQuotaError,
        errors.UploadsBusyError,
    )
    | _UPLOAD,
)
async def upload_artifact(
    model_id: UUID,
    request: Request,
    actor: ActorDep,
    submissions: Submissions,
    content_length: Annotated[int | None, Header(include_in_schema=False)] = None,
) -> ModelRead:
    """Upload a model's files; its check is queued."""
    return await submissions.upload(
        model_id, chunks=request.stream(), announced_bytes=content_length, actor=actor
    )


@router.patch(
    "/models/{model_id}",
    openapi_extra=raises(
        ModelNotFoundError,
        ModelNotReadyError,
        errors.NotYourModelError,
        errors.CardIncompleteError,
    ),
)
async def change_model(model_id: UUID, body: ModelPatch, actor: ActorDep, care: Care) -> ModelRead:
    """Change what is said of a model, publish or withdraw it (its submitter)."""
    return await care.change(model_id, body, actor=actor)


@router.post(
    "/models/{model_id}/retry",
    status_code=202,
    openapi_extra=raises(
        ModelNotFoundError,
        errors.NotYourModelError,
        errors.NothingToRetryError,
        errors.TooManyWaitingError,
        errors.DailyLimitError,
        JobTimeError,
    ),
)
async def retry_model(model_id: UUID, actor: ActorDep, care: Care) -> ModelRead:
    """Check a model again that was rejected, or whose check could not be done."""
    return await care.retry(model_id, actor=actor)


@router.get(
    "/models/{model_id}/log",
    openapi_extra=raises(ModelNotFoundError, errors.NotYourModelError),
)
async def read_model_log(model_id: UUID, actor: ActorDep, care: Care) -> list[str]:
    """Show the log of a model's check, oldest line first (its submitter)."""
    return await care.log(model_id, actor=actor)
