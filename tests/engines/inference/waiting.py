"""Waiting for what other processes and tasks do."""

import asyncio
from collections.abc import Awaitable, Callable

from dynabench.engines.inference.protocol import Prediction


async def until(condition: Callable[[], bool], *, seconds: float = 5) -> None:
    async with asyncio.timeout(seconds):
        # A process or a counter is watched: nothing sets an event.
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def gathered(*waiting: Awaitable[Prediction]) -> list[Prediction | BaseException]:
    return list(await asyncio.gather(*waiting, return_exceptions=True))
