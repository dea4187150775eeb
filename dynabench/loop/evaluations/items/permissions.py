"""Who sees what of a model's answers."""

from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.loop.evaluations.items.values import ItemView


def item_view(
    *, access: DatasetAccess, split: Split, is_submitter: bool, is_owner: bool
) -> ItemView | None:
    """Return how much of a split's items somebody sees; None is nothing.

    Owners see everything. The gold of a scoring dataset's test items is shown to nobody else,
    and their single answers to the model's submitter alone: the answers of many models
    together would tell most of the gold.
    """
    if is_owner:
        return ItemView.FULL
    if access is DatasetAccess.HIDDEN:
        return None
    if access is DatasetAccess.STANDARD or split is not Split.TEST:
        return ItemView.FULL
    return ItemView.ANSWERS if is_submitter else None
