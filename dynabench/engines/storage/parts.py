"""Parts of stored files, read piece by piece for somebody who takes them slowly."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from typing import Any, BinaryIO, TypeVar

from dynabench.engines.storage.errors import StorageSlowError

ResultT = TypeVar("ResultT")

_PIECE_BYTES = 256 * 1024
# Somebody waits at the other end of the line.
_PIECE_SECONDS = 30.0


async def read_part(file: BinaryIO, start: int, end: int) -> AsyncIterator[bytes]:
    """Return an open file's bytes from a place up to but without another; the end closes it.

    The first piece is there when this returns, so that a store that fails can still be told
    of before an answer begins. No more is read ahead of who takes it, so that a slow line
    costs no memory; of a bucket each piece is asked for by itself, so that no answer of the
    service stays open meanwhile.

    Raises:
        StorageSlowError: If the store takes too long; so do the pieces that follow.
    """
    pieces = _pieces(file, start, end)
    return _joined(await anext(pieces, b""), pieces)


async def _joined(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    try:
        if first:
            yield first
        async for piece in rest:
            yield piece
    finally:
        await rest.aclose()


async def _pieces(file: BinaryIO, start: int, end: int) -> AsyncGenerator[bytes]:
    steps = _Steps(file)
    try:
        await steps.take(partial(file.seek, start))
        left = end - start
        while left and (piece := await steps.take(partial(file.read, min(left, _PIECE_BYTES)))):
            left -= len(piece)
            yield piece
    finally:
        steps.end()


class _Steps:
    """What is done with a file, each step in a thread and within a time."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        # Steps give different things.
        self._last: asyncio.Future[Any] | None = None

    async def take(self, step: Callable[[], ResultT]) -> ResultT:
        """Return what a step gives; the thread of one that takes too long goes on by itself."""
        taken = asyncio.ensure_future(asyncio.to_thread(step))
        self._last = taken
        done, _ = await asyncio.wait({taken}, timeout=_PIECE_SECONDS)
        if not done:
            raise StorageSlowError(seconds=_PIECE_SECONDS)
        return taken.result()

    def end(self) -> None:
        """Close the file: while a thread reads it, closing would hold up everybody."""
        if self._last is None or self._last.done():
            self._file.close()
        else:
            self._last.add_done_callback(self._close_after)

    # As above.
    def _close_after(self, step: asyncio.Future[Any]) -> None:
        if not step.cancelled():
            # Nobody waits for it any more; asking keeps it from being told as overlooked.
            step.exception()
        self._file.close()
