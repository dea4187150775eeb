"""Who may see, revise and decide a proposal."""

from dynabench.kit.actor import Actor
from dynabench.loop.proposals.values import ProposalSummary


def is_author(proposal: ProposalSummary, actor: Actor) -> bool:
    """Tell whether somebody may revise and withdraw a proposal."""
    return actor.user_id is not None and actor.user_id == proposal.proposed_by_id


def may_see(proposal: ProposalSummary, actor: Actor) -> bool:
    """Tell whether a proposal exists for somebody: its author and administrators."""
    return actor.is_admin or is_author(proposal, actor)
