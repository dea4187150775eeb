"""What times say of a model's throughput."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from dynabench.loop.evaluations.values import FinishedShard

WARM_UP_ITEMS = 10
SAMPLE_ITEMS = 200
REPEATS = 3
REPEAT_SECONDS = 5.0

_FEWEST_ITEMS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """Items per second: the median of some repeats, and the least and most of them."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, rates: Sequence[float]) -> "Pace | None":
        """Return the pace of repeats; None where there were none."""
        return cls(median(rates), min(rates), max(rates)) if rates else None


def parts_of(there: int, *, warm_items: int, warm_seconds: float) -> list[range]:
    """Return the places of the items that each repeat takes, so that it ends within its time.

    No item is asked twice, also not after the warm-up, unless there are very few.

    Example:
        >>> [[*part] for part in parts_of(19, warm_items=10, warm_seconds=0.1)]
        [[10, 13, 16], [11, 14, 17], [12, 15, 18]]
    """
    most = max(_FEWEST_ITEMS, int(warm_items / max(warm_seconds, 1e-9) * REPEAT_SECONDS))
    if there - warm_items < REPEATS * _FEWEST_ITEMS:
        return [range(there)[:most]] * REPEATS
    return [range(warm_items + one, there, REPEATS)[:most] for one in range(REPEATS)]


def pace_of_calls(seconds: Sequence[float]) -> Pace | None:
    """Return the pace of calls that were made one after the other, cut into repeats.

    Example:
        >>> pace_of_calls([0.5] * 6).median
        2.0
    """
    size = len(seconds) // REPEATS
    if not size:
        return None
    parts = [seconds[start * size : (start + 1) * size] for start in range(REPEATS)]
    return Pace.of([len(part) / max(sum(part), 1e-9) for part in parts])


def best_of_batches(shards: Sequence[FinishedShard]) -> float | None:
    """Return the most items per second that a shard was answered with."""
    rates = [one.items / one.seconds for one in shards if one.items and one.seconds > 0]
    return max(rates, default=None)
