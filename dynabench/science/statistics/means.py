"""The mean of per-item scores, with the items of one context taken together.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.clusters import (
    effective_ends,
    freedom_of,
    group_numbers,
    parts_of,
    reduced_error,
)
from dynabench.science.statistics.rates import Interval, Rate

FEW_CLUSTERS = 30
"""From so many clusters on, draws of them vary as the clusters themselves do."""

_HIGH = 0.975

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
    beta-binomial over clusters (`clustered_interval`), which holds near 0 and 1 too. Other
    scores have CR2 and t with Satterthwaite's degrees of freedom; where they are from 0 to 1
    the interval also holds that of the effective items (`clusters.effective_ends`), which is
    not alike to both sides of a mean near 0 or 1.

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
        interval = clustered_interval(_rates(values, groups))
    elif error is not None:
        interval = _reduced_interval(values, parts_of(groups), error)
    return MeanEstimate(mean, len(values), int(groups.max()) + 1, error, interval)


def _reduced_interval(values: Scores, parts: Scores, error: float) -> Interval:
    """Return the interval of scores other than 0 and 1."""
    mean = float(values.mean())
    reach = float(stdtrit(freedom_of(parts), _HIGH)) * error
    low, high = mean - reach, mean + reach
    if values.min() >= 0 and values.max() <= 1:
        items = len(values) * mean * (1 - mean) / float(values.var())
        ends = effective_ends(mean, error, parts, items=items)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Interval(low, high, "clustered_cr2")


def _rates(values: Scores, groups: NDArray[np.int64]) -> list[Rate]:
    """Return how many of each cluster's items were hit."""
    hits = np.rint(np.bincount(groups, weights=values)).astype(np.int64)
    return [
        Rate(hit, size)
        for hit, size in zip(hits.tolist(), np.bincount(groups).tolist(), strict=True)
    ]
