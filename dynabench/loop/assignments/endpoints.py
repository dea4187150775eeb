"""Routes of assignments."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.assignments.errors import NoContextLeftError
from dynabench.loop.assignments.schemas import AssignmentRead, NextContextRequest
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.schemas import ContextRead
from dynabench.loop.examples.errors import RoundNotOpenError
from dynabench.loop.rounds.errors import RoundNotBegunError, RoundNotFoundError, RoundOverError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError

router = APIRouter(prefix="/api/v1", tags=["assignments"])

Assignments = Annotated[AssignmentService, Depends(provide(AssignmentService))]


@router.post(
    "/rounds/{round_id}/next-context",
    openapi_extra=raises(
        RoundNotFoundError,
        RoundNotOpenError,
        RoundNotBegunError,
        RoundOverError,
        TaskStateError,
        NoContextLeftError,
    ),
)
async def next_context(
    round_id: UUID, body: NextContextRequest, actor: ActorDep, assignments: Assignments
) -> AssignmentRead:
    """Lend the annotator the next context of a round, for 30 minutes."""
    return await assignments.next_context(round_id, body, actor=actor)


@router.put(
    "/rounds/{round_id}/contexts/{context_id}/lease",
    openapi_extra=raises(
        RoundNotFoundError,
        RoundNotOpenError,
        RoundNotBegunError,
        RoundOverError,
        TaskStateError,
        ContextNotFoundError,
    ),
)
async def renew_lease(
    round_id: UUID, context_id: UUID, actor: ActorDep, assignments: Assignments
) -> AssignmentRead:
    """Take up a context again, after a reload or a sign-in."""
    return await assignments.resume(round_id, context_id=context_id, actor=actor)


@router.get(
    "/tasks/{slug}/sample-context", openapi_extra=raises(TaskNotFoundError, NoContextLeftError)
)
async def read_sample_context(slug: str, actor: ActorDep, assignments: Assignments) -> ContextRead:
    """Show some context of a task, for playing without an account; nothing is lent."""
    return await assignments.sample(slug, actor=actor)
