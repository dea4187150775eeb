"""Who may see an evaluation and read its log.

Whoever handed a model in, and its task's owners, may retry and cancel its evaluations and see
why they failed: `models.permissions.knows_all_of` says who that is.
"""

from dynabench.kit.actor import Actor
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion
from dynabench.loop.models.permissions import knows_all_of
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def can_see(version: DatasetVersion, *, role: TaskRole | None) -> bool:
    """Tell whether an evaluation on a version exists for somebody who sees its model.

    Hidden sets exist for owners alone. A perturbed set is nobody's secret: what it says of a
    model stands beside the original's scores.
    """
    is_open = version.access is not DatasetAccess.HIDDEN or version.perturbs_id is not None
    return is_open or may_own(role)


def may_read_log(
    model: Model, version: DatasetVersion, *, actor: Actor, role: TaskRole | None
) -> bool:
    """Tell whether somebody may read what a model printed: of hidden sets, owners alone."""
    if version.access is DatasetAccess.HIDDEN:
        return may_own(role)
    return knows_all_of(model, actor=actor, role=role)
