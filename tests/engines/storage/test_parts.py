"""Somebody who reads slowly, or goes away, holds up nobody; nor does a store that is slow."""

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from dynabench.engines.storage import parts
from dynabench.engines.storage.errors import StorageSlowError
from dynabench.engines.storage.parts import read_part

CONTENT = bytes(range(256)) * 4_000


class Stalling(io.BytesIO):
    """A stored file whose store stops answering when so many pieces were read."""

    def __init__(self, *, after: int) -> None:
        super().__init__(CONTENT)
        self.left = after
        self.goes_on = threading.Event()
        self.is_let_go = threading.Event()
        self.is_reading = threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        self.left -= 1
        if self.left < 0:
            self.is_reading.set()
            self.goes_on.wait(30)
        return super().read(size)

    def close(self) -> None:
        assert not self.is_reading.is_set() or self.goes_on.is_set(), "closed while it is read"
        super().close()
        self.is_let_go.set()


@pytest.fixture
def stalling(request: pytest.FixtureRequest) -> Iterator[Stalling]:
    file = Stalling(after=request.param)
    yield file
    file.goes_on.set()


async def let_go(file: Stalling) -> bool:
    file.goes_on.set()
    return await asyncio.to_thread(file.is_let_go.wait, 30)


async def rest_of(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


async def test_a_part_is_the_bytes_between_two_places() -> None:
    file = io.BytesIO(CONTENT)

    assert await rest_of(await read_part(file, 10, 700_000)) == CONTENT[10:700_000]
    assert file.closed
    assert await rest_of(await read_part(io.BytesIO(CONTENT), 5, 5)) == b""


@pytest.mark.parametrize("stalling", [0], indirect=True)
async def test_a_store_that_is_slow_is_told_of_before_an_answer_begins(
    stalling: Stalling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "_PIECE_SECONDS", 0.01)

    with pytest.raises(StorageSlowError, match=r"not answered within 0\.01 seconds"):
        await read_part(stalling, 0, len(CONTENT))

    assert not stalling.is_let_go.is_set()
    assert await let_go(stalling)


@pytest.mark.parametrize("stalling", [1], indirect=True)
async def test_a_store_that_becomes_slow_ends_the_answer_in_the_middle(
    stalling: Stalling, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = await read_part(stalling, 0, len(CONTENT))
    assert await anext(pieces) == CONTENT[: parts._PIECE_BYTES]
    monkeypatch.setattr(parts, "_PIECE_SECONDS", 0.01)

    with pytest.raises(StorageSlowError):
        await anext(pieces)

    assert await let_go(stalling)


@pytest.mark.parametrize("stalling", [1], indirect=True)
async def test_who_goes_away_while_a_slow_store_reads_holds_up_nobody(stalling: Stalling) -> None:
    pieces = await read_part(stalling, 0, len(CONTENT))
    reading = asyncio.ensure_future(rest_of(pieces))
    await asyncio.to_thread(stalling.is_reading.wait, 30)

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    # The file is closed by whoever reads it last, and the loop waited for nobody meanwhile.
    assert not stalling.is_let_go.is_set()
    assert await let_go(stalling)
