"""The failures of evaluations."""

from dynabench.kit.errors import ConflictError, NotFoundError, UnavailableError
from dynabench.loop.evaluations.values import EvaluationState


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


class ModelFailedError(UnavailableError):
    """A model could not be scored as a whole; the reason is a sentence about it."""

    code = "evaluations.model_failed"

    def __init__(self, *, name: str, reason: str, log: str = "") -> None:
        super().__init__(f"The model {name} could not be scored: {reason}", name=name)
        self.reason = reason
        # What its process printed, for the person who handed it in.
        self.log = log


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
