"""Routes of evaluations."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.engines.jobs.errors import JobTimeError
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.evaluations.errors import (
    EvaluationNotFoundError,
    EvaluationStateError,
    TooManyRetriesError,
)
from dynabench.loop.evaluations.schemas import EvaluationCreate, EvaluationRead, ScoreRead
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.views.service import EvaluationViews
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["evaluations"])

Evaluations = Annotated[EvaluationService, Depends(provide(EvaluationService))]
Views = Annotated[EvaluationViews, Depends(provide(EvaluationViews))]


@router.get("/tasks/{slug}/scores", openapi_extra=raises(TaskNotFoundError))
async def list_scores(slug: str, actor: ActorDep, evaluations: Evaluations) -> list[ScoreRead]:
    """List the scores of every model of a task on every dataset."""
    return await evaluations.scores(slug, actor=actor)


@router.post(
    "/models/{model_id}/evaluations",
    status_code=202,
    openapi_extra=raises(
        ModelNotFoundError, ModelNotReadyError, DatasetNotFoundError, JobTimeError
    ),
)
async def evaluate_model(
    model_id: UUID,
    body: EvaluationCreate,
    actor: ActorDep,
    evaluations: Evaluations,
    key: RequestKeyDep,
) -> JobRead:
    """Score a model on a dataset version (owners)."""
    return await evaluations.evaluate(model_id, body, actor=actor, key=key)


@router.get("/models/{model_id}/evaluations", openapi_extra=raises(ModelNotFoundError))
async def list_evaluations(
    model_id: UUID, actor: ActorDep, evaluations: Views
) -> list[EvaluationRead]:
    """List a model's evaluations, newest dataset first."""
    return await evaluations.of_model(model_id, actor=actor)


@router.get(
    "/evaluations/{evaluation_id}",
    openapi_extra=raises(EvaluationNotFoundError, ModelNotFoundError),
)
async def read_evaluation(
    evaluation_id: UUID, actor: ActorDep, evaluations: Views
) -> EvaluationRead:
    """Show an evaluation, its progress and its results."""
    return await evaluations.read(evaluation_id, actor=actor)


@router.get(
    "/evaluations/{evaluation_id}/log",
    openapi_extra=raises(EvaluationNotFoundError, ModelNotFoundError),
)
async def read_evaluation_log(
    evaluation_id: UUID, actor: ActorDep, evaluations: Views
) -> list[str]:
    """List what an evaluation and its model have written (its submitter, owners)."""
    return await evaluations.log(evaluation_id, actor=actor)


@router.post(
    "/evaluations/{evaluation_id}/retry",
    status_code=202,
    openapi_extra=raises(
        EvaluationNotFoundError,
        EvaluationStateError,
        ModelNotFoundError,
        ModelNotReadyError,
        TooManyRetriesError,
        JobTimeError,
    ),
)
async def retry_evaluation(
    evaluation_id: UUID, actor: ActorDep, evaluations: Evaluations
) -> EvaluationRead:
    """Go on with an evaluation that failed or was cancelled (its submitter, owners)."""
    return await evaluations.retry(evaluation_id, actor=actor)


@router.post(
    "/evaluations/{evaluation_id}/cancel",
    openapi_extra=raises(EvaluationNotFoundError, EvaluationStateError, ModelNotFoundError),
)
async def cancel_evaluation(
    evaluation_id: UUID, actor: ActorDep, evaluations: Evaluations
) -> EvaluationRead:
    """End an evaluation that waits or runs (its submitter, owners)."""
    return await evaluations.cancel(evaluation_id, actor=actor)
