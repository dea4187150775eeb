"""What can go wrong with looking at items."""

from dynabench.kit.errors import ForbiddenError
from dynabench.loop.datasets.values import Split


class ItemsWithheldError(ForbiddenError):
    """Single answers to this part of the dataset are not the actor's to see."""

    code = "evaluations.items_withheld"

    def __init__(self, *, split: Split) -> None:
        super().__init__(
            f"Single answers to the {split.value} items of a scoring dataset are shown to the "
            "model's submitter and the task's owners alone, so that nobody can work out the gold.",
            split=split.value,
        )


class CorrectnessWithheldError(ForbiddenError):
    """Which items are right would give the gold of a scoring dataset away."""

    code = "evaluations.correctness_withheld"

    def __init__(self, *, split: Split, is_dev_open: bool) -> None:
        or_dev = ", or look at the dev split" if is_dev_open else ""
        super().__init__(
            f"Which {split.value} items of a scoring dataset a model got right is shown to the "
            f"task's owners alone; choose all items or the failed ones{or_dev}.",
            split=split.value,
        )
