"""What times say of a model's throughput."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from statistics import median

import orjson

from dynabench.engines.inference.protocol import Prediction
from dynabench.kit.sentences import Phrase, Sentence
from dynabench.loop.evaluations.values import FinishedShard

WARM_UP_ITEMS = 10
SAMPLE_ITEMS = 200
REPEATS = 3
REPEAT_SECONDS = 5.0

_FEWEST_ITEMS = 3
# Batches of another size change a few of an honest model's answers, never many of them.
_MOST_DIFFERENT = 0.1
_CLOSE = 0.01

OTHERWISE = Phrase(
    "evaluations.timed_otherwise",
    "Its speed is not told: asked one at a time it answered {differing} of {timed} items otherwise "
    "than for its scores.",
)
UNTIMED = Phrase(
    "evaluations.timing_failed", "Its speed is not told: its process ended while it was timed."
)


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


@dataclass(frozen=True, slots=True)
class Timed:
    """What a timed model did: its pace, and what it answered, by the items' places."""

    pace: Pace | None
    answers: Mapping[int, Prediction | dict[str, object]] = field(default_factory=dict)


def places_of_different(inputs: Sequence[Mapping[str, object]]) -> list[int]:
    """Return the place of each input that is not like one before it.

    Example:
        >>> places_of_different([{"text": "a"}, {"text": "b"}, {"text": "a"}])
        [0, 1]
    """
    first: dict[bytes, int] = {}
    for place, value in enumerate(inputs):
        first.setdefault(orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS), place)
    return list(first.values())


def is_enough_for_parts(there: int) -> bool:
    """Tell whether each repeat can have items of its own in one process."""
    return there - WARM_UP_ITEMS >= REPEATS * _FEWEST_ITEMS


def most_in_a_repeat(*, items: int, seconds: float) -> int:
    """Return how many items a repeat may have, at the pace of some, so that it ends in time."""
    return max(_FEWEST_ITEMS, int(items / max(seconds, 1e-9) * REPEAT_SECONDS))


def difference_of(
    timed: Mapping[int, Mapping[str, object]], known: Sequence[Mapping[str, object]]
) -> Sentence | None:
    """Say that a timed model answered otherwise than for its scores; None if it did not.

    A model could tell that it is timed by getting one item at a time, and stop thinking.

    Args:
        timed: What it answered when it was timed, by place; empty where it failed.
        known: What it answered for its scores.
    """
    differing = sum(not _is_same(outputs, known[place]) for place, outputs in timed.items())
    if differing <= max(1, len(timed) * _MOST_DIFFERENT):
        return None
    return OTHERWISE.say(differing=differing, timed=len(timed))


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return one == other


def parts_of(there: int, *, warm_items: int, warm_seconds: float) -> list[range]:
    """Return the places of the items that each repeat takes, so that it ends within its time.

    No item is asked twice, also not after the warm-up; there are enough for that.

    Example:
        >>> [[*part] for part in parts_of(19, warm_items=10, warm_seconds=0.1)]
        [[10, 13, 16], [11, 14, 17], [12, 15, 18]]
    """
    most = most_in_a_repeat(items=warm_items, seconds=warm_seconds)
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
