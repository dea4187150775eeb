"""Routes of the preference board."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.leaderboards.preferences.schemas import PreferenceBoardRead
from dynabench.loop.leaderboards.preferences.service import PreferenceService
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Preferences = Annotated[PreferenceService, Depends(provide(PreferenceService))]


@router.get(
    "/tasks/{slug}/preferences", openapi_extra=raises(TaskNotFoundError, RoundNotFoundError)
)
async def read_preferences(
    slug: str,
    actor: ActorDep,
    preferences: Preferences,
    round_number: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> PreferenceBoardRead:
    """Read how strong models are by which of their replies people chose."""
    return await preferences.board(slug, actor=actor, round_number=round_number)
