"""Who may see a context."""

from dynabench.kit.actor import Actor
from dynabench.loop.contexts.values import Context
from dynabench.loop.tasks.values import TaskRole


def can_see(context: Context, *, role: TaskRole | None, actor: Actor) -> bool:
    """Tell whether the actor may read the context: retired ones are for the task's members."""
    return actor.is_admin or role is not None or context.retired_at is None
