"""Route of the plan for a task's next round."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.leaderboards.next_round.schemas import NextRoundQuery, NextRoundRead
from dynabench.loop.leaderboards.next_round.service import NextRoundService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Plans = Annotated[NextRoundService, Depends(provide(NextRoundService))]


@router.get(
    "/tasks/{slug}/next-round", openapi_extra=raises(TaskNotFoundError, TaskRoleNeededError)
)
async def plan_next_round(
    slug: str, actor: ActorDep, plans: Plans, query: Annotated[NextRoundQuery, Query()]
) -> NextRoundRead:
    """Say what speaks for which targets, contexts and budget of the next round (owners)."""
    return await plans.plan(slug, query, actor=actor)
