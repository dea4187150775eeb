"""Who may see a context."""

from dynabench.loop.contexts.values import Context
from dynabench.loop.tasks.values import TaskRole


def can_see(context: Context, *, role: TaskRole | None) -> bool:
    """Tell whether the context exists for somebody: a retired one for the task's members."""
    return role is not None or context.retired_at is None
