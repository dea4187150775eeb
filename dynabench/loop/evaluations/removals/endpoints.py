"""The route of removals."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.evaluations.removals.errors import ModelInUseError
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.submissions.errors import NotYourModelError

router = APIRouter(prefix="/api/v1", tags=["submissions"])

Removals = Annotated[RemovalService, Depends(provide(RemovalService))]


@router.delete(
    "/models/{model_id}",
    status_code=204,
    openapi_extra=raises(ModelNotFoundError, NotYourModelError, ModelInUseError),
)
async def delete_model(model_id: UUID, actor: ActorDep, removals: Removals) -> None:
    """Delete a model with its files, predictions and scores (its submitter, owners)."""
    await removals.delete(model_id, actor=actor)
