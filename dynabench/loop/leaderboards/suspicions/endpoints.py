"""Routes of suspected errors."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.paging import BadCursorError, Cursor
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.leaderboards.suspicions.errors import OwnSuspicionError, SuspicionNotFoundError
from dynabench.loop.leaderboards.suspicions.schemas import (
    SuspicionPage,
    SuspicionRead,
    SuspicionSettle,
)
from dynabench.loop.leaderboards.suspicions.service import SuspicionService
from dynabench.loop.leaderboards.suspicions.values import SuspicionState
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.tasks.errors import TaskRoleNeededError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Suspicions = Annotated[SuspicionService, Depends(provide(SuspicionService))]


@router.get(
    "/rounds/{round_id}/suspected-errors",
    openapi_extra=raises(RoundNotFoundError, TaskRoleNeededError, BadCursorError),
)
async def list_suspected_errors(
    round_id: UUID,
    actor: ActorDep,
    suspicions: Suspicions,
    state: SuspicionState = SuspicionState.OPEN,
    cursor: Cursor = None,
) -> SuspicionPage:
    """List released examples whose gold answer may be wrong, oldest first (owners, experts)."""
    return await suspicions.list(round_id, state=state, cursor=cursor, actor=actor)


@router.post(
    "/examples/{example_id}/suspected-error",
    openapi_extra=raises(SuspicionNotFoundError, OwnSuspicionError),
)
async def settle_suspected_error(
    example_id: UUID, body: SuspicionSettle, actor: ActorDep, suspicions: Suspicions
) -> SuspicionRead:
    """Say whether a suspected gold answer is right; the release stays (owners, experts)."""
    return await suspicions.settle(example_id, body, actor=actor)
