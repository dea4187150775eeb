"""Downloads that go on where a line, or a program, broke."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from dynabench import AsyncDynabenchClient, DynabenchClient
from dynabench.client.errors import (
    ArchiveDamagedError,
    ArchiveNotMadeError,
    ServerUnreachableError,
)
from dynabench.kit.ids import new_id

CONTENT = bytes(range(256)) * 400
DIGEST = hashlib.sha256(CONTENT).hexdigest()
VERSION = new_id()


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dynabench.client.faces.time.sleep", lambda _: None)


class Server:
    """Has one archive, whose lines break after so many bytes."""

    def __init__(self, *breaks: int, states: tuple[str, ...] = ("ready",)) -> None:
        self.asked: list[tuple[str, str | None, str | None]] = []
        self.content = CONTENT
        self._breaks = list(breaks)
        self._states = list(states)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "POST" or request.url.path.endswith("/state"):
            return self._state()
        wanted, tag = request.headers.get("range"), request.headers.get("if-range")
        self.asked.append((request.method, wanted, tag))
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        length = self._breaks.pop(0) if self._breaks else None
        return httpx2.Response(
            206 if wanted else 200, content=_pieces(self.content[start:], length)
        )

    def _state(self) -> httpx2.Response:
        state = self._states.pop(0) if len(self._states) > 1 else self._states[0]
        is_ready = state == "ready"
        told: dict[str, object] = {
            "dataset_version_id": str(VERSION),
            "state": state,
            "file_name": "nli-round-1-v1.zip",
            "digest": DIGEST if is_ready else None,
            "size_bytes": len(CONTENT) if is_ready else None,
            "files": [],
            "job_id": None,
            "progress": None,
            "message": "",
            "error": "The disk is full." if state == "failed" else None,
        }
        return httpx2.Response(200, json=told)

    def client(self) -> DynabenchClient:
        return DynabenchClient(base_url="http://server", transport=httpx2.MockTransport(self))


def _pieces(content: bytes, most: int | None) -> Iterator[bytes]:
    for start in range(0, len(content), 1000):
        if most is not None and start >= most:
            raise httpx2.ReadError("The line went dead.")
        yield content[start : start + 1000]


def test_a_download_goes_on_where_the_line_broke(tmp_path: Path) -> None:
    server = Server(3000, 0, 5000, states=("missing", "making", "making", "ready"))
    told: list[tuple[int, int | None]] = []

    with server.client() as client:
        path = client.datasets.download(
            VERSION, tmp_path, on_progress=lambda *moved: told.append(moved)
        )

    assert path == tmp_path / "nli-round-1-v1.zip"
    assert path.read_bytes() == CONTENT
    assert [*tmp_path.iterdir()] == [path]
    tag = f'"{DIGEST}"'
    assert server.asked == [
        ("GET", None, None),
        *(("GET", f"bytes={start}-", tag) for start in (3000, 3000, 8000)),
    ]
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [moved for moved, _ in told] == sorted(moved for moved, _ in told)


def test_a_download_goes_on_where_the_program_was_stopped(tmp_path: Path) -> None:
    server = Server()
    whole = tmp_path / "mine.zip"

    def stop(moved: int, total: int | None) -> None:
        del total
        if moved >= 4000:
            raise KeyboardInterrupt

    with server.client() as client, pytest.raises(KeyboardInterrupt):
        client.datasets.download(VERSION, whole, on_progress=stop)
    (part,) = tmp_path.iterdir()
    assert part.read_bytes() == CONTENT[:4000]
    with server.client() as client:
        client.datasets.download(VERSION, whole)

    assert whole.read_bytes() == CONTENT
    assert server.asked[-1] == ("GET", "bytes=4000-", f'"{DIGEST}"')


@pytest.mark.parametrize("changed", [CONTENT[:-1] + b"x", CONTENT[:-1], CONTENT + b"x"])
def test_a_damaged_file_is_thrown_away(tmp_path: Path, changed: bytes) -> None:
    server = Server()
    server.content = changed

    with server.client() as client, pytest.raises(ArchiveDamagedError, match="Download it again"):
        client.datasets.download(VERSION, tmp_path)

    assert [*tmp_path.iterdir()] == []


def test_a_line_that_never_stands_is_given_up(tmp_path: Path) -> None:
    server = Server(1000, *[0] * 20)

    with server.client() as client, pytest.raises(ServerUnreachableError, match="went dead"):
        client.datasets.download(VERSION, tmp_path)

    # What came is kept for another time.
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [CONTENT[:1000]]


@pytest.mark.parametrize("status", [404, 503])
def test_a_refusal_is_told(tmp_path: Path, status: int) -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/state"):
            return Server()(request)
        return httpx2.Response(status, json={"detail": "Not now.", "code": "x", "status": status})

    handler: Callable[[httpx2.Request], httpx2.Response] = refuse
    client = DynabenchClient(base_url="http://server", transport=httpx2.MockTransport(handler))

    with client, pytest.raises(Exception, match="Not now"):
        client.datasets.download(VERSION, tmp_path)


async def test_the_async_face_downloads_too(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield CONTENT

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/state"):
            return Server()(request)
        return httpx2.Response(200, content=pieces())

    transport = httpx2.MockTransport(answer)
    async with AsyncDynabenchClient(base_url="http://server", transport=transport) as client:
        path = await client.datasets.download(VERSION, tmp_path)

    # A test waits for nobody.
    assert path.read_bytes() == CONTENT


def test_a_file_that_cannot_be_made_is_told_with_the_reason(tmp_path: Path) -> None:
    server = Server(states=("failed", "making", "failed"))

    with server.client() as client, pytest.raises(ArchiveNotMadeError, match="The disk is full"):
        client.datasets.download(VERSION, tmp_path)
