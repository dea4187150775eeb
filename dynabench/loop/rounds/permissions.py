"""Who may see a round."""

from dynabench.kit.actor import Actor
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.values import TaskRole


def can_see(round_: Round, *, role: TaskRole | None, actor: Actor) -> bool:
    """Tell whether the actor may know of the round: drafts are their owners' alone."""
    is_owner = actor.is_admin or role is TaskRole.OWNER
    return is_owner or round_.status is not RoundStatus.DRAFT
