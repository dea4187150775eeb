"""How large and how intricate a request's body may be, and reading it whole."""

from enum import IntEnum

from anyio import to_thread
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from dynabench.app.server.route_table import RouteTable
from dynabench.kit.errors import InvalidError, LimitError
from dynabench.kit.intricate_json import MOST_DEPTH, MOST_VALUES, is_intricate


class BodyLimit(IntEnum):
    """The most bytes of a body, by what a route takes."""

    FORM = 64 * 1024
    """What people fill in: everything that is not named below."""

    TEXTS = 1024 * 1024
    """Long texts as JSON: configs, cards, attempts on passages and conversations."""

    UPLOAD = 64 * 1024 * 1024
    """Contexts, pictures and sounds, which are read in pieces."""

    FILE = 16 * 1024**3
    """What streams to the disk; whoever takes it has a limit and a sentence of its own."""

    @property
    def is_streamed(self) -> bool:
        """Whether its endpoint reads the body in pieces."""
        return self in {BodyLimit.UPLOAD, BodyLimit.FILE}


BODY_LIMITS = RouteTable(
    {
        f"{name.split()[0]} /api/v1{name.split()[1]}": limit
        for limit, names in {
            BodyLimit.TEXTS: (
                "POST /tasks",
                "POST /task-config-checks",
                "POST /tasks/{slug}/configs",
                "POST /proposals",
                "PATCH /proposals/{proposal_id}",
                "POST /rounds/{round_id}/examples",
                "PATCH /examples/{example_id}",
                "POST /examples/{example_id}/validations",
                "POST /rounds/{round_id}/expert-decisions",
                "POST /tasks/{slug}/tries",
                "POST /tasks/{slug}/tries/replies",
                "POST /chats/{chat_id}/turns",
                "PUT /chats/{chat_id}/turns/{number}",
                "POST /tasks/{slug}/datasets",
                "PATCH /dataset-versions/{version_id}",
                "POST /rounds/{round_id}/release",
                "PATCH /models/{model_id}",
                "POST /tasks/{slug}/submissions",
            ),
            BodyLimit.UPLOAD: ("POST /tasks/{slug}/contexts", "POST /tasks/{slug}/media"),
            BodyLimit.FILE: (
                "PUT /models/{model_id}/artifact",
                "PUT /models/{model_id}/predictions/{dataset_version_id}",
                "POST /tasks/{slug}/dataset-files",
            ),
        }.items()
        for name in names
    }
)

# Larger ones are looked through in a thread: the look takes a millisecond from here on.
_LARGE_BYTES = 64 * 1024


class BodyTooLargeError(LimitError):
    """The request's body is larger than the server takes (413)."""

    code = "request.too_large"

    def __init__(self, *, limit_bytes: int) -> None:
        kib = limit_bytes // 1024
        limit = f"{kib} KB" if kib < 1024 else f"{kib // 1024} MB"  # noqa: PLR2004
        super().__init__(
            f"The request is larger than {limit}. Send it in smaller parts.",
            limit_bytes=limit_bytes,
        )


class BodyTooIntricateError(InvalidError):
    """The JSON of a request holds more values, or more inside each other, than is read."""

    code = "request.too_intricate"

    def __init__(self) -> None:
        message = (
            f"The request holds more than {MOST_VALUES} values, or more than {MOST_DEPTH} inside "
            "each other. Send fewer at a time."
        )
        super().__init__(
            message,
            fields={"body": message},
            most_values=MOST_VALUES,
            most_depth=MOST_DEPTH,
        )


def body_limit(*, method: str, path: str) -> BodyLimit:
    """Return how large the body of a request may be."""
    found = BODY_LIMITS.find(method=method, path=path)
    return BodyLimit.FORM if found is None else found


async def read_whole(receive: Receive, *, limit: BodyLimit) -> Receive:
    """Read a body before anything else looks at it, and return how to get it again.

    Raises:
        BodyTooLargeError: If it is larger than its limit, announced or not.
        BodyTooIntricateError: If it is not worth reading as JSON.
        ClientDisconnect: If the sender went away.
    """
    parts: list[bytes] = []
    size, is_more = 0, True
    while is_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > limit:
            raise BodyTooLargeError(limit_bytes=limit)
        is_more = message.get("more_body", False)
    body = b"".join(parts)
    refused = (
        await to_thread.run_sync(is_intricate, body) if size > _LARGE_BYTES else is_intricate(body)
    )
    if refused:
        raise BodyTooIntricateError
    is_given = False

    async def receive_again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def counted(receive: Receive, *, limit: BodyLimit) -> Receive:
    """Count the bytes of a body that is read in pieces, whatever was announced."""
    seen = 0

    async def receive_some() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise BodyTooLargeError(limit_bytes=limit)
        return message

    return receive_some
