"""Parts of stored files, read piece by piece for somebody who takes them slowly."""

import asyncio
from collections.abc import AsyncIterator
from typing import BinaryIO

_PIECE_BYTES = 256 * 1024


async def read_part(file: BinaryIO, start: int, end: int) -> AsyncIterator[bytes]:
    """Give an open file's bytes from a place up to but without another, and close it.

    Nothing is read ahead of who takes it, so that a slow line costs no memory; of a bucket
    each piece is asked for by itself, so that no answer of the service stays open meanwhile.
    """
    try:
        await asyncio.to_thread(file.seek, start)
        left = end - start
        while left and (piece := await asyncio.to_thread(file.read, min(left, _PIECE_BYTES))):
            left -= len(piece)
            yield piece
    finally:
        file.close()
