from datetime import UTC, datetime

import pytest

from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.ids import new_id
from dynabench.loop.proposals.errors import (
    ProposalReasonNeededError,
    ProposalRevisedError,
    ProposalStateError,
)
from dynabench.loop.proposals.permissions import is_author, may_see
from dynabench.loop.proposals.rules import (
    require_decidable,
    require_reason,
    require_revisable,
    require_withdrawable,
)
from dynabench.loop.proposals.values import Decision, ProposalStatus, ProposalSummary

_NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
_AUTHOR = Actor(user_id=new_id(), username="ada")
_ADMIN = Actor(user_id=new_id(), username="root", is_admin=True)
_OTHER = Actor(user_id=new_id(), username="ben")


def _proposal(
    status: ProposalStatus = ProposalStatus.OPEN, *, revision: int = 2
) -> ProposalSummary:
    assert _AUTHOR.user_id is not None
    return ProposalSummary(
        id=new_id(),
        slug="nli",
        revision=revision,
        reason="To see.",
        status=status,
        proposed_by_id=_AUTHOR.user_id,
        proposed_by="ada",
        task_slug=None,
        created_at=_NOON,
        updated_at=_NOON,
    )


def _is_refused(deed: str, status: ProposalStatus) -> bool:
    proposal = _proposal(status)
    try:
        if deed == "decide":
            require_decidable(proposal, revision=2)
        elif deed == "revise":
            require_revisable(proposal, revision=2)
        else:
            require_withdrawable(proposal)
    except ProposalStateError:
        return True
    return False


def test_what_may_happen_next_follows_from_the_status() -> None:
    may = {
        status: [deed for deed in ("decide", "revise", "withdraw") if not _is_refused(deed, status)]
        for status in ProposalStatus
    }

    assert may == {
        ProposalStatus.OPEN: ["decide", "revise", "withdraw"],
        ProposalStatus.CHANGES_ASKED: ["decide", "revise", "withdraw"],
        ProposalStatus.ACCEPTED: [],
        ProposalStatus.REJECTED: [],
        ProposalStatus.WITHDRAWN: ["revise"],
    }


@pytest.mark.parametrize("revision", [1, 3])
def test_a_word_about_another_revision_is_refused(revision: int) -> None:
    with pytest.raises(ProposalRevisedError):
        require_decidable(_proposal(), revision=revision)
    with pytest.raises(ProposalRevisedError):
        require_revisable(_proposal(), revision=revision)


def test_only_accepting_goes_without_a_reason() -> None:
    require_reason(Decision.ACCEPTED, "")
    require_reason(Decision.REJECTED, "Not ours.")
    for decision in (Decision.REJECTED, Decision.CHANGES_ASKED):
        with pytest.raises(ProposalReasonNeededError):
            require_reason(decision, " \n")


def test_a_proposal_is_its_authors_and_the_administrators() -> None:
    everybody = [VISITOR, _OTHER, _AUTHOR, _ADMIN]
    assert [may_see(_proposal(), one) for one in everybody] == [False, False, True, True]
    assert [is_author(_proposal(), one) for one in everybody] == [False, False, True, False]
