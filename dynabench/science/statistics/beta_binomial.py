"""A rate over people, or over contexts, who differ: the mean of a beta-binomial.

What one person does is alike, so that n tries say less than n people's tries would, and how
much less is itself uncertain where people are few. Both unknowns are integrated out here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dynabench.science.statistics.clusters import effective_ends, error_of_sums
from dynabench.science.statistics.rates import Interval, Rate, total

METHOD = "beta_binomial"
"""What intervals of this kind are called."""

FEWEST = 2
"""One person, or one context, tells nothing of how others differ."""

ENOUGH = 10
"""Fewer people do not tell whether how much somebody does goes with how."""

_ENDS, _MIDDLE = np.array([0.025, 0.975]), np.array([0.5])
_MEANS, _SPREADS = 48, 20
_MOST_STAGES = 12
# Once the ends of the interval move by less than this part of its width, the grid stands.
_SETTLED = 0.01
# Below this spread a beta distribution is a point, and its logarithms lose their digits.
_SMALLEST_SPREAD = 1e-6
_CACHED = 4096

Numbers = NDArray[np.float64]
Counts = tuple[tuple[int, int], ...]
"""How many there are of each number, by the number."""


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The ends of the middle 95 % of the mean, and the middle of the likeness."""

    low: float
    high: float
    likeness: float


def clustered_interval(clusters: Sequence[Rate]) -> Interval | None:
    """Return the interval of the rate of people like these; None with fewer than two.

    Each person's own rate is a draw from Beta(μs, (1 - μ)s), and what they do is binomial
    (Skellam 1948). The interval holds the middle 95 % of the posterior of μ, with
    μ ~ Beta(½, ½) and ρ = 1 / (1 + s) ~ U(0, 1), ρ being how alike two tries of one person
    are. It is stretched to hold the rate of all tries, which those set who wrote most; a rate
    of nothing begins at 0, one of all ends at 1.

    That takes what somebody does for independent of how much they do. From ten people on the
    interval is also stretched to hold that of the effective tries, which does not
    (`clusters.effective_ends`).

    Args:
        clusters: Each person's rate; never for data whose people are unknown. Those
            without a try do not count.
    """
    present = [rate for rate in clusters if rate.whole]
    if len(present) < FEWEST:
        return None
    found = _fitted(present)
    value = total(present).value
    assert value is not None, "somebody has a try"
    low, high = min(found.low, value), max(found.high, value)
    if len(present) >= ENOUGH and 0 < value < 1:
        ends = _of_effective_tries(present, value)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Interval(0.0 if value == 0 else low, 1.0 if value == 1 else high, METHOD)


def _of_effective_tries(present: Sequence[Rate], value: float) -> tuple[float, float]:
    hits = np.array([rate.part for rate in present], dtype=np.float64)
    tries = np.array([rate.whole for rate in present], dtype=np.float64)
    count = int(tries.sum())
    error = error_of_sums((hits - tries * value) / count, tries / count)
    if error is None:
        return value, value
    return effective_ends(value, error, tries / count, items=float(count))


def likeness(clusters: Sequence[Rate]) -> float | None:
    """Return how alike two tries of one person are, from 0 to 1; None with fewer than two.

    That is ρ, the correlation of two tries of one person. It is the median of its posterior
    by the model of `clustered_interval`, so that an interval planned by it is as often too
    wide as too narrow.

    Args:
        clusters: Each person's rate. Those without a try do not count.
    """
    present = [rate for rate in clusters if rate.whole]
    return None if len(present) < FEWEST else _fitted(present).likeness


def _fitted(present: Sequence[Rate]) -> _Fitted:
    parts = Counter(rate.part for rate in present)
    rests = Counter(rate.whole - rate.part for rate in present)
    wholes = Counter(rate.whole for rate in present)
    return _middle(*(tuple(sorted(one.items())) for one in (parts, rests, wholes)))


@lru_cache(maxsize=_CACHED)
def _middle(parts: Counts, rests: Counts, wholes: Counts) -> _Fitted:
    """Return the middle of the posterior.

    The grid is over angles of the mean and roots of the spread, on which both are about evenly
    known where people are many. Few people who tried often leave a sharp peak with far tails:
    so the cells are laid anew, denser where the posterior is, until the interval stands still.
    """
    angles = np.linspace(0.0, np.pi / 2, _MEANS + 1)
    roots = np.linspace(0.0, 1.0, _SPREADS + 1)
    low, high, middle = 0.0, 1.0, 0.5
    for _ in range(_MOST_STAGES):
        posterior = _posterior(_centres(angles), _centres(roots), parts, rests, wholes)
        posterior *= np.diff(angles)[:, None] * np.diff(roots)
        by_mean, by_spread = posterior.sum(axis=1), posterior.sum(axis=0)
        before = low, high
        low, high = np.sin(_quantiles(angles, by_mean, _ENDS)) ** 2
        (middle,) = _quantiles(roots, by_spread, _MIDDLE) ** 2
        if max(abs(low - before[0]), abs(high - before[1])) <= _SETTLED * (high - low):
            break
        angles, roots = _laid_anew(angles, by_mean), _laid_anew(roots, by_spread)
    return _Fitted(float(low), float(high), float(middle))


def _posterior(
    angle: Numbers, root: Numbers, parts: Counts, rests: Counts, wholes: Counts
) -> Numbers:
    """Return the posterior's density on a grid, means by spreads, of any sum."""
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


def _centres(edges: Numbers) -> Numbers:
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def _quantiles(edges: Numbers, mass: Numbers, shares: Numbers) -> Numbers:
    below = np.concatenate([[0.0], np.cumsum(mass)])
    return np.asarray(np.interp(shares * below[-1], below, edges))


def _laid_anew(edges: Numbers, mass: Numbers) -> Numbers:
    """Return as many cells, as dense as the cube root of the density asks.

    A cell counts as its denser neighbour does, as its centre may tell nothing of its edges.
    """
    width = np.diff(edges)
    density = np.pad(mass / width, 1, mode="edge")
    densest = np.maximum(np.maximum(density[:-2], density[1:-1]), density[2:])
    return _quantiles(edges, np.cbrt(densest) * width, np.linspace(0.0, 1.0, len(edges)))
