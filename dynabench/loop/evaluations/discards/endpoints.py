"""The route by which datasets are taken away."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError, PerturbationInUseError
from dynabench.loop.evaluations.discards.errors import DatasetInUseError
from dynabench.loop.evaluations.discards.service import DiscardService
from dynabench.loop.tasks.errors import TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Discards = Annotated[DiscardService, Depends(provide(DiscardService))]


@router.delete(
    "/dataset-versions/{version_id}",
    status_code=204,
    openapi_extra=raises(
        DatasetNotFoundError, TaskRoleNeededError, PerturbationInUseError, DatasetInUseError
    ),
)
async def delete_dataset(version_id: UUID, actor: ActorDep, discards: Discards) -> None:
    """Delete an upload no model learned from, or a perturbed set nobody was scored on (owners).

    An upload goes with its variants and scores; snapshots keep what they froze.
    """
    await discards.discard(version_id, actor=actor)
