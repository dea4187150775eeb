"""Routes of the error browser."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.evaluations.errors import EvaluationNotFoundError
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.evaluations.items.schemas import EvaluationItemPage, EvaluationItemQuery
from dynabench.loop.evaluations.items.service import ItemService

router = APIRouter(prefix="/api/v1", tags=["evaluations"])

Items = Annotated[ItemService, Depends(provide(ItemService))]


@router.get(
    "/evaluations/{evaluation_id}/items",
    openapi_extra=raises(EvaluationNotFoundError, ItemsWithheldError, CorrectnessWithheldError),
)
async def list_items(
    evaluation_id: UUID,
    actor: ActorDep,
    items: Items,
    query: Annotated[EvaluationItemQuery, Query()],
) -> EvaluationItemPage:
    """Browse what a model answered, item by item; gold only where the dataset's access allows."""
    return await items.browse(evaluation_id, query, actor=actor)
