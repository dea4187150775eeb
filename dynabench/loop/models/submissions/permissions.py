"""Who may do what to a submitted model."""

from dynabench.kit.actor import Actor
from dynabench.loop.models.permissions import is_submitter
from dynabench.loop.models.submissions.errors import NotYourModelError
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.errors import TaskStateError
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus


def require_open_task(task: Task) -> None:
    """Refuse submissions to a task that is not active; everyone who sees it may submit.

    Raises:
        TaskStateError: If it is a draft or archived.
    """
    if task.status is not TaskStatus.ACTIVE:
        raise TaskStateError(slug=task.slug, status=task.status, wanted="active")


def may_change(model: Model, *, actor: Actor, role: TaskRole | None) -> bool:
    """Tell whether somebody speaks for a model: who submitted it, or owners for nobody's."""
    return is_submitter(model, actor) or (model.submitted_by is None and may_own(role))


def require_author(model: Model, *, actor: Actor, role: TaskRole | None) -> None:
    """Refuse whoever does not speak for a model.

    Raises:
        NotYourModelError: If they do not.
    """
    if not may_change(model, actor=actor, role=role):
        raise NotYourModelError


def require_caretaker(model: Model, *, actor: Actor, role: TaskRole | None) -> None:
    """Refuse whoever may not withdraw, delete or check a model again: it is not theirs.

    Raises:
        NotYourModelError: If it is neither the actor's model nor the actor's task.
    """
    if not is_submitter(model, actor) and not may_own(role):
        raise NotYourModelError
