"""Connections to the server: how many there may be, and how long they may keep it waiting.

uvicorn waits for a request for as long as somebody takes to send it. Whoever sends half of one
costs nothing, so that a thousand halves are easily made, and then nobody else is let in.
"""

import asyncio
import contextlib
import json
import resource
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import cast

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from dynabench.kit.addresses import LOOPBACK, AddressSet, address_group
from dynabench.kit.settings import Settings

# The database's connections, files that are read and sent, and target models' pipes.
FILES_OF_A_SERVER = 256
_FEWEST = 16


@dataclass(frozen=True, kw_only=True)
class ConnectionLimits:
    """What connections may take.

    Attributes:
        most: Connections at the same time.
        most_per_address: Those of one address, or of the /64 of an IPv6 address.
        uncounted: Addresses that may hold as many as there are.
        head_seconds: From the first byte of a request, or from connecting, to the end of its head.
        head_bytes: The longest head.
        body_seconds: How often a body is looked at.
        body_bytes: What must have come in such a time; a server that does not read is patient.
        stalled_seconds: How long a sender may leave an answer unread.
    """

    most: int = 4096
    most_per_address: int = 400
    uncounted: AddressSet = field(default_factory=lambda: AddressSet(LOOPBACK))
    head_seconds: float = 20.0
    head_bytes: int = 64 * 1024
    body_seconds: float = 30.0
    body_bytes: int = 16 * 1024
    stalled_seconds: float = 120.0


class OpenConnections(ServerState):
    """The connections of one server, and which of them could be done without."""

    def __init__(self, limits: ConnectionLimits) -> None:
        super().__init__()
        self.limits = limits
        self._by_address: Counter[str] = Counter()
        # Those that wait for a request, the longest first: a dict keeps its order.
        self._waiting: dict[LimitedProtocol, None] = {}

    def admit(self, address: str) -> bool:
        """Count a new connection of an address; tells whether it may stay.

        Where all places are taken, the one that has waited longest without a request goes.
        """
        self._by_address[address] += 1
        is_counted = address not in self.limits.uncounted
        if is_counted and self._by_address[address] > self.limits.most_per_address:
            return False
        if len(self.connections) <= self.limits.most:
            return True
        oldest = next(iter(self._waiting), None)
        if oldest is None:
            return False
        self.has_work(oldest)
        oldest.make_room()
        return True

    def is_gone(self, connection: "LimitedProtocol", *, address: str) -> None:
        """Forget a connection."""
        self._waiting.pop(connection, None)
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]

    def waits(self, connection: "LimitedProtocol") -> None:
        """Note that a connection has no whole request that is to be answered."""
        self._waiting.setdefault(connection)

    def has_work(self, connection: "LimitedProtocol") -> None:
        """Note that a connection's request is being answered."""
        self._waiting.pop(connection, None)


def raise_open_files(most: int = 16_384) -> int:
    """Let this process open as many files as it may, up to `most`; returns how many it can.

    Many systems begin with 1,024 for the sake of old programs and allow far more.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return most if soft == resource.RLIM_INFINITY else soft
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def connection_limits(settings: Settings) -> ConnectionLimits:
    """Return the limits of a server process, with files left for everything else it opens."""
    files = raise_open_files()
    return ConnectionLimits(
        most=max(_FEWEST, min(settings.max_connections, files - FILES_OF_A_SERVER)),
        most_per_address=settings.connections_per_address,
        uncounted=AddressSet((*LOOPBACK, *settings.trusted_proxies)),
    )


class _Phase(Enum):
    """What is expected of the other side."""

    HEAD = auto()
    BODY = auto()
    PATIENCE = auto()


class LimitedProtocol(HttpToolsProtocol):
    """Ends connections whose other side takes too long, sends too much or does not read."""

    def __init__(
        self,
        config: Config,
        server_state: OpenConnections,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open = server_state
        self._limits = server_state.limits
        self._address = ""
        self._phase = _Phase.HEAD
        self._has_begun = False
        self._timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        # Of the head, or of the body since it was last looked at.
        self._received = 0
        self._was_paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a connection in, or refuse it where there are too many."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._address = address_group(self.client[0]) if self.client else ""
        if not self._open.admit(self._address):
            self._refuse(503, "limit", "Too many connections are open. Try again in a minute.")
            return
        self._open.waits(self)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._cancel_timer()
        if self._stall_timer is not None:
            self._stall_timer.cancel()
        self._open.is_gone(self, address=self._address)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and note what is still missing."""
        self._received += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._phase is _Phase.HEAD:
            if self._received > self._limits.head_bytes:
                self._refuse(431, "request.too_large", "The request's head is too long.")
        elif self._phase is _Phase.PATIENCE and self._is_between_requests():
            # Blank lines before a request: uvicorn's own timer has stopped at the first.
            self._expect_head()

    def on_message_begin(self) -> None:
        """A request has begun."""
        super().on_message_begin()
        self._expect_head()
        self._has_begun = True

    def on_headers_complete(self) -> None:
        """The head is there; the body may follow."""
        self._open.has_work(self)
        self._phase = _Phase.BODY
        self._received = 0
        self._was_paused = False
        self._set_timer(self._limits.body_seconds, self._look_at_body)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body is there."""
        super().on_body(body)
        if self.flow.read_paused:
            self._was_paused = True

    def on_message_complete(self) -> None:
        """The whole request is there: now the server is awaited."""
        self._phase = _Phase.PATIENCE
        self._cancel_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is out."""
        super().on_response_complete()
        if self.transport.is_closing() or self.pipeline:
            return
        self._open.waits(self)
        if self._phase is _Phase.BODY:
            # Refused before all of it was sent: the rest is of no use, but may be short.
            self._set_timer(self._limits.head_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        """The other side does not read what is sent."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(self._limits.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The other side reads again."""
        super().resume_writing()
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def make_room(self) -> None:
        """End a connection that waits for a request, for one that may have one."""
        self.transport.close()

    def _is_between_requests(self) -> bool:
        # It is None before the first request, whatever uvicorn's annotation says.
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]

    def _expect_head(self) -> None:
        """Wait for a head, from now on: what comes in pieces does not make it longer."""
        self._phase = _Phase.HEAD
        self._has_begun = False
        self._received = 0
        self._set_timer(self._limits.head_seconds, self._end_waiting)

    def _end_waiting(self) -> None:
        if self._has_begun and self._is_between_requests():
            self._refuse(408, "request.too_slow", "The request did not arrive in time.")
        else:
            self.transport.close()

    def _look_at_body(self) -> None:
        if self.flow.read_paused:
            self._was_paused = True
        if self._received < self._limits.body_bytes and not self._was_paused:
            if self.cycle.response_started:
                self.transport.abort()
            else:
                self._refuse(408, "request.too_slow", "The request did not arrive in time.")
            return
        self._received = 0
        self._was_paused = False
        self._set_timer(self._limits.body_seconds, self._look_at_body)

    def _set_timer(self, seconds: float, then: Callable[[], object]) -> None:
        self._cancel_timer()
        self._timer = self.loop.call_later(seconds, then)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: int, code: str, sentence: str) -> None:
        """Say why the connection ends, and end it."""
        self._cancel_timer()
        body = json.dumps(
            {
                "type": "about:blank",
                "title": "Not possible right now",
                "status": status,
                "detail": sentence,
                "code": code,
                "facts": {},
                "fields": {},
                "request_id": "",
            }
        ).encode()
        self.transport.write(
            STATUS_LINE[status]
            + b"content-type: application/problem+json\r\nconnection: close\r\n"
            + f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        self.transport.close()
