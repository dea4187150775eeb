"""The few shapes of a call, from which every method of the client is made."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from dynabench.client.errors import ServerUnreachableError, UnexpectedAnswerError
from dynabench.client.failures import error_of
from dynabench.client.steps import Answer, NoAnswer, Request, Steps, T
from dynabench.kit.errors import InvalidError
from dynabench.kit.ids import new_id

PREFIX = "/api/v1"

Query: TypeAlias = Mapping[str, object]

_JSON = {"content-type": "application/json"}


def path(*parts: object) -> str:
    """Return the path of a thing; what stands for a name is quoted.

    Example:
        >>> path("tasks", "nli", "rounds")
        '/api/v1/tasks/nli/rounds'
    """
    return "/".join([PREFIX, *(quote(str(part), safe="") for part in parts)])


def get(where: str, kind: type[T], query: Query | None = None) -> Steps[T]:
    """Read something."""
    answer = yield from exchange(
        Request(method="GET", path=where, parameters=written(query), is_repeatable=True)
    )
    return read(answer, kind)


def get_or_none(where: str, kind: type[T]) -> Steps[T | None]:
    """Read something that may not be there, which the server tells by null."""
    answer = yield from exchange(Request(method="GET", path=where, is_repeatable=True))
    return None if answer.body.strip() == b"null" else read(answer, kind)


def create(
    where: str, kind: type[T], body: BaseModel | None = None, *, key: str | None = None
) -> Steps[T]:
    """Create something once, however often the request must be sent.

    Args:
        where: The path.
        kind: What comes back.
        body: What is sent.
        key: The Idempotency-Key; a fresh one by default.
    """
    headers = {"idempotency-key": key or new_id().hex}
    return read((yield from send("POST", where, body, headers=headers, is_repeatable=True)), kind)


def post(where: str, kind: type[T], body: BaseModel | None = None) -> Steps[T]:
    """Do something that is not repeated by itself."""
    return read((yield from send("POST", where, body)), kind)


def put(where: str, kind: type[T], body: BaseModel | None = None) -> Steps[T]:
    """Set something."""
    return read((yield from send("PUT", where, body, is_repeatable=True)), kind)


def patch(where: str, kind: type[T], body: BaseModel) -> Steps[T]:
    """Change the parts that the body names."""
    return read((yield from send("PATCH", where, body, is_repeatable=True)), kind)


def tell(method: str, where: str, body: BaseModel | None = None) -> Steps[None]:
    """Do something of which nothing comes back."""
    yield from send(method, where, body)


def delete(where: str) -> Steps[None]:
    """Take something away.

    Not repeated by itself: the second time there is nothing to take away, which would read
    like a failure.
    """
    yield from send("DELETE", where, None)


def exchange(request: Request) -> Steps[Answer]:
    """Send a request and return its good answer.

    Raises:
        DynabenchError: What the server refused with.
        ServerUnreachableError: If no answer came.
    """
    reply = yield request
    if isinstance(reply, NoAnswer):
        raise ServerUnreachableError(url=reply.url, reason=reply.reason)
    assert reply is not None
    if not reply.is_good:
        raise error_of(reply)
    return reply


def read(answer: Answer, kind: type[T]) -> T:
    """Read what came back; fields that a newer server adds are passed over."""
    try:
        return _adapter(kind).validate_json(answer.body, extra="ignore")
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the body"
        raise UnexpectedAnswerError(url=answer.url, reason=f"{place}: {first['msg']}") from None


def shape(kind: type[T], values: Mapping[str, object] | T) -> T:
    """Make what is to be sent of a dict, leaving out what is None; it may be made already.

    Raises:
        InvalidError: As the server would, with the wrong fields, before anything is sent.
        TypeError: If it is neither, with what to pass.
    """
    if isinstance(values, kind):
        return values
    if not isinstance(values, Mapping):
        message = f"pass a dict or a {kind.__name__}, not {type(values).__name__}"
        raise TypeError(message)
    given = {name: value for name, value in values.items() if value is not None}
    try:
        return _adapter(kind).validate_python(given)
    except ValidationError as error:
        fields: dict[str, str] = {}
        for found in error.errors():
            place = ".".join(str(part) for part in found["loc"]) or "body"
            fields.setdefault(place, f"{found['msg']}.")
        first, sentence = next(iter(fields.items()))
        raise InvalidError(f"{first}: {sentence}", fields=fields) from None


def send(
    method: str,
    where: str,
    body: BaseModel | None,
    *,
    headers: Mapping[str, str] | None = None,
    is_repeatable: bool = False,
) -> Steps[Answer]:
    """Send a body and return the good answer."""
    content = None if body is None else _encoded(body)
    return exchange(
        Request(
            method=method,
            path=where,
            headers=dict(headers or {}) | ({} if content is None else _JSON),
            body=None if content is None else lambda: _once(content),
            length=None if content is None else len(content),
            is_repeatable=is_repeatable,
        )
    )


def _encoded(body: BaseModel) -> bytes:
    try:
        return body.model_dump_json(exclude_unset=True).encode()
    except (PydanticSerializationError, UnicodeEncodeError):
        message = "A text holds half of a character (a lone surrogate). Take it out."
        raise InvalidError(message, fields={"body": message}) from None


def _once(content: bytes) -> Iterator[bytes]:
    yield content


def written(query: Query | None) -> dict[str, str | list[str]]:
    """Write a query's values as the server reads them: a list again and again, None not at all."""
    return {
        name: [_word(one) for one in value] if isinstance(value, list) else _word(value)
        for name, value in (query or {}).items()
        if value is not None
    }


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    # Every type is hashable; mypy doubts it of one that it does not know.
    adapter: TypeAdapter[T] = _made_adapter(kind)  # type: ignore[arg-type]
    return adapter


# A cache cannot say that what comes out belongs to what goes in; `_adapter` does.
@cache
def _made_adapter(kind: type[object]) -> Any:
    return TypeAdapter(kind)
