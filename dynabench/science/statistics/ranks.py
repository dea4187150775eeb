"""Ranks as intervals: 1 + models that are surely better, m - models that are surely worse.

A list from 1 to m as if each place were known says more than the data: two models that
paired tests cannot tell apart get overlapping ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from dynabench.science.statistics.holm import ALPHA, holm_rejects, holm_rejects_t

_HALF = 0.5

Numbers = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class RankInterval:
    """The best and the worst rank that the tests leave open, from 1."""

    low: int
    high: int


def ranks_by_t(
    means: Numbers, covariance: Numbers, *, freedom: float, alpha: float = ALPHA
) -> list[RankInterval]:
    """Rank models by paired t-tests of all pairs, corrected by Holm.

    Args:
        means: Each model's mean, more is better.
        covariance: Of the means, from the same items (`influence.covariance`).
        freedom: Degrees of freedom: clusters - 1.
        alpha: The chance of even one wrong order.
    """
    count = len(means)
    spread = np.diag(covariance)
    variances = spread[:, None] + spread[None, :] - 2 * covariance
    # What rounding leaves of the variance of two equal models is none.
    rounding = 8 * np.finfo(variances.dtype).eps
    variances[variances < (spread[:, None] + spread[None, :]) * rounding] = 0.0
    differences = means[:, None] - means[None, :]
    hits = holm_rejects_t(
        differences, variances, freedom=freedom, tests=count * (count - 1) // 2, alpha=alpha
    )
    return intervals_of(hits & (differences < 0))


def ranks_by_mcnemar(together: NDArray[np.integer], *, alpha: float = ALPHA) -> list[RankInterval]:
    """Rank models by exact McNemar tests of all pairs, corrected by Holm.

    Args:
        together: For each two models how many items both got right; on the diagonal, one.
        alpha: The chance of even one wrong order.
    """
    only_first = np.diag(together)[:, None] - together
    only_second = only_first.T
    upper = np.triu_indices(len(together), k=1)
    differing = (only_first + only_second)[upper]
    fewer = np.minimum(only_first, only_second)[upper]
    p_values = np.minimum(1.0, 2 * bdtr(fewer.astype(float), differing, _HALF))
    # bdtr knows no empty draw.
    p_values[differing == 0] = 1.0
    hits = np.zeros(together.shape, dtype=bool)
    hits[upper] = holm_rejects(p_values, alpha=alpha)
    return intervals_of((hits | hits.T) & (only_first < only_second))


def intervals_of(is_worse: NDArray[np.bool_]) -> list[RankInterval]:
    """Return the rank intervals: `is_worse[i, j]` says that i is surely worse than j.

    Example:
        >>> intervals_of(np.array([[False, False], [True, False]]))
        [RankInterval(low=1, high=1), RankInterval(low=2, high=2)]
    """
    count = len(is_worse)
    better, worse = is_worse.sum(axis=1), is_worse.sum(axis=0)
    return [
        RankInterval(1 + int(above), count - int(below))
        for above, below in zip(better, worse, strict=True)
    ]


def ranks_by_draws(
    draws: Numbers, chosen: Sequence[int], *, alpha: float = ALPHA
) -> list[RankInterval]:
    """Rank chosen models by how often the draws of a bootstrap put one above another.

    Another model is surely better if it is above in all but alpha / 2 of the draws, and so
    for surely worse.

    Args:
        draws: Draws by models; no NaN.
        chosen: Which models to rank among all.
        alpha: The share of draws that may say otherwise, both sides together.
    """
    needed = (1 - alpha / 2) * len(draws)
    columns = np.ascontiguousarray(draws.T)
    found = []
    for model in chosen:
        mine = columns[model]
        above = int(((columns > mine).sum(axis=1) >= needed).sum())
        below = int(((columns < mine).sum(axis=1) >= needed).sum())
        found.append(RankInterval(1 + above, len(columns) - below))
    return found
