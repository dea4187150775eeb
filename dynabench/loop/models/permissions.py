"""Who may see a model, and what of it.

An administrator counts as owner of every task: `TaskService.role_of` says so.
"""

from dynabench.kit.actor import Actor
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def is_submitter(model: Model, actor: Actor) -> bool:
    """Tell whether the model is the actor's own."""
    return actor.user_id is not None and model.submitted_by == actor.user_id


def knows_all_of(model: Model, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether somebody sees what is private: who submitted it, its problems, its log."""
    return is_submitter(model, actor) or may_own(role)


def can_see(model: Model, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether the model exists for somebody: a private one for its own and the owners.

    One that was deleted exists for nobody.
    """
    if model.deleted_at is not None:
        return False
    return model.is_published or knows_all_of(model, actor=actor, role=role)
