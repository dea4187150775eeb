"""The failures of evaluations."""

from dynabench.kit.errors import (
    ConflictError,
    InvalidError,
    LimitError,
    NotFoundError,
    UnavailableError,
)
from dynabench.loop.evaluations.values import EvaluationState

_LONGEST = 500


class EvaluationNotFoundError(NotFoundError):
    """There is no such evaluation, or not for this person."""

    code = "evaluations.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such evaluation.")


class EvaluationStateError(ConflictError):
    """An evaluation cannot be retried or cancelled as it stands."""

    code = "evaluations.wrong_state"

    def __init__(self, *, state: EvaluationState, doing: str) -> None:
        super().__init__(f"The evaluation is {state.value} and cannot be {doing}.", state=state)


class TooManyRetriesError(LimitError):
    """Its submitter had an evaluation tried again as often as this server allows."""

    code = "evaluations.too_many_retries"

    def __init__(self, *, limit: int) -> None:
        super().__init__(
            f"This evaluation was tried again {limit} times, which is as often as its submitter "
            "may. Mend the model and submit it under the same name, or ask an owner of the task.",
            limit=limit,
        )


class ModelFailedError(UnavailableError):
    """A model could not be scored as a whole; the reason is a sentence about it."""

    code = "evaluations.model_failed"

    def __init__(self, *, name: str, reason: str, log: str = "") -> None:
        super().__init__(f"The model {name} could not be scored: {reason}", name=name)
        self.reason = reason
        # What its process printed, for the person who handed it in.
        self.log = log


class NothingAnsweredError(InvalidError):
    """A model failed on every item; scores of 0 would say that it answered, and wrongly."""

    code = "evaluations.nothing_answered"

    def __init__(self, *, items: int, error: str | None) -> None:
        # Whatever a model's code raises may be long.
        often = "" if error is None else f" What it failed with most often: {error[:_LONGEST]}"
        super().__init__(
            f"The model failed on every one of {items} items, so there is nothing to score. Mend "
            f"it and submit it again, or retry.{often}",
            items=items,
        )


class ModelChangedError(ConflictError):
    """A model elsewhere answers otherwise than when it was first scored."""

    code = "evaluations.model_changed"

    def __init__(self, *, name: str, version: int) -> None:
        super().__init__(
            f"The model {name} answers the probes otherwise than it did at first, so that its "
            f"scores would be of two models. It is version {version} now, and is scored anew.",
            name=name,
            version=version,
        )
