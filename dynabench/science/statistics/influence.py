"""What each cluster of items adds to a model's score: errors and paired tests.

A cluster's influence is how far it moves the score from where it is: for a mean, the sum of
the cluster's deviations over n. That of a large cluster is made larger, as it has drawn the
mean to itself (CR2 of `clusters`).
Models that were scored on the same clusters have a covariance, without which no two of them
can be compared.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dynabench.science.statistics.clusters import parts_of

_PAIR = 2

Numbers = NDArray[np.float64]


def influence_of_means(scores: Numbers, groups: NDArray[np.int64]) -> Numbers:
    """Return models by clusters: Σ of (score - mean) within each cluster, over n √(1 - h_c).

    h_c is the part of the items that the cluster holds.

    Args:
        scores: Models by items.
        groups: Each item's cluster, numbered from 0 without gaps.

    Raises:
        ValueError: With fewer than two clusters.
    """
    count = int(groups.max()) + 1
    if count < _PAIR:
        message = "One cluster tells nothing of how clusters vary."
        raise ValueError(message)
    centred = scores - scores.mean(axis=1, keepdims=True)
    if count == len(groups):
        sums = np.empty_like(centred)
        sums[:, groups] = centred
    else:
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(count))
        sums = np.add.reduceat(centred[:, order], starts, axis=1)
    return np.asarray(sums / (scores.shape[1] * np.sqrt(1 - parts_of(groups))))


def covariance(influence: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return the covariance of models' scores over clusters.

    Σ_c u_c u_cᵀ: on the diagonal the square of the clustered standard error.
    """
    return np.asarray(influence @ influence.T)


def combine_intervals(
    values: Sequence[Numbers], lows: Sequence[Numbers], highs: Sequence[Numbers], shares: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return a weighted mean of independent estimates with its interval.

    The reaches of the parts' own intervals add up in squares, each side for itself (the
    method of variance estimates recovery, Zou & Donner 2008); of one part it is its own.
    """
    value, below, above = (np.zeros_like(values[0]) for _ in range(3))
    for part, low, high, share in zip(values, lows, highs, shares, strict=True):
        value = value + share * part
        below = below + np.square(share * (part - low))
        above = above + np.square(share * (high - part))
    return value, value - np.sqrt(below), value + np.sqrt(above)
