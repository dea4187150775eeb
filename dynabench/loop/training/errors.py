"""What can go wrong with training."""

from dynabench.kit.errors import InvalidError, UnavailableError


class RecipeUnknownError(InvalidError):
    """No recipe of this name fits the task."""

    code = "training.recipe_unknown"

    def __init__(self, *, recipe: str, known: list[str]) -> None:
        message = f"There is no recipe “{recipe}” for this task. Known: {', '.join(known)}."
        super().__init__(message, fields={"recipe": message}, known=known)


class NoTrainingDataError(InvalidError):
    """The chosen data is empty or holds a single answer."""

    code = "training.no_data"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"A model cannot be trained on this: {reason}", reason=reason)


class TrainingProcessError(UnavailableError):
    """The learning process ended without a model."""

    code = "training.process_ended"

    def __init__(self, *, status: int) -> None:
        super().__init__(
            f"The training process ended with status {status} before it had a model; it may "
            "have run out of memory. Try again, or with less data.",
            status=status,
        )
