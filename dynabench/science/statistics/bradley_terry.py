"""The Bradley-Terry model: strengths of which the differences are log odds of winning.

Loads the small part of SciPy alone: a server computes boards while it answers people.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from dynabench.science.statistics.clusters import effective_clusters, freedom_of, group_numbers

_HIGH = 0.975
_TOLERANCE = 1e-6
_ALONE = 1e-9
_CONVERGED = 1e-10
_MAX_STEPS = 200
# The square of what rounding leaves of log odds.
_ROUNDING = 1e-16

FEWEST_GROUPS = 5
"""Fewer people in effect, or conversations, do not tell how others would choose."""

# Contrasts are looked at together while they take no more than so many numbers.
_AT_ONCE = 4_000_000

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Strengths:
    """Log odds, how far their 95 % intervals reach to each side, and all pairs' tests.

    `is_known` tells which players are compared with another one by five groups in effect at
    least, who do not all choose alike. The mean of these is 0, or of all without any. `reach` is
    None of others, and where fewer groups tell how far a player is from that mean. `p_values`
    are of all pairs, players by players: 1 where nothing tells how others would choose.
    """

    values: Sequence[float]
    is_known: Sequence[bool]
    reach: Sequence[float | None]
    p_values: Numbers


def fit_strengths(
    pairs: Sequence[tuple[int, int]],
    scores: Sequence[float],
    groups: Sequence[Hashable],
    *,
    players: int,
) -> Strengths:
    """Return the maximum likelihood strengths of players.

    P(i beats j) = 1 / (1 + exp(θ_j - θ_i)); a score of 0.5 is half a win for each. How much θ
    depends on a group is the step that leaving it out makes, (H - H_g)⁻¹ u_g, with its scores
    u_g and its part H_g of the information H: the variance of a contrast c is the sum of the
    squares of c·step (a jackknife, Bell & McCaffrey 2002). Of that contrast group g tells the
    part h_g = c'H⁻¹H_gH⁻¹c / c'H⁻¹c, from which follow Satterthwaite's degrees of freedom and
    how many groups there are in effect (`clusters`): a player whom few people judged is known
    by few, however many judged the others. No p-value is below 2^(1 - C) of C groups in effect.

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
    spread = _Spread.of(signs, shares, theta, group_numbers(groups, expected=len(pairs)))
    first, second = np.triu_indices(players, k=1)
    p_values = np.full((players, players), np.nan)
    p_values[first, second] = spread.p_values(theta, first, second)
    p_values[second, first] = p_values[first, second]
    is_known = np.isfinite(p_values).any(axis=1)
    centre = is_known / is_known.sum() if is_known.any() else np.full(players, 1 / players)
    errors, freedom, effective = spread.along(np.eye(players) - centre)
    has_reach = is_known & (effective >= FEWEST_GROUPS - _TOLERANCE)
    reach = stdtrit(np.maximum(freedom, 1.0), _HIGH) * errors
    return Strengths(
        (theta - centre @ theta).tolist(),
        is_known.tolist(),
        [float(each) if has else None for each, has in zip(reach, has_reach, strict=True)],
        np.where(np.isfinite(p_values), p_values, 1.0),
    )


@dataclass(frozen=True, slots=True)
class _Spread:
    """What strengths depend on: each group's step, and what each battle tells."""

    signs: Numbers
    weights: Numbers
    groups: NDArray[np.int64]
    steps: Numbers
    inverse: Numbers

    @classmethod
    def of(
        cls, signs: Numbers, shares: Numbers, theta: Numbers, groups: NDArray[np.int64]
    ) -> "_Spread":
        chances = _chances(signs, theta)
        weights, everything = chances * (1 - chances), _curvature(signs, chances)
        count = int(groups.max()) + 1
        steps = np.zeros((count, signs.shape[1]))
        for group in range(count):
            theirs = groups == group
            mine = signs[theirs]
            left = everything - mine.T @ (mine * weights[theirs, None])
            slope = mine.T @ (shares - chances)[theirs]
            # A direction of which this group alone tells has no step, and is refused below.
            steps[group] = np.linalg.pinv(left, rcond=_ALONE, hermitian=True) @ slope
        inverse = np.asarray(np.linalg.inv(everything), dtype=np.float64)
        return cls(signs, weights, groups, steps, inverse)

    def along(self, contrasts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return contrasts' errors, degrees of freedom and groups in effect.

        Where one group alone tells of a contrast, or all were the same of it, there are none
        in effect.
        """
        errors = np.sqrt(np.square(self.steps @ contrasts.T).sum(axis=0))
        freedom, effective = np.zeros(len(contrasts)), np.zeros(len(contrasts))
        at_once = max(1, _AT_ONCE // len(self.signs))
        for start in range(0, len(contrasts), at_once):
            part = slice(start, start + at_once)
            told = np.square(self.signs @ (self.inverse @ contrasts[part].T))
            told *= self.weights[:, None]
            for place, column in enumerate(told.T, start=start):
                known: Numbers = np.bincount(self.groups, weights=column).astype(np.float64)
                parts = known / known.sum()
                if parts.max() < 1 - _ALONE and errors[place] ** 2 > _ROUNDING:
                    freedom[place] = freedom_of(parts)
                    effective[place] = effective_clusters(parts)
        return errors, freedom, effective

    def p_values(self, theta: Numbers, one: NDArray[np.int64], other: NDArray[np.int64]) -> Numbers:
        """Return the p-values of pairs of players; NaN where too few tell of them."""
        contrasts = np.zeros((len(one), len(theta)))
        rows = np.arange(len(one))
        contrasts[rows, one], contrasts[rows, other] = 1.0, -1.0
        errors, freedom, effective = self.along(contrasts)
        is_known = effective >= FEWEST_GROUPS - _TOLERANCE
        distances = np.abs(theta[one] - theta[other])
        found = np.full(len(one), np.nan)
        ratios = distances[is_known] / errors[is_known]
        likely = 2 * stdtr(freedom[is_known], -ratios)
        found[is_known] = np.maximum(likely, 2.0 ** (1 - effective[is_known]))
        return found


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
