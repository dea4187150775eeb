"""Work in threads that is never left alone."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

ResultT = TypeVar("ResultT")


async def ended(work: Awaitable[ResultT]) -> ResultT:
    """Return what a thread's work gives; also who is cancelled waits, as the thread goes on."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
    return task.result()
