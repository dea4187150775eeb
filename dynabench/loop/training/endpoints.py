"""Routes of training."""

from typing import Annotated

from fastapi import APIRouter, Depends

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.training import errors
from dynabench.loop.training.schemas import RecipeRead, TrainingRequest
from dynabench.loop.training.service import TrainingService

router = APIRouter(prefix="/api/v1", tags=["training"])

Training = Annotated[TrainingService, Depends(provide(TrainingService))]


@router.get("/tasks/{slug}/recipes", openapi_extra=raises(TaskNotFoundError))
async def list_recipes(slug: str, actor: ActorDep, training: Training) -> list[RecipeRead]:
    """List the recipes that fit a task."""
    return await training.recipes(slug, actor=actor)


@router.post(
    "/tasks/{slug}/trainings",
    status_code=202,
    openapi_extra=raises(
        TaskNotFoundError,
        DatasetNotFoundError,
        errors.RecipeUnknownError,
        errors.NoTrainingDataError,
    ),
)
async def train(
    slug: str, body: TrainingRequest, actor: ActorDep, training: Training, key: RequestKeyDep
) -> JobRead:
    """Train a model on starter data and releases; it becomes a model of the task (owners)."""
    return await training.train(slug, body, actor=actor, key=key)
