"""How far a Dynascore hangs on the other models.

Exchange rates divide by gaps between neighbours, so that one model more or less may move
everybody. Beside a Dynascore stands the range over leaving one other model out. How far it
hangs on the items is that of a weighted sum, whose weights are the rates as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynabench.science.dynascore.choosing import is_beyond_without_each, without
from dynabench.science.dynascore.scores import (
    ROUNDING,
    Numbers,
    exchange_rates,
    exchanged,
    is_wide,
    shares_of,
)

_SMALLEST_BOARD = 3


@dataclass(frozen=True, slots=True)
class Ranges:
    """For each model the ends of a range; NaN where there is none."""

    low: Numbers
    high: Numbers


def factors_without_each(
    goods: Numbers,
    weights: Numbers,
    is_left_out: NDArray[np.bool_] | None = None,
    *,
    is_held: bool = False,
) -> Numbers:
    """Return by what each good is multiplied where one model is left out, for every model.

    Removing a model replaces its two neighbourhoods by one, so that all removals together
    cost one sorting. A row of zeros is a board with nothing to exchange by.

    Args:
        goods: Of all models.
        weights: One per metric.
        is_left_out: Which metrics are not exchanged.
        is_held: Whether a board without a model does not exchange either what would outweigh
            performance on it (`is_beyond`).

    Returns:
        Models that are left out, in the order of the rows, by metrics.
    """
    if len(goods) < _SMALLEST_BOARD:
        return np.zeros_like(goods)
    order = np.lexsort(goods.T[::-1])
    amrs = np.empty_like(goods)
    amrs[order] = _rates_without_each(goods[order])
    if is_left_out is not None:
        amrs = without(amrs, is_left_out)
    if is_held:
        amrs = without(amrs, is_beyond_without_each(goods, amrs))
    return exchanged(shares_of(weights, amrs), amrs)


def leave_one_out(goods: Numbers, factors: Numbers, chosen: Sequence[int]) -> Ranges:
    """Return between which values Dynascores move when one other model is left out.

    Args:
        goods: Of all models.
        factors: What `factors_without_each` returned for them.
        chosen: The rows of the models to tell of.
    """
    rows = np.asarray(chosen, dtype=np.int64)
    # A row per chosen model, a column per model that is left out.
    moved = goods[rows] @ factors.T
    known = np.broadcast_to((factors > 0).any(axis=1), moved.shape).copy()
    known[np.arange(len(rows)), rows] = False
    low = np.where(known, moved, np.inf).min(axis=1, initial=np.inf)
    high = np.where(known, moved, -np.inf).max(axis=1, initial=-np.inf)
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
    amrs[amrs < np.abs(totals).max(axis=0, initial=0.0) * ROUNDING] = 0.0
    amrs[:, np.ptp(ordered, axis=0) <= ROUNDING * np.abs(ordered).max(axis=0)] = 0.0
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


def pareto_front(goods: Numbers, chosen: Sequence[int]) -> list[bool]:
    """Tell of chosen models whether no other one beats them.

    Another one beats a model if it is as good in every metric and better in one.

    Example:
        >>> pareto_front(np.array([[3.0, 1.0], [2.0, 2.0], [1.0, 1.0]]), [0, 1, 2])
        [True, True, False]
    """
    columns = [np.ascontiguousarray(column) for column in goods.T]
    found = []
    for row in chosen:
        rivals = np.ones(len(goods), dtype=bool)
        is_better = np.zeros(len(goods), dtype=bool)
        for column in columns:
            rivals &= column >= column[row]
            is_better |= column > column[row]
        found.append(not bool((rivals & is_better).any()))
    return found
