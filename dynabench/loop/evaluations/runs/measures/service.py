"""Use case of a run: time a warm model on a fixed sample, one item at a time."""

from collections.abc import Sequence
from time import perf_counter

from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Inputs
from dynabench.loop.evaluations.runs.measures.rules import REPEATS, WARM_UP_ITEMS, Pace, sample_size


async def measure_pace(asker: Asker, sample: Sequence[Inputs]) -> Pace | None:
    """Return the pace of a model with a process of its own; None if it cannot be timed.

    The process has one thread for each of the libraries that take more by default.
    """
    if not sample:
        return None
    try:
        await asker.warm()
        warm = sample[:WARM_UP_ITEMS]
        await asker.pace(warm[:1])
        started = perf_counter()
        await asker.pace(warm)
        size = sample_size(
            there=len(sample), warm_items=len(warm), warm_seconds=perf_counter() - started
        )
        return Pace.of([size / await asker.pace(sample[:size]) for _ in range(REPEATS)])
    except ModelFailedError:
        return None
