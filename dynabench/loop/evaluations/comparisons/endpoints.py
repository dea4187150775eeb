"""Routes of comparisons."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.evaluations.comparisons.errors import ComparisonError
from dynabench.loop.evaluations.comparisons.schemas import (
    ComparedItemPage,
    ComparedItemQuery,
    ComparisonQuery,
    ComparisonRead,
)
from dynabench.loop.evaluations.comparisons.service import ComparisonService
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.models.errors import ModelNotFoundError

router = APIRouter(prefix="/api/v1", tags=["evaluations"])

Comparisons = Annotated[ComparisonService, Depends(provide(ComparisonService))]


@router.get(
    "/comparisons",
    openapi_extra=raises(ModelNotFoundError, DatasetNotFoundError, ComparisonError),
)
async def compare_models(
    actor: ActorDep, comparisons: Comparisons, query: Annotated[ComparisonQuery, Query()]
) -> ComparisonRead:
    """Compare two models of a task, paired by items, on every dataset or on one."""
    return await comparisons.compare(query, actor=actor)


@router.get(
    "/comparisons/items",
    openapi_extra=raises(
        ModelNotFoundError,
        DatasetNotFoundError,
        ComparisonError,
        ItemsWithheldError,
        CorrectnessWithheldError,
    ),
)
async def list_differing_items(
    actor: ActorDep, comparisons: Comparisons, query: Annotated[ComparedItemQuery, Query()]
) -> ComparedItemPage:
    """Browse the items on which two models differ, where the dataset's access allows."""
    return await comparisons.differing(query, actor=actor)
