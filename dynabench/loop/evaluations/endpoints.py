"""Routes of evaluations."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.evaluations.schemas import EvaluationCreate, ScoreRead
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["evaluations"])

Evaluations = Annotated[EvaluationService, Depends(provide(EvaluationService))]


@router.get("/tasks/{slug}/scores", openapi_extra=raises(TaskNotFoundError))
async def list_scores(slug: str, actor: ActorDep, evaluations: Evaluations) -> list[ScoreRead]:
    """List the scores of every model of a task on every dataset."""
    return await evaluations.scores(slug, actor=actor)


@router.post(
    "/models/{model_id}/evaluations",
    status_code=202,
    openapi_extra=raises(ModelNotFoundError, ModelNotReadyError, DatasetNotFoundError),
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
