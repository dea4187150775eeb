"""What can go wrong with training."""

from uuid import UUID

from dynabench.kit.errors import ConflictError, InvalidError, NotFoundError, UnavailableError


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


class TrainingSourceError(InvalidError):
    """A part of the chosen data cannot be learned from as it was asked; `fields` says which."""

    code = "training.source_invalid"

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__(" ".join(fields.values()), fields=fields)


class TrainingTooLargeError(InvalidError):
    """The chosen data has more items than one training takes."""

    code = "training.too_large"

    def __init__(self, *, items: int, most: int) -> None:
        message = (
            f"The chosen data has {items:,} items, and one training takes {most:,} at most. "
            "Choose fewer sets, or leave some items out."
        )
        super().__init__(message, fields={"sources": message}, items=items, most=most)


class TrainingProcessError(UnavailableError):
    """The learning process ended without a model."""

    code = "training.process_ended"

    def __init__(self, *, status: int) -> None:
        super().__init__(
            f"The training process ended with status {status} before it had a model; it may "
            "have run out of memory. Resume it, or try again with less data.",
            status=status,
        )


class TrainedModelUnusableError(InvalidError):
    """What was trained does not answer as the task asks."""

    code = "training.model_unusable"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"The trained model does not answer as the task asks: {reason}")


class TrainingNotFoundError(NotFoundError):
    """There is no such training of this task."""

    code = "training.not_found"

    def __init__(self, training_id: UUID) -> None:
        super().__init__(f"There is no training {training_id} of this task.")


class TrainingStateError(ConflictError):
    """A training that is under way or done cannot be resumed."""

    code = "training.state"

    def __init__(self, *, state: str) -> None:
        super().__init__(
            f"The training is {state}; only one that failed or was cancelled can be resumed.",
            state=state,
        )
