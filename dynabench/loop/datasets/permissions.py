"""Who may see a dataset and its gold answers."""

from dynabench.loop.datasets.rules import is_gold_withheld
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.values import TaskRole


def can_see(version: DatasetVersion, *, role: TaskRole | None) -> bool:
    """Tell whether a set exists for somebody who sees its task: a hidden one for owners."""
    return version.access is not DatasetAccess.HIDDEN or may_own(role)


def may_see_gold(version: DatasetVersion, split: Split, *, role: TaskRole | None) -> bool:
    """Tell whether somebody may read the right answers of a split on a page."""
    return may_own(role) or not is_gold_withheld(version, split)
