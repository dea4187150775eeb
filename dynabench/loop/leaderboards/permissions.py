"""Who is on a board, and what of it is whose to know."""

from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.loop.leaderboards.values import Contender
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def is_mine(contender: Contender, actor: Actor) -> bool:
    """Tell whether the actor submitted the model."""
    return actor.user_id is not None and contender.submitted_by == actor.user_id


def may_know_submitter(contender: Contender, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether somebody may read who submitted a model: of anonymous ones, few may."""
    return not contender.is_anonymous or is_mine(contender, actor) or may_own(role)


def is_listed(contender: Contender, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether a model is named to somebody: private ones to their own and the owners.

    A private model is never ranked on a board that others see; it is among the incomplete.
    """
    return contender.is_published or is_mine(contender, actor) or may_own(role)


def may_delete(created_by: UUID | None, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether somebody may delete a saved board."""
    return (actor.user_id is not None and created_by == actor.user_id) or may_own(role)
