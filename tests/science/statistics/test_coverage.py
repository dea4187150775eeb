"""In simulation an interval of 95 % covers the truth in 93.5 to 96.5 % of the cases."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from dynabench.science.statistics.influence import covariance, influence_of_means
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.pairs import paired_difference
from dynabench.science.statistics.ranks import ranks_by_t
from dynabench.science.statistics.rates import Interval, Rate, clustered_interval, wilson

_TRIALS = 1500
_LOW, _HIGH = 0.935, 0.965

Scores = NDArray[np.float64]


def share(covered: Iterator[bool]) -> float:
    return float(np.mean(list(covered)))


def holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    return interval.low <= truth <= interval.high


def clustered(
    random: np.random.Generator, *, truth: float, items: int
) -> tuple[Scores, NDArray[np.int64]]:
    """Return scores of 0 and 1 on items of which three at a time are on one context."""
    groups = np.arange(items, dtype=np.int64) // 3
    # The mean of a uniform threshold over contexts keeps the truth.
    easy = random.uniform(-0.15, 0.15, int(groups.max()) + 1)[groups]
    return (random.random(items) < truth + easy).astype(float), groups


def test_plain_rates() -> None:
    random = np.random.default_rng(1)

    def trials() -> Iterator[bool]:
        for truth in random.uniform(0.1, 0.9, _TRIALS):
            hits = int(random.binomial(120, truth))
            yield holds(wilson(Rate(hits, 120)), truth)

    assert _LOW <= share(trials()) <= _HIGH


def test_rates_of_people_who_differ() -> None:
    random = np.random.default_rng(2)

    def trials() -> Iterator[bool]:
        for _ in range(_TRIALS):
            own = random.beta(6, 14, 80)
            people = [Rate(int(random.binomial(20, one)), 20) for one in own]
            yield holds(clustered_interval(people), 0.3)

    assert _LOW <= share(trials()) <= _HIGH


@pytest.mark.parametrize("items", [120, 450])
def test_clustered_means_of_small_and_large_sets(items: int) -> None:
    random = np.random.default_rng(items)

    def trials() -> Iterator[bool]:
        for truth in random.uniform(0.2, 0.8, _TRIALS):
            scores, groups = clustered(random, truth=truth, items=items)
            # A small set's prior takes items for independent, as they are here.
            own = groups.tolist() if items > 300 else list(range(items))
            scores = scores if items > 300 else (random.random(items) < truth).astype(float)
            found = mean_with_interval(scores.tolist(), own)
            yield found is not None and holds(found.interval, truth)

    assert _LOW <= share(trials()) <= _HIGH


def test_paired_differences() -> None:
    random = np.random.default_rng(4)

    def trials() -> Iterator[bool]:
        for _ in range(_TRIALS):
            first, groups = clustered(random, truth=0.7, items=300)
            # The second is the first with a tenth of its answers drawn again at a half.
            again = random.random(300) < 0.1
            second = np.where(again, random.random(300) < 0.5, first).astype(float)
            found = paired_difference(first.tolist(), second.tolist(), groups.tolist())
            yield found is not None and holds(found.interval, 0.1 * (0.7 - 0.5))

    assert _LOW <= share(trials()) <= _HIGH


def test_ranks_of_models_that_are_equally_good() -> None:
    random = np.random.default_rng(5)

    def trials() -> Iterator[bool]:
        for _ in range(_TRIALS):
            scores = np.stack([clustered(random, truth=0.6, items=300)[0] for _ in range(3)])
            groups = np.arange(300) // 3
            spread = covariance(influence_of_means(scores, groups))
            found = ranks_by_t(scores.mean(axis=1), spread, freedom=int(groups.max()))
            # Every rank is right of models that tie, so none may be ruled out.
            yield bool((found.lows == 1).all() and (found.highs == 3).all())

    assert _LOW <= share(trials()) <= _HIGH
