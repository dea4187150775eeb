"""Decisions about proposals: what may happen next."""

from dynabench.loop.proposals.errors import (
    ProposalReasonNeededError,
    ProposalRevisedError,
    ProposalStateError,
)
from dynabench.loop.proposals.values import WAITING, Decision, ProposalStatus, ProposalSummary

_REVISABLE = WAITING | {ProposalStatus.WITHDRAWN}


def require_decidable(proposal: ProposalSummary, *, revision: int) -> None:
    """Refuse to decide what does not wait, or a text that is no longer the proposed one.

    A proposal of which changes were asked may still be accepted as it is, or rejected.

    Raises:
        ProposalStateError: If it was decided or withdrawn.
        ProposalRevisedError: If its author has revised it.
    """
    _require_revision(proposal, revision)
    if proposal.status not in WAITING:
        raise ProposalStateError(status=proposal.status, wanted="waiting for a decision")


def require_reason(decision: Decision, text: str) -> None:
    """Refuse to turn a proposal down without a word.

    Raises:
        ProposalReasonNeededError: If there is none.
    """
    if decision is not Decision.ACCEPTED and not text.strip():
        raise ProposalReasonNeededError


def require_revisable(proposal: ProposalSummary, *, revision: int) -> None:
    """Refuse to revise what is decided, or over a revision that the author has not seen.

    What was withdrawn may be revised, and is proposed again by that.

    Raises:
        ProposalStateError: If it was accepted or rejected.
        ProposalRevisedError: If it was revised from elsewhere.
    """
    _require_revision(proposal, revision)
    if proposal.status not in _REVISABLE:
        raise ProposalStateError(status=proposal.status, wanted="neither accepted nor rejected")


def require_withdrawable(proposal: ProposalSummary) -> None:
    """Refuse to withdraw what is decided.

    Raises:
        ProposalStateError: If it was accepted or rejected.
    """
    if proposal.status not in WAITING:
        raise ProposalStateError(status=proposal.status, wanted="waiting for a decision")


def _require_revision(proposal: ProposalSummary, revision: int) -> None:
    if proposal.revision != revision:
        raise ProposalRevisedError(revision=revision, current=proposal.revision)
