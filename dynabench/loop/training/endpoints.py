"""Routes of training."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response

from dynabench.engines.baselines.errors import RecipeOptionsError
from dynabench.engines.finetuning.errors import CheckpointError
from dynabench.engines.jobs.errors import JobFinishedError, JobTimeError
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.runners.errors import RunnerNotInstalledError
from dynabench.kit.streams import EventStream, LastEventId, StreamsDep, TooManyStreamsError
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.training import errors
from dynabench.loop.training.schemas import (
    RecipeRead,
    TrainingPlanRead,
    TrainingRead,
    TrainingRequest,
)
from dynabench.loop.training.service import TrainingService

router = APIRouter(prefix="/api/v1", tags=["training"])

Training = Annotated[TrainingService, Depends(provide(TrainingService))]

_REFUSALS = (
    TaskNotFoundError,
    DatasetNotFoundError,
    RecipeOptionsError,
    CheckpointError,
    errors.RecipeUnknownError,
    errors.TrainingSourceError,
)


@router.get("/tasks/{slug}/recipes", openapi_extra=raises(TaskNotFoundError))
async def list_recipes(slug: str, actor: ActorDep, training: Training) -> list[RecipeRead]:
    """List the recipes that fit a task, with what can be set of each."""
    return await training.recipes(slug, actor=actor)


@router.post(
    "/tasks/{slug}/trainings",
    status_code=202,
    openapi_extra=raises(
        *_REFUSALS,
        errors.NoTrainingDataError,
        errors.TrainingTooLargeError,
        JobTimeError,
        RunnerNotInstalledError,
    ),
)
async def train(
    slug: str, body: TrainingRequest, actor: ActorDep, training: Training, key: RequestKeyDep
) -> JobRead:
    """Train a model on starter data and releases; it becomes a model of the task (owners)."""
    return await training.train(slug, body, actor=actor, key=key)


@router.post("/tasks/{slug}/training-plan", openapi_extra=raises(*_REFUSALS))
async def plan_training(
    slug: str, body: TrainingRequest, actor: ActorDep, training: Training
) -> TrainingPlanRead:
    """Count what a training would learn from, and start nothing (owners)."""
    return await training.plan(slug, body, actor=actor)


@router.get("/tasks/{slug}/trainings", openapi_extra=raises(TaskNotFoundError))
async def list_trainings(slug: str, actor: ActorDep, training: Training) -> list[TrainingRead]:
    """List the newest fifty trainings of a task with their progress (owners)."""
    return await training.list(slug, actor=actor)


@router.get(
    "/tasks/{slug}/trainings/{training_id}/log",
    openapi_extra=raises(TaskNotFoundError, errors.TrainingNotFoundError),
)
async def read_training_log(
    slug: str, training_id: UUID, actor: ActorDep, training: Training
) -> list[str]:
    """Show what a training has logged, oldest line first (owners)."""
    return await training.log(slug, training_id, actor=actor)


@router.get(
    "/tasks/{slug}/trainings/{training_id}/live",
    openapi_extra=raises(TaskNotFoundError, errors.TrainingNotFoundError, TooManyStreamsError),
    response_class=EventStream,
)
async def watch_training(
    slug: str,
    training_id: UUID,
    request: Request,
    actor: ActorDep,
    training: Training,
    streams: StreamsDep,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream a training and its log as server-sent events `training`, until it is over (owners)."""
    source = await training.watching(slug, training_id, actor=actor)
    return await streams.respond(source, request=request, actor=actor, last_id=last_event_id)


@router.post(
    "/tasks/{slug}/trainings/{training_id}/cancel",
    openapi_extra=raises(TaskNotFoundError, errors.TrainingNotFoundError, JobFinishedError),
)
async def cancel_training(
    slug: str, training_id: UUID, actor: ActorDep, training: Training
) -> TrainingRead:
    """Stop a training at once; nothing of it stays (owners)."""
    return await training.cancel(slug, training_id, actor=actor)


@router.post(
    "/tasks/{slug}/trainings/{training_id}/resume",
    status_code=202,
    openapi_extra=raises(
        TaskNotFoundError, errors.TrainingNotFoundError, errors.TrainingStateError, JobTimeError
    ),
)
async def resume_training(
    slug: str, training_id: UUID, actor: ActorDep, training: Training
) -> TrainingRead:
    """Go on with a training that failed or was cancelled, without repeating epochs (owners)."""
    return await training.resume(slug, training_id, actor=actor)
