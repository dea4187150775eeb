"""Routes of models."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.models import errors
from dynabench.loop.models.schemas import (
    ModelCheckRead,
    ModelCreate,
    ModelHealthRead,
    ModelRead,
)
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["models"])

Models = Annotated[ModelService, Depends(provide(ModelService))]


@router.get("/tasks/{slug}/models", openapi_extra=raises(TaskNotFoundError))
async def list_models(slug: str, actor: ActorDep, models: Models) -> list[ModelRead]:
    """List the models of a task, newest first."""
    return await models.list(slug, actor=actor)


@router.post(
    "/tasks/{slug}/models",
    status_code=201,
    openapi_extra=raises(
        TaskNotFoundError,
        errors.ModelOptionsError,
        errors.ModelKindError,
        errors.ModelCheckFailedError,
        errors.PrivateAddressError,
    ),
)
async def create_model(
    slug: str, body: ModelCreate, actor: ActorDep, models: Models, key: RequestKeyDep
) -> ModelRead:
    """Submit a model by its address; it answers a trial input before it is taken (owners)."""
    return await models.create(slug, body, actor=actor, key=key)


@router.get("/models/{model_id}", openapi_extra=raises(errors.ModelNotFoundError))
async def read_model(model_id: UUID, actor: ActorDep, models: Models) -> ModelRead:
    """Show a model."""
    return await models.read(model_id, actor=actor)


@router.get("/models/{model_id}/health", openapi_extra=raises(errors.ModelNotFoundError))
async def read_health(model_id: UUID, actor: ActorDep, models: Models) -> ModelHealthRead:
    """Tell how a target model is doing on this server (owners)."""
    return await models.health(model_id, actor=actor)


@router.post(
    "/models/{model_id}/check",
    openapi_extra=raises(errors.ModelNotFoundError, errors.ModelCheckFailedError),
)
async def check_model(model_id: UUID, actor: ActorDep, models: Models) -> ModelCheckRead:
    """Ask a model a trial input again (owners)."""
    return await models.check(model_id, actor=actor)
