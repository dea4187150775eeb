"""Who may do what to a submitted model."""

from collections.abc import Mapping

from dynabench.kit.actor import Actor
from dynabench.loop.models.errors import ModelOptionsError
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


def require_own_key(options: Mapping[str, object], *, role: TaskRole | None) -> None:
    """Refuse whoever would spend a key of the server's: that is for the task's owners.

    Raises:
        ModelOptionsError: If the options name a key and the actor owns not the task.
    """
    if options.get("api_key_env") and not may_own(role):
        sentence = (
            "Only the task's owners may use a key of this server. Give an address that needs "
            "none, or hand in files of predictions."
        )
        raise ModelOptionsError(fields={"options.api_key_env": sentence})


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
