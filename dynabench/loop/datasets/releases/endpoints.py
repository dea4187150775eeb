"""Routes of releases."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.datasets import errors
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.releases.schemas import (
    ReleaseOrderRead,
    ReleasePlanQuery,
    ReleasePlanRead,
)
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.models.errors import ModelNotReadyError
from dynabench.loop.rounds.errors import (
    AnotherRoundOpenError,
    JudgeMissingError,
    RoundNotFoundError,
    RoundNotReopenedError,
    RoundSettingsError,
    RoundStateError,
)
from dynabench.loop.rounds.schemas import RoundRead, RoundReopen
from dynabench.loop.tasks.errors import TaskRoleNeededError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["datasets"])

Desk = Annotated[ReleaseDesk, Depends(provide(ReleaseDesk))]


@router.get(
    "/rounds/{round_id}/release-plan",
    openapi_extra=raises(
        RoundNotFoundError, RoundStateError, TaskRoleNeededError, errors.SplitSharesError
    ),
)
async def read_release_plan(
    round_id: UUID,
    actor: ActorDep,
    desk: Desk,
    query: Annotated[ReleasePlanQuery, Query()],
) -> ReleasePlanRead:
    """Show what a release would hold if it were made now, and what it lacks (owners)."""
    return await desk.plan(round_id, query, actor=actor)


@router.post(
    "/rounds/{round_id}/release",
    status_code=202,
    openapi_extra=raises(
        RoundNotFoundError,
        RoundStateError,
        TaskRoleNeededError,
        errors.SplitSharesError,
        errors.NothingToReleaseError,
        errors.ReleaseIncompleteError,
    ),
)
async def release_round(
    round_id: UUID, body: ReleaseRequest, actor: ActorDep, desk: Desk, key: RequestKeyDep
) -> JobRead:
    """Freeze a closed round as a dataset with train, dev and test splits (owners).

    The job's result names the dataset version. Where verdicts are open and waited for it
    says how many in `waits_for`; another job releases the round when they are in.
    """
    return await desk.release(round_id, body, actor=actor, key=key)


@router.post(
    "/rounds/{round_id}/reopen",
    openapi_extra=raises(
        RoundNotFoundError,
        RoundStateError,
        RoundSettingsError,
        RoundNotReopenedError,
        AnotherRoundOpenError,
        JudgeMissingError,
        ModelNotReadyError,
        TaskStateError,
        TaskRoleNeededError,
    ),
)
async def reopen_round(round_id: UUID, body: RoundReopen, actor: ActorDep, desk: Desk) -> RoundRead:
    """Collect again in a closed round; a release of it that waits is given up (owners)."""
    return await desk.reopen(round_id, body, actor=actor)


@router.get(
    "/rounds/{round_id}/release-order",
    openapi_extra=raises(RoundNotFoundError, TaskRoleNeededError),
)
async def read_release_order(
    round_id: UUID, actor: ActorDep, desk: Desk
) -> ReleaseOrderRead | None:
    """Show the release of a round that waits for verdicts; null if none does (owners)."""
    return await desk.waiting(round_id, actor=actor)


@router.delete(
    "/rounds/{round_id}/release-order",
    status_code=204,
    openapi_extra=raises(RoundNotFoundError, TaskRoleNeededError, errors.ReleaseOrderNotFoundError),
)
async def cancel_release_order(round_id: UUID, actor: ActorDep, desk: Desk) -> None:
    """Release a round no more when its verdicts are in (owners)."""
    await desk.cancel(round_id, actor=actor)
