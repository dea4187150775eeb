"""Use case of a run: time a warm model on a fixed sample, one item at a time."""

from collections.abc import Sequence
from time import perf_counter

from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Inputs
from dynabench.loop.evaluations.runs.measures.rules import WARM_UP_ITEMS, Pace, parts_of


async def measure_pace(asker: Asker, sample: Sequence[Inputs]) -> Pace | None:
    """Return the pace of a model with a process of its own; None if it cannot be timed.

    The process is a new one and each repeat has items of its own, so that no model is fast
    for having kept its answers. It has one thread for each of the libraries that take more by
    default.
    """
    if not sample:
        return None
    try:
        await asker.begin_anew()
        await asker.warm()
        warm = sample[:WARM_UP_ITEMS]
        await asker.pace(warm[:1])
        started = perf_counter()
        await asker.pace(warm)
        parts = parts_of(len(sample), warm_items=len(warm), warm_seconds=perf_counter() - started)
        return Pace.of(
            [len(part) / await asker.pace([sample[place] for place in part]) for part in parts]
        )
    except ModelFailedError:
        return None
