"""The mean of per-item scores, with the items of one context taken together.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from dynabench.science.statistics.rates import Interval

SMALL_SET = 300
"""Below so many items the normal theory of clustered errors is not trusted."""

BOOTSTRAP_SAMPLES = 2000

_LOW, _HIGH = 0.025, 0.975
_SEED = 17
_PAIR = 2

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean with its n, its clustered standard error and its 95 % interval.

    The error is None with fewer than two clusters, and so may the interval be.
    """

    mean: float
    n: int
    clusters: int
    standard_error: float | None
    interval: Interval | None


def mean_with_interval(
    scores: Sequence[float], clusters: Sequence[Hashable], *, seed: int = _SEED
) -> MeanEstimate | None:
    """Return the mean score of a model; None where there are no items.

    SE = √(Σ_c (Σ_{i∈c}(s_i - s̄))²) / n · √(C/(C-1)) over C clusters (Liang & Zeger 1986;
    for evaluations: Miller 2024, "Adding error bars to evals"), and t with C - 1 degrees
    of freedom. Below 300 items, and where all scores are 0 or all are 1, the interval is
    that of a Beta(1, 1) prior for 0/1 scores, and else a percentile bootstrap of clusters.
    It always holds the mean: where no score is 1 it begins at 0, where all are it ends at 1,
    as Brown, Cai & DasGupta 2001 ("Interval estimation for a binomial proportion") modify
    intervals of that kind.

    Args:
        scores: One score per item.
        clusters: For each item what it has in common with others, such as its context.
        seed: Of the bootstrap; the same seed gives the same interval.
    """
    values = np.asarray(scores, dtype=np.float64)
    groups = group_numbers(clusters, expected=len(values))
    if not len(values):
        return None
    mean = float(values.mean())
    count = int(groups.max()) + 1
    error = clustered_standard_error(values, groups)
    is_binary = bool(np.isin(values, (0.0, 1.0)).all())
    interval: Interval | None = None
    if is_binary and (len(values) < SMALL_SET or mean in {0.0, 1.0}):
        interval = _beta_interval(hits=int(values.sum()), n=len(values))
    elif error is not None and len(values) < SMALL_SET:
        interval = _bootstrap_interval(values, groups, seed=seed)
    elif error is not None:
        reach = float(stdtrit(count - 1, _HIGH)) * error
        interval = Interval(mean - reach, mean + reach, "clustered_t")
    return MeanEstimate(mean, len(values), count, error, interval)


def clustered_standard_error(values: Scores, groups: NDArray[np.int64]) -> float | None:
    """Return the standard error of a mean; None with fewer than two clusters."""
    count = int(groups.max()) + 1
    if count < _PAIR:
        return None
    sums = np.bincount(groups, weights=values - values.mean(), minlength=count)
    return float(np.sqrt((sums**2).sum()) / len(values) * np.sqrt(count / (count - 1)))


def group_numbers(clusters: Sequence[Hashable], *, expected: int) -> NDArray[np.int64]:
    """Return for each item the number of its cluster, in order of appearance.

    Raises:
        ValueError: If there is not one cluster per item.
    """
    if len(clusters) != expected:
        message = f"{expected} items need as many clusters, not {len(clusters)}."
        raise ValueError(message)
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in clusters], dtype=np.int64)


def _beta_interval(*, hits: int, n: int) -> Interval:
    shape = (hits + 1, n - hits + 1)
    # The posterior is drawn towards the middle, and its quantiles leave the very ends out.
    low = 0.0 if hits == 0 else float(betaincinv(*shape, _LOW))
    high = 1.0 if hits == n else float(betaincinv(*shape, _HIGH))
    return Interval(low, high, "beta")


def _bootstrap_interval(values: Scores, groups: NDArray[np.int64], *, seed: int) -> Interval:
    sums = np.bincount(groups, weights=values)
    sizes = np.bincount(groups)
    drawn = np.random.default_rng(seed).integers(len(sums), size=(BOOTSTRAP_SAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [_LOW, _HIGH])
    mean = float(values.mean())
    # Of a few clusters that differ in size, most draws may lie on one side of the mean.
    return Interval(min(float(low), mean), max(float(high), mean), "cluster_bootstrap")
