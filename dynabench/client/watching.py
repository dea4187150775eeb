"""Server-sent events on the client's side, without a transport."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from dynabench.client.calls import read
from dynabench.client.errors import ServerUnreachableError
from dynabench.client.failures import error_of
from dynabench.client.steps import Answer, NoAnswer, T

# The server says something every fifteen seconds; three times that is a dead line.
SILENCE_SECONDS = 45.0

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 30.0
# So often is tried where nothing has come yet.
_FIRST_ATTEMPTS = 3
_MAY_PASS = frozenset({429, 502, 503, 504})
_QUIET = frozenset({"tick", "end"})


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it arrived."""

    name: str
    data: str
    id: str | None


class EventReader:
    """Puts events together from lines, by the rules of the HTML standard."""

    def __init__(self) -> None:
        self.retry_seconds: float | None = None
        self._name = ""
        self._data: list[str] = []
        self._id: str | None = None

    def take(self, line: str) -> Event | None:
        """Take the next line, without its end; returns the event that it completes."""
        if not line:
            return self._complete()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None

    def _complete(self) -> Event | None:
        name, data = self._name or "message", self._data
        self._name, self._data = "", []
        return Event(name, "\n".join(data), self._id) if data else None


class Subscription(Generic[T]):
    """What is watched, and how far it was seen.

    The faces open its stream, hand its lines in, and open it again after `pause` until
    `is_over`; which of the failures end it is decided here, once for both.
    """

    def __init__(self, path: str, kind: type[T]) -> None:
        self.path = path
        self.is_over = False
        self._kind = kind
        self._seen: str | None = None
        self._reader = EventReader()
        self._failures = 0

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of the next request: what was seen is not sent again."""
        seen = {} if self._seen is None else {"last-event-id": self._seen}
        return {"accept": "text/event-stream", "cache-control": "no-store", **seen}

    def begin(self) -> None:
        """Note that a stream is open: half an event from the one before is forgotten."""
        retry = self._reader.retry_seconds
        self._reader = EventReader()
        self._reader.retry_seconds = retry

    def take(self, line: str) -> Iterator[T]:
        """Yield what a line completes: a state, or nothing."""
        event = self._reader.take(line)
        if event is None:
            return
        self._failures = 0
        if event.name == "end":
            self.is_over = True
        if event.name in _QUIET:
            return
        self._seen = event.id
        yield read(Answer(status=200, url=self.path, body=event.data.encode()), self._kind)

    def refuse(self, answer: Answer) -> None:
        """Take an answer that is no stream.

        Raises:
            DynabenchError: What the server refused with, unless that may pass.
        """
        if answer.status not in _MAY_PASS or self._is_in_vain:
            raise error_of(answer)

    def lose(self, found: NoAnswer) -> None:
        """Take a line that broke, or never stood.

        Raises:
            ServerUnreachableError: If nothing has come after several attempts.
        """
        if self._is_in_vain:
            raise ServerUnreachableError(url=found.url, reason=found.reason)

    @property
    def _is_in_vain(self) -> bool:
        return self._seen is None and self._failures >= _FIRST_ATTEMPTS

    def pause(self) -> float:
        """Return how many seconds to wait before the stream is opened again."""
        self._failures += 1
        first = self._reader.retry_seconds or _FIRST_PAUSE_SECONDS
        longer: float = first * 2 ** min(self._failures - 1, 10)
        return min(longer, _LONGEST_PAUSE_SECONDS)
