"""Two models on the same items: how far apart they are, and whether that can be told."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, stdtr, stdtrit

from dynabench.science.statistics.clusters import (
    effective_clusters,
    freedom_of,
    group_numbers,
    parts_of,
    reduced_error,
)
from dynabench.science.statistics.rates import Interval

LEAST_P = 1e-300
"""What a p-value is at least: none is 0."""

_HIGH = 0.975


@dataclass(frozen=True, slots=True)
class McNemar:
    """The items that only one of two models got right, and the exact p-value."""

    only_first: int
    only_second: int
    p_value: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """First minus second, with the clustered error of the per-item difference.

    `mcnemar` is set for 0/1 scores alone; it knows of no clusters. Error, interval and
    p-value are None where nothing tells how the difference varies: of one cluster, and where
    all clusters show the same difference. Then the p-value of no difference at all is 1.
    """

    difference: float
    n: int
    standard_error: float | None
    interval: Interval | None
    p_value: float | None
    mcnemar: McNemar | None


def exact_mcnemar(*, only_first: int, only_second: int) -> McNemar:
    """Test whether two models are right equally often, two-sided and exact.

    Of the items that only one got right, half should be the first's: p = min(1,
    2·P[Binomial(b10 + b01, ½) ≤ min(b10, b01)]) (McNemar 1947). Without such items p is 1.

    Example:
        >>> round(exact_mcnemar(only_first=2, only_second=10).p_value, 4)
        0.0386
    """
    differing = only_first + only_second
    fewer = min(only_first, only_second)
    p_value = min(1.0, 2 * float(bdtr(fewer, differing, 0.5))) if differing else 1.0
    # A sum may be smaller than any number; no p-value is 0.
    p_value = max(p_value, LEAST_P)
    return McNemar(only_first, only_second, p_value)


def paired_difference(
    first: Sequence[float], second: Sequence[float], clusters: Sequence[Hashable]
) -> PairedDifference | None:
    """Compare two models' scores item by item; None where there are no items.

    The error of the mean per-item difference is CR2; interval and test use t with
    Satterthwaite's degrees of freedom (`clusters`). Differences of scores from 0 to 1 are
    from -1 to 1, and so is their interval. No p-value is below 2^(1 - C) of C effective
    clusters, which is what flipping the signs of their differences could tell at most
    (Fisher 1935).

    Raises:
        ValueError: If there is not one score of each model and one cluster per item.
    """
    if len(first) != len(second):
        message = f"Paired scores are of the same items, not {len(first)} and {len(second)}."
        raise ValueError(message)
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    groups = group_numbers(clusters, expected=len(one))
    if not len(one):
        return None
    differences = one - other
    mean = float(differences.mean())
    mcnemar = None
    if np.isin(one, (0.0, 1.0)).all() and np.isin(other, (0.0, 1.0)).all():
        mcnemar = exact_mcnemar(
            only_first=int((differences > 0).sum()), only_second=int((differences < 0).sum())
        )
    error = reduced_error(differences, groups)
    if error is None:
        p_value = None if differences.any() or not groups.any() else 1.0
        return PairedDifference(mean, len(one), None, None, p_value, mcnemar)
    parts = parts_of(groups)
    freedom = freedom_of(parts)
    reach = float(stdtrit(freedom, _HIGH)) * error
    low, high = mean - reach, mean + reach
    if min(one.min(), other.min()) >= 0 and max(one.max(), other.max()) <= 1:
        low, high = max(low, -1.0), min(high, 1.0)
    likely = float(2 * stdtr(freedom, -abs(mean) / error))
    return PairedDifference(
        difference=mean,
        n=len(one),
        standard_error=error,
        interval=Interval(low, high, "paired_clustered_cr2"),
        p_value=max(likely, 2.0 ** (1 - effective_clusters(parts)), LEAST_P),
        mcnemar=mcnemar,
    )
