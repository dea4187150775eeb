"""Routes of datasets."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from dynabench.kit.paging import PageSize
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets import errors
from dynabench.loop.datasets.schemas import (
    DatasetItemRead,
    DatasetPatch,
    DatasetVersionRead,
)
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, Split
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError
from dynabench.science.texts.wire_texts import OneLine

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Datasets = Annotated[DatasetService, Depends(provide(DatasetService))]


@router.get("/tasks/{slug}/datasets", openapi_extra=raises(TaskNotFoundError))
async def list_datasets(
    slug: str,
    actor: ActorDep,
    datasets: Datasets,
    search: Annotated[OneLine, Query(max_length=100)] = "",
    access: DatasetAccess | None = None,
    origin: DatasetOrigin | None = None,
) -> list[DatasetVersionRead]:
    """List the dataset versions of a task, newest first; hidden ones to its owners."""
    return await datasets.list(slug, actor=actor, search=search, access=access, origin=origin)


@router.get("/dataset-versions/{version_id}", openapi_extra=raises(errors.DatasetNotFoundError))
async def read_dataset(version_id: UUID, actor: ActorDep, datasets: Datasets) -> DatasetVersionRead:
    """Show a dataset version."""
    return await datasets.read(version_id, actor=actor)


@router.patch(
    "/dataset-versions/{version_id}",
    openapi_extra=raises(
        errors.DatasetNotFoundError, TaskRoleNeededError, errors.PerturbationTooOpenError
    ),
)
async def change_dataset(
    version_id: UUID, body: DatasetPatch, actor: ActorDep, datasets: Datasets
) -> DatasetVersionRead:
    """Change who sees what of a dataset, and what is said of it (owners)."""
    return await datasets.change(version_id, body, actor=actor)


@router.get(
    "/dataset-versions/{version_id}/items", openapi_extra=raises(errors.DatasetNotFoundError)
)
async def list_items(
    version_id: UUID,
    actor: ActorDep,
    datasets: Datasets,
    split: Split = Split.TEST,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    limit: PageSize = 20,
) -> list[DatasetItemRead]:
    """Show items of a split behind a position; gold is null where it is withheld."""
    return await datasets.items(version_id, split=split, after=after, limit=limit, actor=actor)


@router.get(
    "/dataset-versions/{version_id}/splits/{split}",
    openapi_extra=raises(errors.DatasetNotFoundError),
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def download_split(
    version_id: UUID, split: str, actor: ActorDep, datasets: Datasets
) -> StreamingResponse:
    """Download one split as JSON lines; gold that scores on the board is withheld."""
    lines = await datasets.download(version_id, split=split, actor=actor)
    return StreamingResponse(lines, media_type="application/x-ndjson")
