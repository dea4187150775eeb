"""A rate over people, or over contexts, who differ: the mean of a beta-binomial.

What one person does is alike, so that n tries say less than n people's tries would, and how
much less is itself uncertain where people are few. Both unknowns are integrated out here.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dynabench.science.statistics.rates import Interval, Rate, total

METHOD = "beta_binomial"
"""What intervals of this kind are called."""

FEWEST = 2
"""One person, or one context, tells nothing of how others differ."""

_ENDS = (0.025, 0.975)
_MEANS, _SPREADS = 48, 20
_MOST_STAGES = 6
# Cells of a stage whose part of the posterior is smaller than this are left behind.
_NEGLIGIBLE = 1e-7
# Below this spread a beta distribution is a point, and its logarithms lose their digits.
_SMALLEST_SPREAD = 1e-6
_CACHED = 4096

Numbers = NDArray[np.float64]
Counts = tuple[tuple[int, int], ...]
"""How many there are of each number, by the number."""


def clustered_interval(clusters: Sequence[Rate]) -> Interval | None:
    """Return the interval of the rate of people like these; None with fewer than two.

    Each person's own rate is a draw from Beta(μs, (1 - μ)s), and what they do is binomial
    (Skellam 1948). The interval holds the middle 95 % of the posterior of μ, with
    μ ~ Beta(½, ½) and ρ = 1 / (1 + s) ~ U(0, 1), ρ being how alike two tries of one person
    are. It is stretched to hold the rate of all tries, which those set who wrote most; a rate
    of nothing begins at 0, one of all ends at 1.

    Args:
        clusters: Each person's rate; never for data whose people are unknown. Those
            without a try do not count.
    """
    present = [rate for rate in clusters if rate.whole]
    if len(present) < FEWEST:
        return None
    parts = Counter(rate.part for rate in present)
    rests = Counter(rate.whole - rate.part for rate in present)
    wholes = Counter(rate.whole for rate in present)
    low, high = _middle(*(tuple(sorted(one.items())) for one in (parts, rests, wholes)))
    value = total(present).value
    assert value is not None, "somebody has a try"
    low = 0.0 if value == 0 else min(low, value)
    high = 1.0 if value == 1 else max(high, value)
    return Interval(low, high, METHOD)


@lru_cache(maxsize=_CACHED)
def _middle(parts: Counts, rests: Counts, wholes: Counts) -> tuple[float, float]:
    """Return the middle 95 % of the posterior of the mean.

    The grid is over angles of the mean and roots of the spread, on which both are about
    evenly known, and is laid anew over what holds the posterior until nothing is left to cut.
    """
    angles, roots = (0.0, np.pi / 2), (0.0, 1.0)
    for _ in range(_MOST_STAGES):
        angle, root = _centres(angles, _MEANS), _centres(roots, _SPREADS)
        posterior = _posterior(angle, root, parts, rests, wholes)
        closer = _cut(angles, posterior.sum(axis=1)), _cut(roots, posterior.sum(axis=0))
        is_closer = _width(closer[0]) < _width(angles) / 2 or _width(closer[1]) < _width(roots) / 2
        if not is_closer:
            break
        angles, roots = closer
    mass = posterior.sum(axis=1)
    below = np.concatenate([[0.0], np.cumsum(mass)]) / mass.sum()
    edges = np.sin(np.linspace(*angles, _MEANS + 1)) ** 2
    low, high = np.interp(_ENDS, below, edges)
    return float(low), float(high)


def _posterior(
    angle: Numbers, root: Numbers, parts: Counts, rests: Counts, wholes: Counts
) -> Numbers:
    """Return the posterior on the grid's cells, means by spreads, of any sum."""
    mean = np.sin(angle) ** 2
    spread = np.maximum(root**2, _SMALLEST_SPREAD)
    size = (1 - spread) / spread
    alike, other = mean[:, None] * size, (1 - mean)[:, None] * size
    people = sum(times for _, times in wholes)
    found = people * (gammaln(size) - gammaln(alike) - gammaln(other))
    found += _sum_of_gammas(alike, parts) + _sum_of_gammas(other, rests)
    found -= _sum_of_gammas(size, wholes)
    # A uniform angle is the mean's Beta(½, ½); the root makes the spread uniform.
    found += np.log(root)
    return np.asarray(np.exp(found - found.max()))


def _sum_of_gammas(shape: Numbers, counts: Counts) -> Numbers:
    numbers, times = np.array(counts, dtype=np.float64).T
    return np.asarray(gammaln(shape[..., None] + numbers) @ times)


def _centres(ends: tuple[float, float], count: int) -> Numbers:
    return np.linspace(*ends, 2 * count + 1)[1::2]


def _cut(ends: tuple[float, float], mass: Numbers) -> tuple[float, float]:
    """Return the part of a range that holds the posterior, with a cell of room."""
    low, high = ends
    step = (high - low) / len(mass)
    kept = np.flatnonzero(mass > mass.sum() * _NEGLIGIBLE)
    return max(low, low + (kept[0] - 1) * step), min(high, low + (kept[-1] + 2) * step)


def _width(ends: tuple[float, float]) -> float:
    return ends[1] - ends[0]
