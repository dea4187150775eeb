"""Routes of scales."""

from typing import Annotated

from fastapi import APIRouter, Depends

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.leaderboards.scales.schemas import ScaleRead
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Scales = Annotated[ScaleService, Depends(provide(ScaleService))]


@router.get("/tasks/{slug}/scale", openapi_extra=raises(TaskNotFoundError))
async def read_scale(slug: str, actor: ActorDep, scales: Scales) -> ScaleRead:
    """Show models and rounds on one scale, and how well each round tells models apart."""
    return await scales.read(slug, actor=actor)


@router.post(
    "/tasks/{slug}/scale",
    status_code=202,
    openapi_extra=raises(TaskNotFoundError, TaskRoleNeededError),
)
async def recompute_scale(
    slug: str, actor: ActorDep, scales: Scales, key: RequestKeyDep
) -> JobRead:
    """Ask for the scale to be computed anew (owners)."""
    return await scales.recompute(slug, actor=actor, key=key)
