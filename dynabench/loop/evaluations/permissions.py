"""Who may read the log of an evaluation.

It exists for whoever sees its model and its dataset (`datasets.permissions.can_see`). Whoever
handed the model in, and its task's owners, may retry and cancel its evaluations and see why
they failed: `models.permissions.knows_all_of` says who that is.
"""

from dynabench.kit.actor import Actor
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion
from dynabench.loop.models.permissions import knows_all_of
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def may_read_log(
    model: Model, version: DatasetVersion, *, actor: Actor, role: TaskRole | None
) -> bool:
    """Tell whether somebody may read what a model printed: of hidden sets, owners alone."""
    if version.access is DatasetAccess.HIDDEN:
        return may_own(role)
    return knows_all_of(model, actor=actor, role=role)
