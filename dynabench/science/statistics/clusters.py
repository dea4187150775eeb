"""What scores have in common by their clusters, such as contexts, and what that costs.

Clusters of unequal sizes say less than as many of equal sizes would: the largest set the mean,
and its residuals shrink with it. The bias-reduced error CR2 and Satterthwaite's degrees of
freedom take account of both (Bell & McCaffrey 2002; Imbens & Kolesár 2016).
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from dynabench.science.statistics.rates import Z_95

FEWEST_CONTEXTS = 10
"""Of fewer contexts, or of a few that hold nearly all items, no order of models is told."""

_PAIR = 2
_LOW, _HIGH = 0.025, 0.975
# What is left of deviations of equal scores is smaller than this part of them.
_ROUNDING = 64 * np.finfo(np.float64).eps

Numbers = NDArray[np.float64]


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


def parts_of(groups: NDArray[np.int64]) -> Numbers:
    """Return which part of all items each cluster holds, of clusters numbered from 0."""
    return np.asarray(np.bincount(groups) / len(groups))


def effective_clusters(parts: Numbers) -> float:
    """Return how many clusters of equal sizes would say as much: 1 / Σ h_c².

    Example:
        >>> effective_clusters(np.array([0.25, 0.25, 0.25, 0.25]))
        4.0
        >>> round(effective_clusters(np.array([0.9, 0.1])), 2)
        1.22
    """
    return float(1 / np.square(parts).sum())


def are_enough(effective: float) -> bool:
    """Tell whether so many effective clusters suffice to order models by."""
    return effective > FEWEST_CONTEXTS - 1e-6


def freedom_of(parts: Numbers) -> float:
    """Return Satterthwaite's degrees of freedom of a mean's CR2 error.

    With h_c the part of cluster c and w_c = h_c² / (1 - h_c) they are
    1 / (Σ h_c² + (Σ w_c)² - Σ w_c²): C - 1 of equal clusters; 0 of one.
    """
    if len(parts) < _PAIR:
        return 0.0
    leverage = np.square(parts) / (1 - parts)
    squares = float(np.square(parts).sum())
    return float(1 / (squares + leverage.sum() ** 2 - np.square(leverage).sum()))


def reduced_error(values: Numbers, groups: NDArray[np.int64]) -> float | None:
    """Return the CR2 error of a mean; None where nothing tells how it varies.

    With r_c the sum of deviations in cluster c: SE² = Σ r_c² / (1 - h_c) / n². One cluster
    tells nothing, nor do clusters that all have the same mean but for rounding.
    """
    sums = np.bincount(groups, weights=values - values.mean()) / len(values)
    return error_of_sums(sums, parts_of(groups), largest=float(np.abs(values).max()))


def error_of_sums(sums: Numbers, parts: Numbers, *, largest: float = 1.0) -> float | None:
    """Return the CR2 error from each cluster's sum of deviations over n, None as there."""
    if len(parts) < _PAIR:
        return None
    error = float(np.sqrt((np.square(sums) / (1 - parts)).sum()))
    return error if error > _ROUNDING * largest else None


def effective_ends(
    mean: float, error: float, parts: Numbers, *, items: float
) -> tuple[float, float]:
    """Return Jeffreys' interval of as many independent tries as have the same error.

    After Korn & Graubard 1998: m(1 - m) / SE² tries, no more than there are, and fewer where
    there are few degrees of freedom.

    Args:
        mean: Of scores from 0 to 1, itself between them.
        error: Its CR2 error.
        parts: Which part of the items each cluster holds.
        items: How many tries there are; an item whose score varies less than 0 and 1 would
            is worth several.
    """
    size = min(items, mean * (1 - mean) / error**2)
    size *= (Z_95 / float(stdtrit(freedom_of(parts), _HIGH))) ** 2
    hits, misses = mean * size + 0.5, (1 - mean) * size + 0.5
    return float(betaincinv(hits, misses, _LOW)), float(betaincinv(hits, misses, _HIGH))
