"""Ranks as intervals: 1 + models that are surely better, m - models that are surely worse.

A list from 1 to m as if each place were known says more than the data: two models that
paired tests cannot tell apart get overlapping ranks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, stdtrit

from dynabench.science.statistics.holm import ALPHA, holm_rejects, holm_rejects_t

_HALF = 0.5
# Beyond so many, the least p-value is next to nothing, and its quantile is out of reach.
_MOST_CONTEXTS = 50.0
_ROUNDING = 64

Numbers = NDArray[np.floating]
Counts = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class RankInterval:
    """The best and the worst rank that the tests leave open, from 1."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RankIntervals:
    """The rank intervals of many models, in their order."""

    lows: Counts
    highs: Counts

    def of(self, place: int) -> RankInterval:
        """Return one model's."""
        return RankInterval(int(self.lows[place]), int(self.highs[place]))


def ranks_by_t(
    means: Numbers,
    covariance: Numbers,
    *,
    freedom: float,
    contexts: float,
    more: Numbers | None = None,
    alpha: float = ALPHA,
) -> RankIntervals:
    """Rank models by paired t-tests of all pairs, corrected by Holm.

    Args:
        means: Each model's mean, more is better.
        covariance: Of the means, from the same items (`influence.covariance`).
        freedom: Degrees of freedom (`clusters.freedom_of`).
        contexts: How many there are in effect (`clusters.effective_clusters`).
        more: What is to be added to each model's variance, independent of other models;
            infinite where nobody knows it.
        alpha: The chance of even one wrong order.
    """
    squares = squares_of_t(means, covariance, freedom=freedom, contexts=contexts, more=more)
    count = len(means)
    tests = count * (count - 1) // 2
    hits = holm_rejects_t(squares, freedom=freedom, tests=tests, alpha=alpha)
    hits &= means[:, None] < means[None, :]
    return intervals_of(hits)


def squares_of_t(
    means: Numbers,
    covariance: Numbers,
    *,
    freedom: float,
    contexts: float,
    more: Numbers | None = None,
) -> Numbers:
    """Return the squares of t of all pairs of models, models by models; 0 tells nothing.

    No t says more than all contexts' favouring the same model would: over C contexts the
    sign test has a p-value of 2^(1 - C) then. So few contexts order no models, however small
    their variance happens to be.
    """
    squares = means[:, None] - means[None, :]
    np.square(squares, out=squares)
    squares /= pair_variances(covariance, more)
    most = float(stdtrit(freedom, 1 - 2.0 ** -min(contexts, _MOST_CONTEXTS)))
    np.minimum(squares, squares.dtype.type(most**2), out=squares)
    return squares


def pair_variances(covariance: Numbers, more: Numbers | None = None) -> Numbers:
    """Return the variance of each two models' difference, models by models.

    It is infinite where the two differ by the same in all contexts but for rounding: nothing
    tells how they would differ in others.
    """
    kind = covariance.dtype.type
    spread = np.diag(covariance) if more is None else np.diag(covariance) + more
    # A thousand models are a million pairs: these arrays are written over, not copied.
    variances = covariance * kind(-2)
    variances += spread[:, None]
    variances += spread[None, :]
    both = spread[:, None] + spread[None, :]
    both *= _ROUNDING * np.finfo(covariance.dtype).eps
    variances[variances <= both] = np.inf
    return variances


def ranks_by_mcnemar(together: NDArray[np.integer], *, alpha: float = ALPHA) -> RankIntervals:
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
    return ranks_by_p(p_values, only_first < only_second, alpha=alpha)


def ranks_by_p(
    p_values: NDArray[np.float64], is_less: NDArray[np.bool_], *, alpha: float = ALPHA
) -> RankIntervals:
    """Rank models by the p-values of all pairs, corrected by Holm.

    Args:
        p_values: Of each two models, in the order of `np.triu_indices(models, k=1)`.
        is_less: Models by models: whether the first is the worse one where they differ.
        alpha: The chance of even one wrong order.
    """
    hits = np.zeros(is_less.shape, dtype=bool)
    hits[np.triu_indices(len(is_less), k=1)] = holm_rejects(p_values, alpha=alpha)
    return intervals_of((hits | hits.T) & is_less)


def intervals_of(is_worse: NDArray[np.bool_]) -> RankIntervals:
    """Return the rank intervals: `is_worse[i, j]` says that i is surely worse than j.

    Example:
        >>> intervals_of(np.array([[False, False], [True, False]])).of(1)
        RankInterval(low=2, high=2)
    """
    better = np.count_nonzero(is_worse, axis=1)
    worse = np.count_nonzero(is_worse, axis=0)
    return RankIntervals(1 + better, len(is_worse) - worse)
