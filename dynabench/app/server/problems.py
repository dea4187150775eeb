"""Failures as `application/problem+json` (RFC 9457); the only place that knows statuses."""

from collections.abc import Iterator

import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

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

_STATUS = (
    (NotFoundError, 404),
    (UnauthenticatedError, 401),
    (ForbiddenError, 403),
    (InvalidError, 422),
    (ConflictError, 409),
    (LimitError, 429),
    (UnavailableError, 503),
)

_log = structlog.get_logger(__name__)


class Problem(BaseModel):
    """A failure, as RFC 9457 shapes it, with the code and the values the sentence names."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    facts: dict[str, object] = {}
    fields: dict[str, str] = {}
    request_id: str = ""


def status_of(error: type[DynabenchError]) -> int:
    """Return the HTTP status of a kind of failure."""
    for kind, status in _STATUS:
        if issubclass(error, kind):
            return status
    return 500


def _descendants(kind: type[DynabenchError]) -> Iterator[type[DynabenchError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _descendants(child)


def all_errors() -> dict[str, type[DynabenchError]]:
    """Return every failure that is defined, by its public code."""
    return {error.code: error for error in _descendants(DynabenchError)}


def _respond(problem: Problem) -> Response:
    return Response(
        orjson.dumps(problem.model_dump()),
        status_code=problem.status,
        media_type="application/problem+json",
    )


def _request_id(request: Request) -> str:
    return str(getattr(request.state, "request_id", ""))


_TITLES = {
    400: "Not understood",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "Conflict",
    413: "Too large",
    422: "Something to correct",
    429: "Too much at once",
    500: "Something broke",
    503: "Not available right now",
}


def problem_of(error: DynabenchError, *, request_id: str) -> Problem:
    """Return a failure of ours as a problem."""
    status = status_of(type(error))
    return Problem(
        title=_TITLES[status],
        status=status,
        detail=error.message,
        code=error.code,
        facts=orjson.loads(orjson.dumps(error.facts, default=str)),
        fields=error.fields,
        request_id=request_id,
    )


def _place(location: tuple[int | str, ...]) -> str:
    """Name a wrong field the way a person would: without the part of the request."""
    parts = [str(part) for part in location if part not in {"body", "query", "path"}]
    return ".".join(parts) or "body"


async def _on_dynabench_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DynabenchError)
    return _respond(problem_of(error, request_id=_request_id(request)))


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    fields: dict[str, str] = {}
    for found in error.errors():
        fields.setdefault(_place(tuple(found["loc"])), f"{found['msg']}.")
    first, sentence = next(iter(fields.items()))
    return _respond(
        Problem(
            title=_TITLES[422],
            status=422,
            detail=f"{first}: {sentence}",
            code=InvalidError.code,
            fields=fields,
            request_id=_request_id(request),
        )
    )


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = _TITLES.get(error.status_code, "Not possible")
    response = _respond(
        Problem(
            title=title,
            status=error.status_code,
            detail=f"{request.method} {request.url.path}: {error.detail}.",
            code="not_found" if error.status_code == 404 else "request.refused",  # noqa: PLR2004
            request_id=_request_id(request),
        )
    )
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


async def _on_anything_else(request: Request, error: Exception) -> Response:
    request_id = _request_id(request)
    _log.error("request failed", request_id=request_id, path=request.url.path, exc_info=error)
    return _respond(
        Problem(
            title=_TITLES[500],
            status=500,
            detail="Something broke on our side; nothing you sent was stored. Try again, and if "
            "it happens again tell the operator this request's id.",
            code="dynabench.error",
            request_id=request_id,
        )
    )


def install_problem_handlers(application: FastAPI) -> None:
    """Answer every failure of an application as a problem."""
    application.add_exception_handler(DynabenchError, _on_dynabench_error)
    application.add_exception_handler(RequestValidationError, _on_invalid_request)
    application.add_exception_handler(HTTPException, _on_http_exception)
    application.add_exception_handler(Exception, _on_anything_else)
