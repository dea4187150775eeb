import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from math import factorial

import psutil
import pytest

from dynabench.engines.processes.pool import ProcessPool


async def counted(count: int, asked: list[int]) -> AsyncIterator[int]:
    for number in range(count):
        asked.append(number)
        yield number


async def test_results_come_in_order_and_inputs_are_read_as_needed() -> None:
    asked: list[int] = []
    async with ProcessPool(processes=1) as pool:
        found = pool.map(factorial, counted(9, asked))

        assert await anext(found) == (0, 1)
        assert len(asked) <= 3
        assert [result async for _, result in found] == [
            factorial(number) for number in range(1, 9)
        ]


async def test_what_a_function_raises_is_raised_here() -> None:
    async def negative() -> AsyncIterator[int]:
        yield -1

    async with ProcessPool(processes=1) as pool:
        with pytest.raises(ValueError, match="negative"):
            await anext(pool.map(factorial, negative()))


def test_no_process_outlives_the_one_that_made_it() -> None:
    program = """
import asyncio, os, time
from dynabench.engines.processes.pool import ProcessPool

async def seconds():
    yield 0
    yield 60

async def main():
    async with ProcessPool(processes=1) as pool:
        async for _ in pool.map(time.sleep, seconds()):
            print("ready", flush=True)

if __name__ == "__main__":
    asyncio.run(main())
"""
    # The program is the one above.
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)

    assert children
    deadline = time.monotonic() + 10
    while any(child.is_running() and child.status() != "zombie" for child in children):
        assert time.monotonic() < deadline, "a process of the pool goes on"
        time.sleep(0.02)


async def test_a_pool_that_is_left_early_ends() -> None:
    asked: list[int] = []
    async with ProcessPool(processes=1) as pool:
        async for _ in pool.map(factorial, counted(100, asked)):
            break
    await asyncio.sleep(0)

    assert len(asked) <= 3
