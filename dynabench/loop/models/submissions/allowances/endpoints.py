"""Route of allowances."""

from typing import Annotated

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.models.submissions.allowances.schemas import AllowanceRead
from dynabench.loop.models.submissions.allowances.service import AllowanceService
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["submissions"])

Allowances = Annotated[AllowanceService, Depends(provide(AllowanceService))]


@router.get("/tasks/{slug}/submission-allowance", openapi_extra=raises(TaskNotFoundError))
async def read_allowance(slug: str, actor: ActorDep, allowances: Allowances) -> AllowanceRead:
    """Tell what the reader may still submit today, and what this server takes."""
    return await allowances.read(slug, actor=actor)
