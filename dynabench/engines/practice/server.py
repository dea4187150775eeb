"""A small server of the chat completions protocol, with the practice assistants behind it."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from dynabench.engines.practice.judging import judge_answer
from dynabench.engines.practice.speakers import reply_to
from dynabench.engines.practice.values import Judged, Talk, Variant

_LARGEST_BODY = 4 * 1024 * 1024
_OWNER = "dynabench"
# To the last end there is: an answer may hold such a tag itself.
_TAGGED_ANSWER = re.compile(r"<answer>\s*(.*)\s*</answer>", re.DOTALL)
# As Dynabench writes a conversation into a prompt; of a longer message the first line.
_SAID = re.compile(r"^User: (.*)(?:\nAssistant: (.*))?$", re.MULTILINE)
_RUBRIC_START = '[{"name"'
_VARIANTS = {variant.served_as: variant for variant in Variant}


class RefusedRequestError(Exception):
    """A request that the protocol does not know; told to the caller as it is."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


def make_server(*, host: str, port: int) -> ThreadingHTTPServer:
    """Return a server that listens already; `serve_forever` answers, `shutdown` ends it."""
    server = ThreadingHTTPServer((host, port), _Handler)
    server.daemon_threads = True
    return server


def list_models() -> dict[str, object]:
    """Return what `GET /v1/models` says."""
    data = [{"id": name, "object": "model", "created": 0, "owned_by": _OWNER} for name in _VARIANTS]
    return {"object": "list", "data": data}


def complete(body: Mapping[str, object]) -> dict[str, object]:
    """Return what `POST /v1/chat/completions` says; the same request gets the same answer.

    Raises:
        RefusedRequestError: If the model is unknown or the messages are none.
    """
    name = str(body.get("model"))
    variant = _VARIANTS.get(name)
    if variant is None:
        known = ", ".join(_VARIANTS)
        message = f"There is no model {name[:80]!r}; known are {known}."
        raise RefusedRequestError(HTTPStatus.NOT_FOUND, message)
    said, told = _messages(body.get("messages"))
    seed = body.get("seed")
    if variant is Variant.JUDGE:
        content = json.dumps(_judged(said[-1]), ensure_ascii=False)
    else:
        sample = seed if isinstance(seed, int) and seed > 0 else 0
        talk = Talk(said=said, instructions=told, sample=sample)
        content = reply_to(talk, variant=variant)
    asked, answered = sum(len(text.split()) for text in said), len(content.split())
    return {
        "id": "chatcmpl-practice",
        "object": "chat.completion",
        "created": 0,
        "model": name,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": answered,
            "total_tokens": asked + answered,
        },
    }


def stream(body: Mapping[str, object]) -> Iterator[bytes]:
    """Yield the answer as server-sent events, a word at a time."""
    whole = complete(body)
    choices = whole["choices"]
    assert isinstance(choices, list)
    words = choices[0]["message"]["content"].split(" ")
    head = {"id": whole["id"], "object": "chat.completion.chunk", "created": 0}
    deltas = [{"role": "assistant"}, *({"content": word} for word in _spaced(words)), {}]
    for place, delta in enumerate(deltas):
        reason = "stop" if place == len(deltas) - 1 else None
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {**head, "model": whole["model"], "choices": [choice]}
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def _spaced(words: list[str]) -> Iterator[str]:
    yield from (word if place == 0 else f" {word}" for place, word in enumerate(words))


def _messages(value: object) -> tuple[tuple[str, ...], str]:
    """Return what users said, and what the assistant was told beforehand."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, "messages must be a list of messages.")
    said = tuple(_text(one) for one in value if one.get("role") == "user")
    if not said:
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, "messages hold none of a user.")
    told = [_text(one) for one in value if one.get("role") in {"system", "developer"}]
    return said, "\n".join(told)


def _text(message: Mapping[str, object]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        # The protocol allows parts; pictures and sounds are passed over.
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _judged(prompt: str) -> dict[str, object]:
    """Judge what stands in a prompt as Dynabench writes it: tagged, with the rubric as JSON."""
    answer = _TAGGED_ANSWER.search(prompt)
    start = prompt.rfind(_RUBRIC_START)
    try:
        rubric, _ = json.JSONDecoder().raw_decode(prompt[start:]) if start >= 0 else ([], 0)
    except ValueError:
        rubric = []
    if answer is None or not rubric:
        return {"broken": [], "reason": "There is no answer with a rubric to judge."}
    before = prompt[: answer.start()]
    said = _SAID.findall(before)
    judged = Judged(
        answer=answer.group(1),
        asked=said[-1][0] if said else "",
        instructions=before,
        earlier=tuple(said[:-1]),
    )
    return judge_answer(judged, rubric=rubric)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "dynabench-practice"

    def do_GET(self) -> None:
        """Answer what there is to read."""
        if self.path.rstrip("/") == "/v1/models":
            self._send(HTTPStatus.OK, list_models())
        else:
            self._refuse(HTTPStatus.NOT_FOUND, f"There is nothing at {self.path[:80]}.")

    def do_POST(self) -> None:
        """Answer a conversation."""
        try:
            body = self._body()
            if self.path.rstrip("/") != "/v1/chat/completions":
                self._refuse(HTTPStatus.NOT_FOUND, f"There is nothing at {self.path[:80]}.")
            elif body.get("stream") is True:
                self._stream(body)
            else:
                self._send(HTTPStatus.OK, complete(body))
        except RefusedRequestError as refused:
            self._refuse(refused.status, str(refused))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Write a line a request, without what was said."""
        sys.stderr.write(f"{self.address_string()} {format % args}\n")

    def _body(self) -> Mapping[str, object]:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            self.close_connection = True
            message = f"A body of at most {_LARGEST_BODY} bytes is needed."
            raise RefusedRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        try:
            value = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise RefusedRequestError(HTTPStatus.BAD_REQUEST, "The body must be a JSON object.")
        return value

    def _send(self, status: HTTPStatus, value: object) -> None:
        content = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, body: Mapping[str, object]) -> None:
        events = list(stream(body))
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(event)

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._send(status, {"error": {"message": message, "type": "invalid_request_error"}})
