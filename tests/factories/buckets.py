"""Buckets on loopback for tests: one that works, and a line to it that fails when told to."""

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

_names = count()
_HOP = frozenset({"connection", "transfer-encoding", "content-length", "host"})


@pytest.fixture(scope="session")
def moto_endpoint() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(moto_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a fresh, empty bucket; the variables are as an operator sets them."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    name = f"bucket-{next(_names)}"
    # The server is the one above, on loopback.
    with urlopen(Request(f"{moto_endpoint}/{name}", method="PUT")) as answer:  # noqa: S310
        assert answer.status == 200
    return f"s3://{name}/below/it"


class Fault(StrEnum):
    """What becomes of a request: refused, answered by half, or not answered at all."""

    REFUSED = "refused"
    CUT = "cut"
    SILENT = "silent"


def _nothing(method: str, path: str) -> Fault | None:
    del method, path
    return None


@dataclass
class FlakyLine:
    """A line to a bucket.

    Attributes:
        endpoint: What to call instead of the bucket's own address.
        fault: What becomes of a request, by its method and its path with the query.
        heard: The requests that came to harm.
    """

    endpoint: str
    fault: Callable[[str, str], Fault | None] = _nothing
    heard: list[str] = field(default_factory=list)

    def heal(self) -> None:
        """Pass everything on from now on."""
        self.fault = _nothing


@contextmanager
def flaky_line(target: str) -> Iterator[FlakyLine]:
    """Open a line to a bucket's service."""
    line, is_over = FlakyLine(""), threading.Event()
    handler = partial(_Passing, target, line, is_over)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    line.endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        yield line
    finally:
        is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Passing(BaseHTTPRequestHandler):
    """Passes requests on, but for those that come to harm."""

    protocol_version = "HTTP/1.1"

    # What the server gives is for the base class.
    def __init__(
        self,
        target: str,
        line: FlakyLine,
        is_over: threading.Event,
        *given: Any,
    ) -> None:
        self.target, self.line, self.is_over = target, line, is_over
        super().__init__(*given)

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        fault = self.line.fault(self.command, self.path)
        if fault is not None:
            self.line.heard.append(f"{self.command} {self.path}")
            self.close_connection = True
        if fault is Fault.SILENT:
            self.is_over.wait(60)
        elif fault is Fault.REFUSED:
            self.tell(500, {}, b"")
        else:
            self.tell(*self.passed(body), is_cut=fault is Fault.CUT)

    def passed(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Return what the service answers."""
        there = http.client.HTTPConnection(urlsplit(self.target).netloc)
        kept = {name: told for name, told in self.headers.items() if name.lower() not in _HOP}
        there.request(self.command, self.path, body, kept)
        reply = there.getresponse()
        content = reply.read()
        there.close()
        return reply.status, dict(reply.getheaders()), content

    def tell(
        self, status: int, headers: dict[str, str], content: bytes, *, is_cut: bool = False
    ) -> None:
        """Answer; of a head the size is the one that the service says."""
        self.send_response_only(status)
        for name, told in headers.items():
            if name.lower() not in _HOP:
                self.send_header(name, told)
        size = str(len(content))
        is_head = self.command == "HEAD"
        self.send_header("content-length", headers.get("Content-Length", size) if is_head else size)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if is_cut else content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - names of the library

    def log_message(self, *args: object) -> None:
        """Tell nobody."""
        del args
