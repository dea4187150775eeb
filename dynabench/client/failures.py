"""Raising the server's failures again: the same class, sentence, fields and facts."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from dynabench.client.errors import UnexpectedAnswerError
from dynabench.client.steps import Answer
from dynabench.engines.baselines import errors as recipe_errors
from dynabench.engines.finetuning import errors as checkpoint_errors
from dynabench.engines.inference import errors as inference_errors
from dynabench.engines.jobs import errors as job_errors
from dynabench.engines.media import errors as media_engine_errors
from dynabench.engines.runners import errors as runner_errors
from dynabench.engines.storage import errors as storage_errors
from dynabench.kit import actor, paging
from dynabench.kit.errors import (
    ConflictError,
    DynabenchError,
    ForbiddenError,
    InvalidError,
    LimitError,
    NotFoundError,
    UnauthenticatedError,
    UnavailableError,
)
from dynabench.loop.assignments import errors as assignment_errors
from dynabench.loop.contexts import errors as context_errors
from dynabench.loop.datasets import errors as dataset_errors
from dynabench.loop.evaluations.prediction_files import errors as prediction_file_errors
from dynabench.loop.evaluations.removals import errors as removal_errors
from dynabench.loop.examples import errors as example_errors
from dynabench.loop.media import errors as media_errors
from dynabench.loop.models import errors as model_errors
from dynabench.loop.models.submissions import errors as submission_errors
from dynabench.loop.proposals import errors as proposal_errors
from dynabench.loop.rounds import errors as round_errors
from dynabench.loop.tasks import errors as task_errors
from dynabench.loop.training import errors as training_errors
from dynabench.loop.validations import errors as validation_errors
from dynabench.people import errors as people_errors
from dynabench.people.notifications import errors as notification_errors
from dynabench.science.task_config import problems

# Naming the modules keeps their classes loaded, where `_by_code` finds them.
KNOWN_FAILURES: Final = (
    actor,
    assignment_errors,
    checkpoint_errors,
    context_errors,
    dataset_errors,
    example_errors,
    inference_errors,
    job_errors,
    media_engine_errors,
    media_errors,
    model_errors,
    notification_errors,
    paging,
    people_errors,
    problems,
    proposal_errors,
    recipe_errors,
    round_errors,
    runner_errors,
    storage_errors,
    submission_errors,
    prediction_file_errors,
    removal_errors,
    task_errors,
    training_errors,
    validation_errors,
)

_KINDS: Final[dict[int, type[DynabenchError]]] = {
    400: InvalidError,
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    405: InvalidError,
    409: ConflictError,
    413: InvalidError,
    422: InvalidError,
    429: LimitError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


class _Problem(BaseModel):
    """A failure as the server writes it (RFC 9457)."""

    model_config = ConfigDict(extra="ignore")

    status: int
    code: str
    detail: str
    facts: dict[str, JsonValue] = {}
    fields: dict[str, str] = {}
    request_id: str = ""


def error_of(answer: Answer) -> DynabenchError:
    """Return the failure that an answer tells of.

    Its class is the server's own where this client has it, else the kind that belongs to
    the status; its `code` is the server's in both cases. Where the server names its
    request, `facts["request_id"]` holds that.
    """
    try:
        problem = _Problem.model_validate_json(answer.body)
    except ValidationError:
        return _without_problem(answer)
    kind = _by_code().get(problem.code) or _KINDS.get(problem.status, DynabenchError)
    # A class's own constructor takes what its sentence is made of; the sentence is here.
    error = kind.__new__(kind)
    facts: dict[str, object] = dict(problem.facts)
    if problem.request_id:
        facts["request_id"] = problem.request_id
    DynabenchError.__init__(error, problem.detail, fields=problem.fields)
    error.facts = facts
    vars(error)["code"] = problem.code
    return error


def _without_problem(answer: Answer) -> DynabenchError:
    kind = _KINDS.get(answer.status)
    if kind is UnavailableError or kind is LimitError:
        return kind(f"{answer.url} answered with status {answer.status}. Try again later.")
    return UnexpectedAnswerError(url=answer.url, reason=f"status {answer.status} without a reason")


def _descendants(kind: type[DynabenchError]) -> Iterator[type[DynabenchError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _descendants(child)


@cache
def _by_code() -> dict[str, type[DynabenchError]]:
    """Return every failure by its code; where a subclass shares its parent's, the parent."""
    found: dict[str, type[DynabenchError]] = {}
    for kind in _descendants(DynabenchError):
        found.setdefault(kind.code, kind)
    return found
