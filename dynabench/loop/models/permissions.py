"""Who may see a model."""

from dynabench.loop.models.values import Model
from dynabench.loop.tasks.values import TaskRole


def can_see(model: Model, *, role: TaskRole | None) -> bool:
    """Tell whether the model exists for somebody: a private one for the task's members."""
    return model.is_published or role is not None
