"""May this actor judge that example."""

from dynabench.kit.actor import Actor
from dynabench.loop.tasks.values import TaskRole


def can_judge(actor: Actor, *, annotator_id: object) -> bool:
    """Nobody judges an example of their own."""
    return actor.user_id is not None and actor.user_id != annotator_id


def can_judge_blind(role: TaskRole | None) -> bool:
    """Whoever can read the authors' answers does not judge without them."""
    return not can_see_votes(role)


def can_see_votes(role: TaskRole | None) -> bool:
    """Owners and experts see everyone's votes."""
    return role in {TaskRole.OWNER, TaskRole.EXPERT}
