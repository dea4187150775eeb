"""The mean of per-item scores, with the items of one context taken together.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import Interval, Rate

SMALL_SET = 300
FEW_CLUSTERS = 30
"""Below so many items, or clusters, the normal theory of clustered errors is not trusted."""

_HIGH = 0.975
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
    scores: Sequence[float], clusters: Sequence[Hashable]
) -> MeanEstimate | None:
    """Return the mean score of a model; None where there are no items.

    SE = √(Σ_c (Σ_{i∈c}(s_i - s̄))²) / n · √(C/(C-1)) over C clusters (Liang & Zeger 1986;
    for evaluations: Miller 2024, "Adding error bars to evals"), and t with C - 1 degrees
    of freedom. Below 300 items or 30 clusters, and where all scores are 0 or all are 1, the
    interval of 0/1 scores is that of a beta-binomial over clusters (`clustered_interval`).
    Other scores have the bias-reduced error CR2 there, and t with Satterthwaite's degrees of
    freedom (Bell & McCaffrey 2002; Imbens & Kolesár 2016).

    There is no interval of one cluster, nor one of no width: scores other than 0 and 1 that
    are all the same say nothing of how others would vary.

    Args:
        scores: One score per item.
        clusters: For each item what it has in common with others, such as its context.
    """
    values = np.asarray(scores, dtype=np.float64)
    groups = group_numbers(clusters, expected=len(values))
    if not len(values):
        return None
    mean = float(values.mean())
    count = int(groups.max()) + 1
    error = clustered_standard_error(values, groups)
    is_binary = bool(np.isin(values, (0.0, 1.0)).all())
    is_small = len(values) < SMALL_SET or count < FEW_CLUSTERS
    interval: Interval | None = None
    if is_binary and (is_small or mean in {0.0, 1.0}):
        interval = clustered_interval(_rates(values, groups))
    elif error is not None and is_small:
        interval = _reduced_interval(values, groups)
    elif error:
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


def _rates(values: Scores, groups: NDArray[np.int64]) -> list[Rate]:
    """Return how many of each cluster's items were hit."""
    hits = np.rint(np.bincount(groups, weights=values)).astype(np.int64)
    return [
        Rate(hit, size)
        for hit, size in zip(hits.tolist(), np.bincount(groups).tolist(), strict=True)
    ]


def _reduced_interval(values: Scores, groups: NDArray[np.int64]) -> Interval | None:
    """Return the interval by CR2 and Satterthwaite, whose formulas are short for a mean.

    With h_c the part of all items that cluster c holds, and r_c its sum of deviations:
    SE² = Σ r_c² / (1 - h_c) / n², and where w_c = h_c² / (1 - h_c) there are
    1 / (Σ h_c² + (Σ w_c)² - Σ w_c²) degrees of freedom, C - 1 of equal clusters.
    """
    mean = float(values.mean())
    sums = np.bincount(groups, weights=values - mean)
    parts = np.bincount(groups) / len(values)
    error = float(np.sqrt((sums**2 / (1 - parts)).sum()) / len(values))
    # What is left of deviations of equal scores is rounding.
    if error <= np.finfo(np.float64).eps * len(values) * float(np.abs(values).max()):
        return None
    leverage = parts**2 / (1 - parts)
    freedom = 1 / ((parts**2).sum() + leverage.sum() ** 2 - (leverage**2).sum())
    reach = float(stdtrit(freedom, _HIGH)) * error
    return Interval(mean - reach, mean + reach, "clustered_cr2")
