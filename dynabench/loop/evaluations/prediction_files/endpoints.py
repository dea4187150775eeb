"""Routes of prediction files."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request

from dynabench.engines.jobs.errors import JobTimeError
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.evaluations.prediction_files import errors
from dynabench.loop.evaluations.prediction_files.schemas import PredictionFileRead
from dynabench.loop.evaluations.prediction_files.service import PredictionFileService
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.submissions.errors import (
    ArtifactFormatError,
    ArtifactTooLargeError,
    FilesQuotaError,
    NotYourModelError,
    StorageFullError,
    UploadsBusyError,
)

router = APIRouter(prefix="/api/v1", tags=["submissions"])

PredictionFiles = Annotated[PredictionFileService, Depends(provide(PredictionFileService))]

_UPLOAD = {
    "requestBody": {
        "required": True,
        "description": 'One object a line: {"uid": "…", …the output fields}.',
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.put(
    "/models/{model_id}/predictions/{dataset_version_id}",
    openapi_extra=raises(
        ModelNotFoundError,
        DatasetNotFoundError,
        NotYourModelError,
        ArtifactTooLargeError,
        ArtifactFormatError,
        StorageFullError,
        FilesQuotaError,
        JobTimeError,
        UploadsBusyError,
        errors.NotPredictionsError,
        errors.PredictionsThereError,
        errors.PredictionFileError,
    )
    | _UPLOAD,
)
async def upload_predictions(
    model_id: UUID,
    dataset_version_id: UUID,
    request: Request,
    actor: ActorDep,
    files: PredictionFiles,
    content_length: Annotated[int | None, Header(include_in_schema=False)] = None,
) -> PredictionFileRead:
    """Hand in a model's answers to a dataset version; they are scored at once."""
    return await files.upload(
        model_id,
        dataset_version_id,
        chunks=request.stream(),
        announced_bytes=content_length,
        actor=actor,
    )
