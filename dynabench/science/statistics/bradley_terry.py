"""The Bradley-Terry model: strengths of which the differences are log odds of winning.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dynabench.science.statistics.clusters import effective_clusters, freedom_of, group_numbers

_HIGH = 0.975
_TOLERANCE = 1e-6
_CONVERGED = 1e-10
_MAX_STEPS = 200
# The square of what rounding leaves of log odds.
_ROUNDING = 1e-16

FEWEST_GROUPS = 5
"""Fewer people in effect, or conversations, do not tell how others would choose."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Strengths:
    """Log odds around their mean, and how far 95 % intervals reach to each side of them.

    `reach` and `covariance`, of the log odds, are None with fewer than five groups in effect
    (`effective_clusters`), and where all groups won and lost alike: then nothing tells how
    others would. `freedom` are the degrees of freedom of t.
    """

    values: Sequence[float]
    reach: Sequence[float] | None
    covariance: Numbers | None
    freedom: float
    contexts: float


def fit_strengths(
    pairs: Sequence[tuple[int, int]],
    scores: Sequence[float],
    groups: Sequence[Hashable],
    *,
    players: int,
) -> Strengths:
    """Return the maximum likelihood strengths of players.

    P(i beats j) = 1 / (1 + exp(θ_j - θ_i)); a score of 0.5 is half a win for each. The
    error is the sandwich H⁻ (Σ_g u_g u_gᵀ / (1 - h_g)) H⁻ over groups with scores u_g, of
    which group g has the part h_g of the information Σ p(1 - p) (Liang & Zeger 1986). That
    and Satterthwaite's degrees of freedom are those of `clusters`: a group that holds much of
    what is known sets the strengths, and its own scores shrink with that.

    Args:
        pairs: For each battle the numbers of its two players.
        scores: For each battle the share of the win that is the first player's.
        groups: For each battle what it has in common with others, such as who judged it.
        players: How many there are. Wins must lead from each to each other, else the
            likelihood has no maximum.
    """
    signs = np.zeros((len(pairs), players))
    for battle, (one, other) in enumerate(pairs):
        signs[battle, one], signs[battle, other] = 1.0, -1.0
    shares = np.asarray(scores, dtype=np.float64)
    theta = _maximise(signs, shares)
    values = [float(one) for one in theta]
    chances = _chances(signs, theta)
    numbers = group_numbers(groups, expected=len(pairs))
    known = np.bincount(numbers, weights=chances * (1 - chances))
    parts = known / known.sum()
    freedom, effective = freedom_of(parts), effective_clusters(parts)
    unsure = Strengths(values, None, None, freedom, effective)
    if effective < FEWEST_GROUPS - _TOLERANCE:
        return unsure
    sums = np.zeros((len(parts), players))
    np.add.at(sums, numbers, signs * (shares - chances)[:, None])
    sums /= np.sqrt(1 - parts)[:, None]
    inverse = np.linalg.inv(_curvature(signs, chances))
    spread = inverse @ (sums.T @ sums) @ inverse
    if np.diag(spread).min() <= _ROUNDING:
        return unsure
    reach = stdtrit(freedom, _HIGH) * np.sqrt(np.diag(spread))
    return Strengths(values, [float(one) for one in reach], spread, freedom, effective)


def _maximise(signs: Numbers, shares: Numbers) -> Numbers:
    """Climb to the maximum by Newton's steps, none longer than 1."""
    theta = np.zeros(signs.shape[1])
    for _ in range(_MAX_STEPS):
        chances = _chances(signs, theta)
        slope = signs.T @ (shares - chances)
        step = np.linalg.solve(_curvature(signs, chances), slope)
        longest = float(np.abs(step).max())
        theta = theta + step / max(longest, 1.0)
        if longest < _CONVERGED:
            break
    return np.asarray(theta - theta.mean(), dtype=np.float64)


def _chances(signs: Numbers, theta: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-(signs @ theta))), dtype=np.float64)


def _curvature(signs: Numbers, chances: Numbers) -> Numbers:
    """Return the information, with 1 in the one direction that no battle tells about.

    Strengths have no origin: that direction moves all of them alike, and no slope has it.
    """
    players = signs.shape[1]
    known = signs.T @ (signs * (chances * (1 - chances))[:, None])
    return np.asarray(known + 1 / players, dtype=np.float64)
