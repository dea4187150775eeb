"""What people may do in a task.

An administrator counts as owner of every task: `TaskService.role_of` says so.
"""

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.loop.tasks.errors import TaskRoleNeededError, TaskStateError
from dynabench.loop.tasks.rules import includes
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus


def may_see(status: TaskStatus, role: TaskRole | None) -> bool:
    """Tell whether a task exists for somebody: a draft does for its members only."""
    return status is not TaskStatus.DRAFT or role is not None


def is_listed(status: TaskStatus, role: TaskRole | None) -> bool:
    """Tell whether a task stands in somebody's list: archived ones in their members'."""
    return status is TaskStatus.ACTIVE or role is not None


def may_own(role: TaskRole | None) -> bool:
    """Tell whether somebody may change a task's config, members and rounds."""
    return includes(role, TaskRole.OWNER)


def may_annotate(task: Task, role: TaskRole | None, actor: Actor) -> bool:
    """Tell whether somebody may write and validate examples of a task."""
    return (
        actor.user_id is not None
        and task.status is TaskStatus.ACTIVE
        and (task.is_open_to_everyone or role is not None)
    )


def require_annotator(task: Task, role: TaskRole | None, actor: Actor) -> None:
    """Refuse whoever may not write and validate examples, with the reason.

    Raises:
        SignInRequiredError: If the actor is a visitor.
        TaskStateError: If the task is not active.
        TaskRoleNeededError: If the task is for members only.
    """
    require_signed_in(actor)
    if may_annotate(task, role, actor):
        return
    if task.status is not TaskStatus.ACTIVE:
        raise TaskStateError(slug=task.slug, status=task.status, wanted="active")
    raise TaskRoleNeededError(slug=task.slug, role=TaskRole.ANNOTATOR)
