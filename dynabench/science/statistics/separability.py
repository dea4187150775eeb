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
from dynabench.science.statistics.ranks import squares_of_t
from dynabench.science.statistics.rates import Rate

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


def told_apart(means: Numbers, covariance: Numbers, *, freedom: float, contexts: float) -> Rate:
    """Return how many pairs of models differ by a paired test, corrected by Holm.

    Args:
        means: Each model's score.
        covariance: Of the scores, from the same items (`influence.covariance`).
        freedom: Degrees of freedom (`clusters.freedom_of`).
        contexts: How many there are in effect (`clusters.effective_clusters`).
    """
    count = len(means)
    tests = count * (count - 1) // 2
    squares = squares_of_t(means, covariance, freedom=freedom, contexts=contexts)
    hits = holm_rejects_t(squares, freedom=freedom, tests=tests)
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
    """Return 1 or -1 for each pair whose 95 % interval leaves 0 out, else 0.

    Args:
        differences: Models by models.
        variances: Of these (`ranks.pair_variances`).
        freedom: Degrees of freedom (`clusters.freedom_of`).
        alpha: The chance of a wrong sign.
    """
    reach = float(stdtrit(freedom, 1 - alpha / 2)) * np.sqrt(variances)
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
