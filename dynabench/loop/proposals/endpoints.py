"""Routes of proposals."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.kit.paging import Cursor, Page
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.proposals import errors
from dynabench.loop.proposals.schemas import (
    ProposalCreate,
    ProposalDecision,
    ProposalPatch,
    ProposalRead,
    ProposalSummaryRead,
)
from dynabench.loop.proposals.service import ProposalService
from dynabench.loop.proposals.values import ProposalStatus
from dynabench.loop.tasks.errors import ConfigInvalidError, SlugTakenError
from dynabench.people.errors import AdminNeededError

router = APIRouter(prefix="/api/v1", tags=["proposals"])

Proposals = Annotated[ProposalService, Depends(provide(ProposalService))]


@router.get("/proposals")
async def list_proposals(
    actor: ActorDep,
    proposals: Proposals,
    status: ProposalStatus | None = None,
    cursor: Cursor = None,
) -> Page[ProposalSummaryRead]:
    """List proposed tasks, newest first: the reader's, for administrators everybody's."""
    return await proposals.list(actor=actor, status=status, cursor=cursor)


@router.post(
    "/proposals",
    status_code=201,
    openapi_extra=raises(ConfigInvalidError, SlugTakenError, errors.TooManyProposalsError),
)
async def propose_task(
    body: ProposalCreate, actor: ActorDep, proposals: Proposals, key: RequestKeyDep
) -> ProposalRead:
    """Propose a task to the administrators (whoever is signed in)."""
    return await proposals.propose(body, actor=actor, key=key)


@router.get("/proposals/{proposal_id}", openapi_extra=raises(errors.ProposalNotFoundError))
async def read_proposal(proposal_id: UUID, actor: ActorDep, proposals: Proposals) -> ProposalRead:
    """Show a proposal and what was said about it (its author and administrators)."""
    return await proposals.read(proposal_id, actor=actor)


@router.patch(
    "/proposals/{proposal_id}",
    openapi_extra=raises(
        errors.ProposalNotFoundError,
        errors.ProposalRevisedError,
        errors.ProposalStateError,
        errors.TooManyProposalsError,
        ConfigInvalidError,
        SlugTakenError,
    ),
)
async def revise_proposal(
    proposal_id: UUID, body: ProposalPatch, actor: ActorDep, proposals: Proposals
) -> ProposalRead:
    """Propose another text, which waits for a decision again (its author)."""
    return await proposals.revise(proposal_id, body, actor=actor)


@router.post(
    "/proposals/{proposal_id}/withdrawal",
    openapi_extra=raises(errors.ProposalNotFoundError, errors.ProposalStateError),
)
async def withdraw_proposal(
    proposal_id: UUID, actor: ActorDep, proposals: Proposals
) -> ProposalRead:
    """Take a proposal back; a revision would propose it again (its author)."""
    return await proposals.withdraw(proposal_id, actor=actor)


@router.post(
    "/proposals/{proposal_id}/decisions",
    status_code=201,
    openapi_extra=raises(
        AdminNeededError,
        errors.ProposalNotFoundError,
        errors.ProposalReasonNeededError,
        errors.ProposalRevisedError,
        errors.ProposalStateError,
        ConfigInvalidError,
        SlugTakenError,
    ),
)
async def decide_proposal(
    proposal_id: UUID,
    body: ProposalDecision,
    actor: ActorDep,
    proposals: Proposals,
    key: RequestKeyDep,
) -> ProposalRead:
    """Accept a proposal as a draft task, ask for changes or reject it (administrators)."""
    return await proposals.decide(proposal_id, body, actor=actor, key=key)
