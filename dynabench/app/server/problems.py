"""Failures as `application/problem+json` (RFC 9457); the only place that knows statuses."""

from collections.abc import Iterator, Mapping

import orjson
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.types import Scope

from dynabench.app.server.bodies import BodyTooLargeError
from dynabench.app.server.host_names import UnknownHostError
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
    (BodyTooLargeError, 413),
    (UnknownHostError, 421),
    (NotFoundError, 404),
    (UnauthenticatedError, 401),
    (ForbiddenError, 403),
    (InvalidError, 422),
    (ConflictError, 409),
    (LimitError, 429),
    (UnavailableError, 503),
)

# A report is for people: what comes after these is the same mistake again, or no mistake.
_MOST_FIELDS = 20
_LONGEST_NAME = 100
_LONGEST_SENTENCE = 300
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


def respond(problem: Problem) -> Response:
    """Return a problem as the answer to a request."""
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
    421: "Not this server",
    422: "Something to correct",
    429: "Too much at once",
    500: "Something broke",
    503: "Not available right now",
}


def _whole(value: object) -> object:
    """Return a value with every half of a character replaced: JSON in UTF-8 holds none.

    A sentence that quotes what was sent quotes that, too.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(item) for item in value]
    return value


def problem_of(error: DynabenchError, *, request_id: str) -> Problem:
    """Return a failure of ours as a problem."""
    status = status_of(type(error))
    told = {"detail": error.message, "fields": error.fields, "facts": error.facts}
    return Problem(
        title=_TITLES[status],
        status=status,
        code=error.code,
        request_id=request_id,
        **orjson.loads(orjson.dumps(_whole(told), default=str)),
    )


def refuse(error: DynabenchError, *, request_id: str) -> Response:
    """Return a failure of ours as the answer to a request."""
    response = respond(problem_of(error, request_id=request_id))
    if isinstance(error, LimitError) and error.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(error.retry_after_seconds)
    return response


def _place(location: tuple[int | str, ...]) -> str:
    """Name a wrong field the way a person would: without the part of the request."""
    parts = [str(part) for part in location if part not in {"body", "query", "path"}]
    return ".".join(parts) or "body"


async def _on_dynabench_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DynabenchError)
    return refuse(error, request_id=_request_id(request))


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    broken = _broken_json(error)
    if broken is not None:
        return _unreadable(broken, request=request)
    problems = error.errors()
    fields: dict[str, str] = {}
    for found in problems[:_MOST_FIELDS]:
        place = _clipped(str(_whole(_place(tuple(found["loc"])))), _LONGEST_NAME)
        fields.setdefault(place, _clipped(str(_whole(f"{found['msg']}.")), _LONGEST_SENTENCE))
    first, sentence = next(iter(fields.items()))
    return respond(
        Problem(
            title=_TITLES[422],
            status=422,
            detail=f"{first}: {sentence}",
            code=InvalidError.code,
            fields=fields,
            facts={"problems": len(problems)} if len(problems) > _MOST_FIELDS else {},
            request_id=_request_id(request),
        )
    )


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _unreadable(problem: str, *, request: Request) -> Response:
    """Refuse a body that is no JSON at all."""
    sentence = f"The body cannot be read as JSON: {problem}."
    return respond(
        Problem(
            title=_TITLES[422],
            status=422,
            detail=sentence,
            code=InvalidError.code,
            fields={"body": sentence},
            request_id=_request_id(request),
        )
    )


def _why_unparsed(cause: BaseException | None) -> str:
    """Say why FastAPI gave a body up; it has a word of its own only for wrong JSON."""
    if isinstance(cause, UnicodeDecodeError):
        return f"byte {cause.start + 1} is not UTF-8; send it in that encoding"
    return "it broke off, or holds what JSON does not know"


def _broken_json(error: RequestValidationError) -> str | None:
    """Say where the JSON is broken, if that is what is wrong."""
    found = error.errors()[0]
    position = found["loc"][-1]
    if found["type"] != "json_invalid" or not isinstance(position, int):
        return None
    before = error.body[:position] if isinstance(error.body, str) else ""
    line, column = before.count("\n") + 1, position - before.rfind("\n")
    reason = str(found["ctx"]["error"])
    return f"{reason[:1].lower()}{reason[1:]}, at line {line}, character {column}"


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, DynabenchError):
        # What we raise while FastAPI reads a body comes wrapped.
        return refuse(error.__cause__, request_id=_request_id(request))
    if error.status_code == 400:  # noqa: PLR2004
        return _unreadable(_why_unparsed(error.__cause__), request=request)
    title = _TITLES.get(error.status_code, "Not possible")
    response = respond(
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


def something_broke(error: Exception, *, scope: Scope) -> Response:
    """Write down a failure that nobody foresaw, and answer without saying what it was."""
    request_id = str(scope.get("state", {}).get("request_id", ""))
    # By its route and not its path: some paths hold a secret.
    route = getattr(scope.get("route"), "path", "none")
    _log.error(
        "request failed",
        request_id=request_id,
        method=scope["method"],
        route=route,
        exc_info=error,
    )
    return respond(
        Problem(
            title=_TITLES[500],
            status=500,
            detail="Something broke on our side; nothing you sent was stored. Try again, and if "
            "it happens again tell the operator this request's id.",
            code="dynabench.error",
            request_id=request_id,
        )
    )


async def _on_anything_else(request: Request, error: Exception) -> Response:
    return something_broke(error, scope=request.scope)


def install_problem_handlers(application: FastAPI) -> None:
    """Answer every failure of an application as a problem."""
    application.add_exception_handler(DynabenchError, _on_dynabench_error)
    application.add_exception_handler(RequestValidationError, _on_invalid_request)
    application.add_exception_handler(HTTPException, _on_http_exception)
    application.add_exception_handler(Exception, _on_anything_else)
