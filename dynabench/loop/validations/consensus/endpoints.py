"""Route of what a round's votes say together."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.validations.consensus.schemas import ConsensusRead
from dynabench.loop.validations.consensus.service import ConsensusService

router = APIRouter(prefix="/api/v1", tags=["validations"])

Consensuses = Annotated[ConsensusService, Depends(provide(ConsensusService))]


@router.get(
    "/rounds/{round_id}/consensus", openapi_extra=raises(RoundNotFoundError, TaskRoleNeededError)
)
async def read_consensus(round_id: UUID, actor: ActorDep, consensus: Consensuses) -> ConsensusRead:
    """Show labels by Dawid-Skene beside the majority's, and how each validator votes (owners)."""
    return await consensus.of_round(round_id, actor=actor)
