"""Waiting for a model: until it is checked, until it is scored."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from dynabench.client.addresses import Id
from dynabench.client.calls import get, path
from dynabench.client.errors import ModelRejectedError, WaitedTooLongError
from dynabench.client.steps import Pause, Steps
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.values import ModelStatus

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 3.0
# A model that passed is matched with the datasets by a job of its own.
_MATCHED_SECONDS = 30.0

OnModel: TypeAlias = Callable[[ModelRead], None]
OnScoring: TypeAlias = Callable[[ModelRead, Sequence[EvaluationRead]], None]


def wait_until_checked(
    model_id: Id, *, on_progress: OnModel | None = None, timeout_seconds: float | None = None
) -> Steps[ModelRead]:
    """Return a model once it is ready.

    Raises:
        ModelRejectedError: If it did not pass, or could not be checked.
        WaitedTooLongError: If the check was not over in time; it goes on.
    """
    waited, pauses = 0.0, _pauses()
    while True:
        model = yield from get(path("models", model_id), ModelRead)
        if on_progress is not None:
            on_progress(model)
        if model.status is ModelStatus.READY:
            return model
        # What is told of one that is not decided is why its check could not be done.
        if model.status is ModelStatus.REJECTED or model.problems:
            raise ModelRejectedError(
                name=model.name,
                problems=[problem.model_dump() for problem in model.problems or ()],
                reason=model.rejection,
            )
        if timeout_seconds is not None and waited >= timeout_seconds:
            raise WaitedTooLongError(job_id=str(model.job_id), seconds=timeout_seconds)
        pause = next(pauses)
        yield Pause(seconds=pause)
        waited += pause


def wait_until_scored(model: ModelRead, *, on_progress: OnScoring) -> Steps[None]:
    """Return once none of a ready model's evaluations is under way."""
    waited, pauses = 0.0, _pauses()
    while True:
        found = yield from get(path("models", model.id, "evaluations"), list[EvaluationRead])
        on_progress(model, found)
        if found and all(one.state is not EvaluationState.PENDING for one in found):
            return
        if not found and waited >= _MATCHED_SECONDS:
            return
        if not found and not waited:
            where = path("tasks", model.task_slug, "datasets")
            if not (yield from get(where, list[DatasetVersionRead])):
                return
        pause = next(pauses)
        yield Pause(seconds=pause)
        waited += pause


def _pauses() -> Iterator[float]:
    pause = _FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
