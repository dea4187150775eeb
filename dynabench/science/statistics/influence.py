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
Small = NDArray[np.float32]
Places = NDArray[np.int64]


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


def shared_covariance(
    first: NDArray[np.floating], second: NDArray[np.floating]
) -> NDArray[np.floating]:
    """Return what two sets' sharing clusters adds to the covariance of the sum of their scores.

    Σ_c u_c v_cᵀ + v_c u_cᵀ over the shared clusters: with the same influence twice it is twice
    the `covariance`, so that the sum of both varies four times as much as one.

    Args:
        first: Models by shared clusters.
        second: The same models by the same clusters, of the other set.
    """
    crossed = first @ second.T
    return np.asarray(crossed + crossed.T)


def covariance_of_sum(
    covariances: Small, shares: Numbers, shared: Small, products: Numbers
) -> Small:
    """Return the covariance of a weighted sum of sets' scores, models by models.

    Args:
        covariances: Sets by models by models.
        shares: Each set's share.
        shared: By pairs of sets that share clusters, what that adds (`shared_covariance`).
        products: The product of the shares of each such pair.
    """
    found = np.tensordot(np.square(shares).astype(np.float32), covariances, axes=1)
    found += np.tensordot(products.astype(np.float32), shared, axes=1)
    return np.asarray(found)


def most_covariance_of_sum(covariances: Small, shares: Numbers, overlaps: Numbers) -> Small:
    """Return a covariance of the sum that is at least its own: each two sets by their overlap.

    What two sets have in common is at most half the sum of their variances.

    Args:
        covariances: Sets by models by models.
        shares: Each set's share.
        overlaps: How much each two sets have in common (`overlap`), 1 on the diagonal.
    """
    factors = shares * (overlaps @ shares)
    return np.asarray(np.tensordot(factors.astype(np.float32), covariances, axes=1))


def combine_intervals(
    values: Sequence[Numbers],
    lows: Sequence[Numbers],
    highs: Sequence[Numbers],
    shares: Numbers,
    overlaps: Numbers | None = None,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return a weighted mean of estimates with its interval.

    The reaches of the parts' own intervals add up in squares, each side for itself (the
    method of variance estimates recovery, Zou & Donner 2008); of one part it is its own.
    Those of parts on the same clusters add up as they are, the most that they can.

    Args:
        values: By part, the estimates.
        lows: The lower ends of their intervals.
        highs: The upper ends.
        shares: Each part's share.
        overlaps: How much each two parts have in common (`overlap`), 1 on the diagonal; without
            them they are independent.
    """
    value = np.zeros_like(values[0])
    reaches: list[tuple[Numbers, Numbers]] = []
    for part, low, high, share in zip(values, lows, highs, shares, strict=True):
        value = value + share * part
        reaches.append((np.abs(share * (part - low)), np.abs(share * (high - part))))
    below, above = (spread_of_sum(np.stack(side), overlaps) for side in zip(*reaches, strict=True))
    return value, value - np.sqrt(below), value + np.sqrt(above)


def spread_of_sum(errors: Numbers, overlaps: Numbers | None = None) -> Numbers:
    """Return the square of a sum's error: at most Σ r_vw e_v e_w.

    Args:
        errors: Parts first, 0 and more.
        overlaps: How much each two parts have in common; without them they are independent.
    """
    mixed = errors if overlaps is None else np.tensordot(overlaps, errors, axes=1)
    return np.asarray((errors * mixed).sum(axis=0))


def overlap(first: Numbers, second: Numbers, shared: tuple[Places, Places]) -> float:
    """Return about how much two scores can have in common by the clusters that both are over.

    Scores vary together on shared clusters alone. Of a score's variance these have their part of
    the items where items are independent, and of Σ h² where those of a cluster are all alike:
    the larger counts. 1 with the same clusters, 0 with none.

    Args:
        first: Which part of the items each cluster holds (`clusters.parts_of`).
        second: The same of the other score.
        shared: The places of the shared clusters in both.

    Example:
        >>> halves = np.array([0.5, 0.5])
        >>> round(overlap(halves, halves, (np.array([1]), np.array([0]))), 2)
        0.5
    """
    most = 1.0
    for parts, where in zip((first, second), shared, strict=True):
        squares = np.square(parts)
        most *= max(float(parts[where].sum()), float(squares[where].sum() / squares.sum()))
    return float(min(1.0, np.sqrt(most)))
