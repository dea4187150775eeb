"""Who may see a round."""

from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def can_see(round_: Round, *, role: TaskRole | None) -> bool:
    """Tell whether the round exists for somebody: drafts do for the task's owners only."""
    return may_own(role) or round_.status is not RoundStatus.DRAFT
