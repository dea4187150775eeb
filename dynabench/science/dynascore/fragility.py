"""How far a Dynascore hangs on the other models and on the items.

Exchange rates divide by gaps between neighbours, so that one model more or less may move
everybody. Beside a Dynascore stand the range over leaving one other model out, and the
interval over drawing the items again.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynabench.science.dynascore.scores import (
    Numbers,
    exchange_rates,
    exchanged,
    is_wide,
    shares_of,
)

_SMALLEST_BOARD = 3
_LOW, _HIGH = 2.5, 97.5


@dataclass(frozen=True, slots=True)
class Ranges:
    """For each model the ends of a range; NaN where there is none."""

    low: Numbers
    high: Numbers


def leave_one_out(goods: Numbers, weights: Numbers) -> Ranges:
    """Return between which values each Dynascore moves when one other model is left out.

    With fewer than three models nothing is left to exchange by. Removing a model replaces
    its two neighbourhoods by one, so that all removals together cost one sorting.
    """
    count = len(goods)
    nothing = np.full(count, np.nan)
    if count < _SMALLEST_BOARD:
        return Ranges(nothing, nothing.copy())
    order = np.lexsort(goods.T[::-1])
    amrs = _rates_without_each(goods[order])
    factors = exchanged(shares_of(weights, amrs), amrs)
    # A row per model, a column per model that is left out.
    moved = goods @ factors.T
    moved[:, ~(factors > 0).any(axis=1)] = np.nan
    moved[order, np.arange(count)] = np.nan
    known = ~np.isnan(moved)
    low = np.where(known, moved, np.inf).min(axis=1)
    high = np.where(known, moved, -np.inf).max(axis=1)
    return Ranges(
        np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)
    )


def _rates_without_each(ordered: Numbers) -> Numbers:
    """Return the exchange rates without each model in turn; zeros where there are none."""
    count = len(ordered)
    best = ordered[-1, 0]
    totals, pairs = _steps(ordered[:-1], ordered[1:], best=best)
    bridges, bridged = _steps(ordered[:-2], ordered[2:], best=best)
    zero = np.zeros((1, ordered.shape[1]))
    before, after = np.vstack([zero, totals]), np.vstack([totals, zero])
    sums = totals.sum(axis=0) - before - after + np.vstack([zero, bridges, zero])
    none = np.zeros(1)
    kept = (
        pairs.sum()
        - np.concatenate([none, pairs])
        - np.concatenate([pairs, none])
        + np.concatenate([none, bridged, none])
    )
    amrs = np.divide(sums, kept[:, None], out=np.zeros_like(sums), where=kept[:, None] > 0)
    # What is left of a difference of equal numbers is rounding, and no rate.
    amrs[amrs < np.abs(totals).max(axis=0, initial=0.0) * 1e-12] = 0.0
    amrs[:, 0] = kept > 0
    # Without the best model other gaps count as wide.
    last = exchange_rates(ordered[:-1])
    amrs[count - 1] = last.amrs if last.pairs else 0.0
    return np.asarray(amrs)


def _steps(lower: Numbers, upper: Numbers, *, best: Numbers) -> tuple[Numbers, Numbers]:
    """Return for each pair its rates, 0 where it is too close, and whether it counts."""
    gaps = upper[:, 0] - lower[:, 0]
    kept = is_wide(gaps, best=best)
    widths = np.where(kept, gaps, 1.0)
    return np.abs(upper - lower) / widths[:, None] * kept[:, None], kept.astype(np.float64)


def scores_of_draws(goods: NDArray[np.floating], weights: Numbers) -> NDArray[np.floating]:
    """Return the Dynascores of all models in all draws of a bootstrap.

    Args:
        goods: Draws by metrics by models.
        weights: One per metric.

    Returns:
        Draws by models; NaN where a draw has nothing to exchange by.
    """
    performance = goods[:, 0]
    order = np.argsort(performance, axis=1)
    ordered = np.take_along_axis(goods, order[:, None, :], axis=2)
    gaps = np.diff(ordered[:, 0], axis=1)
    kept = is_wide(gaps, best=ordered[:, 0, -1:])
    pairs = kept.sum(axis=1)
    inverse = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=kept)
    sums = np.einsum("bkm,bm->bk", np.abs(np.diff(ordered, axis=2)), inverse)
    amrs = sums / np.maximum(pairs, 1)[:, None]
    amrs[:, 0] = 1.0
    factors = exchanged(shares_of(weights, amrs), amrs)
    scores = np.matmul(factors[:, None, :].astype(goods.dtype), goods)[:, 0]
    scores[(pairs == 0) | ~(factors > 0).any(axis=1)] = np.nan
    return np.asarray(scores)


def percentile_ranges(draws: NDArray[np.floating]) -> Ranges:
    """Return the 2.5 and 97.5 percentiles over draws (the first axis), without NaN draws."""
    known = draws[~np.isnan(draws).any(axis=1)]
    if not len(known):
        nothing = np.full(draws.shape[1], np.nan)
        return Ranges(nothing, nothing.copy())
    low, high = np.percentile(known, [_LOW, _HIGH], axis=0)
    return Ranges(low, high)


def pareto_front(goods: Numbers) -> NDArray[np.bool_]:
    """Tell which models no other one beats: as good in every metric and better in one.

    Example:
        >>> pareto_front(np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 1.0]])).tolist()
        [True, True, False]
    """
    is_front = np.zeros(len(goods), dtype=bool)
    # Whoever beats a model stands before it here.
    left = np.lexsort(goods.T[::-1])[::-1]
    while len(left):
        first = goods[left[0]]
        is_front[left[0]] = True
        rest = goods[left[1:]]
        is_equal = (rest == first).all(axis=1)
        is_front[left[1:][is_equal]] = True
        left = left[1:][(rest > first).any(axis=1)]
    return is_front
