"""A pool of processes for work that only computes."""

import asyncio
import os
import threading
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self, TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")

_WAITING_PER_PROCESS = 2


class ProcessPool:
    """Runs a function on many inputs, in processes that hold nothing of this one.

    The processes start with the first input, and end with the pool or with the process that
    made it, however that ends.

    Args:
        processes: How many at most.
    """

    def __init__(self, *, processes: int) -> None:
        self._processes = processes
        # A fork would take over this process's threads' locks and its connections.
        self._executor = ProcessPoolExecutor(
            processes, mp_context=get_context("spawn"), initializer=_end_with_parent
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._executor.shutdown, cancel_futures=True)

    async def map(
        self, function: Callable[[_T], _R], inputs: AsyncIterable[_T]
    ) -> AsyncIterator[tuple[_T, _R]]:
        """Give each input with its result, in order.

        Of the inputs no more are read ahead than keep the processes busy, so that a long
        sequence is never held in memory.

        Args:
            function: A function of a module; what it takes and gives is sent as pickles.
            inputs: What it is called with.
        """
        loop = asyncio.get_running_loop()
        waiting: deque[tuple[_T, asyncio.Future[_R]]] = deque()
        try:
            async for one in inputs:
                waiting.append((one, loop.run_in_executor(self._executor, function, one)))
                if len(waiting) >= self._processes * _WAITING_PER_PROCESS:
                    given, result = waiting.popleft()
                    yield given, await result
            while waiting:
                given, result = waiting.popleft()
                yield given, await result
        finally:
            for _, result in waiting:
                result.cancel()


def _end_with_parent() -> None:
    """Have this process end as soon as the one that made it has."""
    parent = parent_process()
    assert parent is not None, "the pool's processes have a parent"
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
