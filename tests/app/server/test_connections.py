"""Real sockets against a real server: what half requests, slow ones and many of them cost."""

import contextlib
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import httpx2
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dynabench.app.server.connections import (
    ConnectionLimits,
    LimitedProtocol,
    OpenConnections,
    raise_open_files,
)
from dynabench.kit.addresses import AddressSet

_SHORT = 0.3
# Less than the limits of a server that was told nothing, however busy this machine is.
_LONG = 15.0
_NOBODY = AddressSet(())


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


async def _much(_: Request) -> PlainTextResponse:
    return PlainTextResponse("x" * 30_000_000)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, limits: ConnectionLimits) -> None:
        super().__init__(config)
        self.server_state = OpenConnections(limits)


@contextmanager
def serving(limits: ConnectionLimits) -> Iterator[tuple[int, OpenConnections]]:
    routes = [Route("/", _echo, methods=["GET", "POST"]), Route("/much", _much)]
    config = uvicorn.Config(
        Starlette(routes=routes), log_config=None, ws="none", http=LimitedProtocol, lifespan="off"
    )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        server = _Server(config, limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield listener.getsockname()[1], cast("OpenConnections", server.server_state)
        finally:
            server.should_exit = server.force_exit = True
            thread.join(timeout=10)


@contextmanager
def talking(limits: ConnectionLimits) -> Iterator[socket.socket]:
    with serving(limits) as (port, _), socket.create_connection(("127.0.0.1", port)) as talker:
        yield talker


def everything_from(connection: socket.socket, *, seconds: float = 5) -> bytes:
    """Read until the server ends the connection."""
    connection.settimeout(seconds)
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:
        return found
    return found


def ask(port: int) -> int:
    return httpx2.get(f"http://127.0.0.1:{port}/", timeout=5).status_code


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: here\r\n",
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HTTP/1.1\r\n",
    ],
)
def test_half_a_request_does_not_keep_a_connection(begun: bytes) -> None:
    with talking(ConnectionLimits(head_seconds=_SHORT)) as half:
        half.sendall(begun)
        started = time.monotonic()
        everything_from(half)

        assert time.monotonic() - started < _LONG


def test_blank_lines_after_an_answer_do_not_keep_a_connection() -> None:
    with talking(ConnectionLimits(head_seconds=_SHORT)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert idle.recv(65536).startswith(b"HTTP/1.1 200")
        idle.sendall(b"\r\n")
        started = time.monotonic()
        everything_from(idle)

        assert time.monotonic() - started < _LONG


def test_a_head_that_comes_in_drops_is_not_given_more_time() -> None:
    with talking(ConnectionLimits(head_seconds=_SHORT)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        started = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - started < _LONG:
                slow.sendall(b"X-A: b\r\n")
                time.sleep(0.05)

    assert time.monotonic() - started < _LONG


def test_whoever_is_too_slow_is_told() -> None:
    with talking(ConnectionLimits(head_seconds=_SHORT)) as half:
        half.sendall(b"GET / HTTP/1.1\r\n")
        answer = everything_from(half)

    assert answer.startswith(b"HTTP/1.1 408")
    assert b'"code": "request.too_slow"' in answer


def test_a_head_has_a_longest_length() -> None:
    with talking(ConnectionLimits(head_bytes=8_000)) as long:
        long.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nX-A: ")
        for _ in range(20):
            time.sleep(0.02)
            try:
                long.sendall(b"x" * 1_000)
            except OSError:
                break
        answer = everything_from(long)

    assert answer.startswith(b"HTTP/1.1 431")


def test_a_body_that_does_not_come_ends_the_request() -> None:
    limits = ConnectionLimits(body_seconds=_SHORT, body_bytes=1_000)
    with serving(limits) as (port, _), socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\nabc")
        answer = everything_from(slow)

    assert answer.startswith(b"HTTP/1.1 408")


def test_a_long_body_that_does_come_is_taken() -> None:
    limits = ConnectionLimits(body_seconds=_SHORT, body_bytes=1_000, head_seconds=_SHORT)
    with serving(limits) as (port, _), socket.create_connection(("127.0.0.1", port)) as steady:
        head = b"POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
        steady.sendall(head + b"Content-Length: 20000\r\n\r\n")
        for _ in range(20):
            time.sleep(0.05)
            steady.sendall(b"x" * 1_000)
        answer = everything_from(steady)

    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"20000")


def test_an_answer_that_nobody_reads_is_given_up() -> None:
    with (
        serving(ConnectionLimits(stalled_seconds=_SHORT)) as (port, opened),
        socket.create_connection(("127.0.0.1", port)) as deaf,
    ):
        deaf.sendall(b"GET /much HTTP/1.1\r\nHost: here\r\n\r\n")
        deadline = time.monotonic() + 5
        while not opened.total_requests and time.monotonic() < deadline:
            time.sleep(0.02)
        while opened.connections and time.monotonic() < deadline:
            time.sleep(0.02)

        assert not opened.connections


def test_hundreds_of_half_requests_make_room_for_whole_ones() -> None:
    limits = ConnectionLimits(most=50, head_seconds=60)
    with serving(limits) as (port, opened):
        halves = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        for half in halves:
            half.sendall(b"GET / HTTP/1.1\r\n")

        assert [ask(port) for _ in range(5)] == [200] * 5
        assert len(opened.connections) <= 50
        for half in halves:
            half.close()


def test_one_address_has_its_share_of_connections() -> None:
    limits = ConnectionLimits(most_per_address=10, uncounted=_NOBODY)
    with serving(limits) as (port, _):
        kept = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
        with socket.create_connection(("127.0.0.1", port)) as one_more:
            answer = everything_from(one_more)

        assert answer.startswith(b"HTTP/1.1 503")
        kept.pop().close()
        time.sleep(0.1)
        assert ask(port) == 200
        for one in kept:
            one.close()


def test_this_machine_and_proxies_are_not_counted() -> None:
    with serving(ConnectionLimits(most_per_address=2)) as (port, _):
        kept = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]

        assert ask(port) == 200
        for one in kept:
            one.close()


def test_connections_that_end_are_forgotten() -> None:
    with serving(ConnectionLimits()) as (port, opened):
        for _ in range(20):
            ask(port)
        time.sleep(0.2)

        assert not opened.connections
        assert not opened._by_address
        assert not opened._waiting


def test_a_server_may_open_more_files_than_it_begins_with() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))

        assert raise_open_files(1_000) == min(1_000, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
