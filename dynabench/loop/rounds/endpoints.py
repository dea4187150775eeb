"""Routes of rounds."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.rounds import errors
from dynabench.loop.rounds.schemas import RoundCreate, RoundPatch, RoundRead
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["rounds"])

Rounds = Annotated[RoundService, Depends(provide(RoundService))]


@router.get("/tasks/{slug}/rounds", openapi_extra=raises(TaskNotFoundError))
async def list_rounds(slug: str, actor: ActorDep, rounds: Rounds) -> list[RoundRead]:
    """List the rounds of a task, newest first; drafts only to its owners."""
    return await rounds.list(slug, actor=actor)


@router.post(
    "/tasks/{slug}/rounds",
    status_code=201,
    openapi_extra=raises(
        TaskNotFoundError, TaskStateError, errors.RoundSettingsError, ModelNotFoundError
    ),
)
async def create_round(
    slug: str, body: RoundCreate, actor: ActorDep, rounds: Rounds, key: RequestKeyDep
) -> RoundRead:
    """Create a draft round (owners)."""
    return await rounds.create(slug, body, actor=actor, key=key)


@router.get("/rounds/{round_id}", openapi_extra=raises(errors.RoundNotFoundError))
async def read_round(round_id: UUID, actor: ActorDep, rounds: Rounds) -> RoundRead:
    """Show a round."""
    return await rounds.read(round_id, actor=actor)


@router.patch(
    "/rounds/{round_id}",
    openapi_extra=raises(
        errors.RoundNotFoundError,
        errors.RoundSettingsError,
        errors.RoundStateError,
        ModelNotFoundError,
    ),
)
async def change_round(
    round_id: UUID, body: RoundPatch, actor: ActorDep, rounds: Rounds
) -> RoundRead:
    """Change a draft; of an open round only its budget, schedule and context tags (owners)."""
    return await rounds.change(round_id, body, actor=actor)


@router.post(
    "/rounds/{round_id}/open",
    openapi_extra=raises(
        errors.RoundNotFoundError,
        errors.RoundStateError,
        errors.RoundSettingsError,
        errors.AnotherRoundOpenError,
        errors.JudgeMissingError,
        ModelNotReadyError,
        TaskStateError,
    ),
)
async def open_round(round_id: UUID, actor: ActorDep, rounds: Rounds) -> RoundRead:
    """Open a draft for collection (owners)."""
    return await rounds.open(round_id, actor=actor)


@router.post(
    "/rounds/{round_id}/close",
    openapi_extra=raises(errors.RoundNotFoundError, errors.RoundStateError),
)
async def close_round(round_id: UUID, actor: ActorDep, rounds: Rounds) -> RoundRead:
    """Close a round: it takes no examples any more; votes go on (owners)."""
    return await rounds.close(round_id, actor=actor)
