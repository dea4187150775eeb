"""Who sees what of a model's answers."""

from dynabench.loop.datasets.rules import is_gold_withheld
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.evaluations.items.values import ItemView


def item_view(
    version: DatasetVersion, split: Split, *, is_submitter: bool, is_owner: bool
) -> ItemView | None:
    """Return how much of a split's items somebody sees; None is nothing.

    Owners see everything. Gold that is withheld from a dataset's files is shown to nobody
    else here, and single answers there to the model's submitter alone: the answers of many
    models together would tell most of the gold.
    """
    if is_owner:
        return ItemView.FULL
    if version.access is DatasetAccess.HIDDEN:
        return None
    if not is_gold_withheld(version, split):
        return ItemView.FULL
    return ItemView.ANSWERS if is_submitter else None


def is_dev_open(version: DatasetVersion) -> bool:
    """Tell whether everybody may look at a dev split that a version has."""
    return bool(version.sizes[Split.DEV]) and not is_gold_withheld(version, Split.DEV)
