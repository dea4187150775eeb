"""What a call consists of, without a transport.

A call is a generator: it yields what should happen next (a request, a pause), is sent what
came of it, and returns its result. The faces alone do input and output, so every call,
retry and page turn is written once for both of them.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

T = TypeVar("T")

Parameters: TypeAlias = Mapping[str, str | list[str]]


class Sink(Protocol):
    """Takes the body of an answer piece by piece."""

    def start(self, total: int | None, *, is_part: bool = False) -> None:
        """Begin, or begin again after a broken attempt.

        Args:
            total: How many bytes follow, if that is known.
            is_part: Whether they are the part that was asked for, and not the whole.
        """

    def write(self, data: bytes) -> None:
        """Take the next piece."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One HTTP request.

    Attributes:
        method: `GET`, `POST` and so on.
        path: Behind the server's address, with its slash.
        parameters: The query.
        headers: Beside those of every request.
        body: The body; each call of it starts from the beginning.
        length: The body's size where it is known.
        is_repeatable: Whether sending it twice does what sending it once does.
        sink: Takes the body of a good answer; None keeps it in `Answer.body`.
    """

    method: str
    path: str
    parameters: Parameters = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Callable[[], Iterator[bytes]] | None = None
    length: int | None = None
    is_repeatable: bool = False
    sink: Sink | None = None


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server answered; header names are in lower case."""

    status: int
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def is_good(self) -> bool:
        """Whether the server did what it was asked."""
        return 200 <= self.status < 300  # noqa: PLR2004


@dataclass(frozen=True, kw_only=True)
class NoAnswer:
    """The line failed.

    Attributes:
        url: Where the request went.
        reason: What happened to it.
        was_sent: Whether the server may have seen the request.
    """

    url: str
    reason: str
    was_sent: bool


Effect: TypeAlias = Request | Pause
Reply: TypeAlias = Answer | NoAnswer | None
Steps: TypeAlias = Generator[Effect, Reply, T]
