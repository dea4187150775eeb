"""How well a set of items tells models apart, and whether it does so as other sets do.

Both are of Li et al. 2024 ("From crowdsourced data to high-quality benchmarks: Arena-Hard"):
the share of pairs of models whose intervals do not overlap, and the agreement of two benchmarks
on those pairs of which both are sure. Beside the first stands the share of pairs that a paired
test tells apart, which knows that the models answered the same items.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dynabench.science.statistics.holm import ALPHA, holm_rejects_t
from dynabench.science.statistics.rates import Rate

_PAIR = 2

Numbers = NDArray[np.floating]
Signs = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two benchmarks order the pairs of models that both have scored.

    `value` is (agreeing - opposed) / pairs, from -1 to 1; None without a pair.
    """

    agreeing: int
    opposed: int
    pairs: int

    @property
    def value(self) -> float | None:
        """From -1 to 1: a pair of which either is unsure counts 0."""
        return (self.agreeing - self.opposed) / self.pairs if self.pairs else None


def told_apart(means: Numbers, covariance: Numbers, *, freedom: float) -> Rate:
    """Return how many pairs of models differ by a paired test, corrected by Holm.

    Args:
        means: Each model's score.
        covariance: Of the scores, from the same items (`influence.covariance`).
        freedom: Contexts - 1.
    """
    count = len(means)
    tests = count * (count - 1) // 2
    hits = holm_rejects_t(_squares(means, covariance), freedom=freedom, tests=tests)
    return Rate(int(np.count_nonzero(hits)) // 2, tests)


def apart_by_intervals(lows: Numbers, highs: Numbers) -> Rate:
    """Return how many pairs of models have 95 % intervals that do not overlap.

    Example:
        >>> apart_by_intervals(np.array([0.1, 0.2, 0.5]), np.array([0.3, 0.4, 0.6]))
        Rate(part=2, whole=3)
    """
    above = np.count_nonzero(lows[:, None] > highs[None, :])
    return Rate(int(above), len(lows) * (len(lows) - 1) // 2)


def sure_signs(
    differences: Numbers, variances: Numbers, *, freedom: float, alpha: float = ALPHA
) -> Signs:
    """Return 1 or -1 for each pair whose 95 % interval leaves 0 out, else 0."""
    reach = float(stdtrit(freedom, 1 - alpha / 2)) * np.sqrt(np.maximum(variances, 0.0))
    signs = np.where(np.abs(differences) > reach, np.sign(differences), 0)
    return np.asarray(np.nan_to_num(signs), dtype=np.int8)


def agreement(first: Signs, second: Signs, *, both: NDArray[np.bool_]) -> Agreement:
    """Return how two benchmarks agree with confidence.

    Args:
        first: Models by models: 1 or -1 where the one is surely better or worse.
        second: The same of the other benchmark.
        both: The pairs that both have scored.
    """
    upper = np.triu(both, k=1)
    products = first[upper].astype(np.int64) * second[upper]
    return Agreement(
        agreeing=int(np.count_nonzero(products > 0)),
        opposed=int(np.count_nonzero(products < 0)),
        pairs=int(upper.sum()),
    )


def pair_variances(covariance: Numbers) -> Numbers:
    """Return the variance of each two models' difference."""
    spread = np.diag(covariance)
    # Rounding must not leave two equal models a negative variance.
    return np.asarray(
        np.maximum(spread[:, None] + spread[None, :] - 2 * covariance, 0.0), dtype=np.float64
    )


def _squares(means: Numbers, covariance: Numbers) -> Numbers:
    differences = np.square(means[:, None] - means[None, :]).astype(np.float64)
    variances = pair_variances(covariance)
    tiny = 8 * np.finfo(covariance.dtype).eps * (np.diag(covariance).max(initial=0.0) + 1e-300)
    # Without any spread every difference but 0 is sure.
    squares = np.full_like(differences, np.inf)
    np.divide(differences, variances, out=squares, where=variances > tiny)
    squares[differences == 0] = 0.0
    return squares
