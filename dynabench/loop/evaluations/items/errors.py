"""What can go wrong with looking at items."""

from dynabench.kit.errors import ForbiddenError


class ItemsWithheldError(ForbiddenError):
    """Single answers to this part of the dataset are not the actor's to see."""

    code = "evaluations.items_withheld"

    def __init__(self) -> None:
        super().__init__(
            "Single answers to the test items of a scoring dataset are shown to the model's "
            "submitter and the task's owners alone, so that nobody can work out the gold."
        )


class CorrectnessWithheldError(ForbiddenError):
    """Which items are right would give the gold of a scoring dataset away."""

    code = "evaluations.correctness_withheld"

    def __init__(self) -> None:
        super().__init__(
            "Which test items of a scoring dataset a model got right is shown to the task's "
            "owners alone; choose all items or the failed ones, or look at the dev split."
        )
