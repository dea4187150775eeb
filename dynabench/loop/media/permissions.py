"""Who may bring pictures and sounds; who knows a file's digest may read it."""

from dynabench.kit.actor import Actor
from dynabench.loop.tasks.permissions import may_own, require_annotator
from dynabench.loop.tasks.values import Task, TaskRole


def is_limited(role: TaskRole | None) -> bool:
    """Tell whether somebody's uploads are counted: owners prepare whole tasks."""
    return not may_own(role)


def require_uploader(task: Task, role: TaskRole | None, actor: Actor) -> None:
    """Refuse whoever neither writes for a task nor owns it, with the reason.

    Raises:
        SignInRequiredError: If the actor is a visitor.
        TaskStateError: If the task is not active.
        TaskRoleNeededError: If the task is for members only.
    """
    if not may_own(role):
        require_annotator(task, role, actor)
