"""Raising the server's failures again: the same class, sentence, fields and facts."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

import dynabench.errors
from dynabench.client.errors import UnexpectedAnswerError
from dynabench.client.steps import Answer
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
    # Loading the page of failures loads their classes, which it itself needs this module for.
    assert dynabench.errors.DynabenchError is DynabenchError
    found: dict[str, type[DynabenchError]] = {}
    for kind in _descendants(DynabenchError):
        found.setdefault(kind.code, kind)
    return found
