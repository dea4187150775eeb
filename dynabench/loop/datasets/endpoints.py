"""Routes of datasets and releases."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets import errors
from dynabench.loop.datasets.schemas import DatasetVersionRead, ReleaseRequest
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.rounds.errors import RoundNotFoundError, RoundStateError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Datasets = Annotated[DatasetService, Depends(provide(DatasetService))]


@router.get("/tasks/{slug}/datasets", openapi_extra=raises(TaskNotFoundError))
async def list_datasets(slug: str, actor: ActorDep, datasets: Datasets) -> list[DatasetVersionRead]:
    """List the dataset versions of a task, newest first."""
    return await datasets.list(slug, actor=actor)


@router.post(
    "/rounds/{round_id}/release",
    status_code=202,
    openapi_extra=raises(RoundNotFoundError, RoundStateError, errors.NothingToReleaseError),
)
async def release_round(
    round_id: UUID, body: ReleaseRequest, actor: ActorDep, datasets: Datasets, key: RequestKeyDep
) -> JobRead:
    """Freeze a closed round as a dataset with train, dev and test splits (owners)."""
    return await datasets.release(round_id, body, actor=actor, key=key)


@router.get("/dataset-versions/{version_id}", openapi_extra=raises(errors.DatasetNotFoundError))
async def read_dataset(version_id: UUID, actor: ActorDep, datasets: Datasets) -> DatasetVersionRead:
    """Show a dataset version."""
    return await datasets.read(version_id, actor=actor)


@router.get(
    "/dataset-versions/{version_id}/splits/{split}",
    openapi_extra=raises(errors.DatasetNotFoundError),
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def download_split(
    version_id: UUID, split: str, actor: ActorDep, datasets: Datasets
) -> StreamingResponse:
    """Download one split as JSON lines; the gold of `test` is withheld."""
    lines = await datasets.download(version_id, split=split, actor=actor)
    return StreamingResponse(lines, media_type="application/x-ndjson")
