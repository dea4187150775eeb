"""Routes of errata."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.leaderboards.errata.schemas import ErrataRead
from dynabench.loop.leaderboards.errata.service import ErrataService

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Errata = Annotated[ErrataService, Depends(provide(ErrataService))]


@router.get("/dataset-versions/{version_id}/errata", openapi_extra=raises(DatasetNotFoundError))
async def read_errata(version_id: UUID, actor: ActorDep, errata: Errata) -> ErrataRead:
    """Show which of a dataset's right answers experts found wrong; the dataset stays as it is."""
    return await errata.of_version(version_id, actor=actor)
