"""The mean of per-item scores, with the items of one context taken together.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.clusters import (
    freedom_of,
    group_numbers,
    parts_of,
    reduced_error,
)
from dynabench.science.statistics.rates import Z_95, Interval, Rate

FEW_CLUSTERS = 30
"""Fewer clusters than this do not tell whether sizes and scores go together."""

_LOW, _HIGH = 0.025, 0.975

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean with its n, its clustered standard error and its 95 % interval.

    Error and interval are None where the items do not tell how others would vary.
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

    The error is CR2 (`clusters.reduced_error`). The interval of 0/1 scores is that of a
    beta-binomial over clusters (`clustered_interval`), which holds near 0 and 1 too. It takes
    sizes and scores of clusters for independent. From 30 clusters on it is stretched to hold
    the interval of the items' own mean as well, which does not: Jeffreys' of as many
    independent items as have the same CR2 error (after Korn & Graubard 1998). Other scores
    have CR2 and t with Satterthwaite's degrees of freedom.

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
    error = reduced_error(values, groups)
    interval: Interval | None = None
    if bool(np.isin(values, (0.0, 1.0)).all()):
        interval = _binary_interval(values, groups, error)
    elif error is not None:
        reach = float(stdtrit(freedom_of(parts_of(groups)), _HIGH)) * error
        interval = Interval(mean - reach, mean + reach, "clustered_cr2")
    return MeanEstimate(mean, len(values), int(groups.max()) + 1, error, interval)


def _binary_interval(
    values: Scores, groups: NDArray[np.int64], error: float | None
) -> Interval | None:
    """Return the interval of 0/1 scores."""
    found = clustered_interval(_rates(values, groups))
    mean, parts = float(values.mean()), parts_of(groups)
    if found is None or error is None or len(parts) < FEW_CLUSTERS or mean in {0.0, 1.0}:
        return found
    # So many independent items have this error; few degrees of freedom make them fewer.
    size = min(float(len(values)), mean * (1 - mean) / error**2)
    size *= (Z_95 / float(stdtrit(freedom_of(parts), _HIGH))) ** 2
    hits, misses = mean * size + 0.5, (1 - mean) * size + 0.5
    low, high = (float(betaincinv(hits, misses, end)) for end in (_LOW, _HIGH))
    return Interval(min(found.low, low), max(found.high, high), found.method)


def _rates(values: Scores, groups: NDArray[np.int64]) -> list[Rate]:
    """Return how many of each cluster's items were hit."""
    hits = np.rint(np.bincount(groups, weights=values)).astype(np.int64)
    return [
        Rate(hit, size)
        for hit, size in zip(hits.tolist(), np.bincount(groups).tolist(), strict=True)
    ]
