"""The Dynascore of models: every metric exchanged into points of performance, then weighed.

Ma et al. 2021, "Dynaboard: An Evaluation-As-A-Service Platform for Holistic Next-Generation
Benchmarking" (arXiv 2106.06052), equations 1 and 2. Everything here takes a matrix of goods:
a row per model, a column per metric, more is better, performance in column 0. A model
without a value has no row: NaN never becomes 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

SMALLEST_GAP = 1e-4
"""Neighbours closer than this share of the best performance give no exchange rate."""

ROUNDING = 1e-12
"""Differences smaller than this part of the values are what rounding left."""

_PAIR = 2

Numbers = NDArray[np.float64]


class NoScore(StrEnum):
    """Why nobody has a Dynascore."""

    ONE_MODEL = "one_model"
    NO_PAIR = "no_pair"
    NO_WEIGHT = "no_weight"


@dataclass(frozen=True, slots=True)
class ExchangeRates:
    """How much of each metric stands for one point of performance.

    Attributes:
        amrs: One rate per metric, 1 for performance; 0 where the metric is the same for all
            neighbours, which cannot be exchanged.
        pairs: How many pairs of neighbours in performance they come from.
        skipped: How many neighbours were too close to each other.
        is_fixed: Whether they come from elsewhere, so that they need no pairs here.
    """

    amrs: Numbers
    pairs: int
    skipped: int = 0
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Dynascores:
    """The scores of all models, with the part that each metric makes up.

    `values` is None where there is nothing to exchange by, and `reason` says why.
    """

    values: Numbers | None
    shares: Numbers
    reason: NoScore | None = None


def goods_of_memory(memory_gib: Numbers, *, budget_gib: float) -> Numbers:
    """Return what memory leaves over of a budget, so that more is better.

    Example:
        >>> goods_of_memory(np.array([2.0]), budget_gib=32).tolist()
        [30.0]
    """
    return np.asarray(budget_gib - memory_gib)


def exchange_rates(goods: Numbers) -> ExchangeRates:
    """Return the average marginal rates of substitution of all metrics.

    AMRS_M is the mean of |g_M(j+1) - g_M(j)| / (p(j+1) - p(j)) over the models sorted by
    performance p, without the neighbours whose p differ by no more than 1e-4 of the best p.
    Models of equal performance stand in the order of their other metrics, so that the order
    of the rows does not matter.

    Raises:
        ValueError: If a value is no number.

    Example:
        >>> exchange_rates(np.array([[50.0, 1.0], [60.0, 3.0], [70.0, 9.0]])).amrs.tolist()
        [1.0, 0.4]
    """
    _require_numbers(goods)
    if len(goods) < _PAIR:
        return ExchangeRates(np.ones(goods.shape[1]), 0)
    ordered = goods[np.lexsort(goods.T[::-1])]
    gaps = np.diff(ordered[:, 0])
    kept = is_wide(gaps, best=ordered[-1, 0])
    pairs = int(kept.sum())
    amrs = np.ones(goods.shape[1])
    if pairs:
        steps = np.abs(np.diff(ordered, axis=0))[kept]
        amrs = (steps / gaps[kept, None]).mean(axis=0)
        amrs[steps.max(axis=0) <= ROUNDING * np.abs(ordered).max(axis=0)] = 0.0
        amrs[0] = 1.0
    return ExchangeRates(amrs, pairs, len(gaps) - pairs)


def is_wide(gaps: NDArray[np.floating], *, best: NDArray[np.floating] | float) -> NDArray[np.bool_]:
    """Tell which gaps between neighbours are wide enough to be divided by."""
    return np.asarray((gaps > SMALLEST_GAP * np.asarray(best)) & (gaps > 0))


def dynascores(
    goods: Numbers, weights: Sequence[float] | Numbers, rates: ExchangeRates | None = None
) -> Dynascores:
    """Return every model's Dynascore: Σ w_M · g_M / AMRS_M with Σ w = 1.

    A metric that cannot be exchanged contributes nothing, and its weight is shared among
    the others in proportion.

    Args:
        goods: A row per model, a column per metric, performance first.
        weights: One per metric, of any sum; 0 leaves a metric out.
        rates: Rates that were frozen elsewhere; by default those of these goods.

    Raises:
        ValueError: If a value is no number, or a weight is negative.

    Example:
        >>> dynascores(np.array([[50.0, 1.0], [60.0, 3.0]]), [1, 1]).values.tolist()
        [27.5, 37.5]
    """
    _require_numbers(goods)
    rates = rates or exchange_rates(goods)
    shares = shares_of(np.asarray(weights, dtype=np.float64), rates.amrs)
    if not rates.pairs and not rates.is_fixed:
        is_alone = len(goods) < _PAIR
        return Dynascores(None, shares, NoScore.ONE_MODEL if is_alone else NoScore.NO_PAIR)
    if not shares.any():
        return Dynascores(None, shares, NoScore.NO_WEIGHT)
    return Dynascores(goods @ exchanged(shares, rates.amrs), shares)


def shares_of(weights: Numbers, amrs: Numbers) -> Numbers:
    """Return the weights of metrics that can be exchanged, with sum 1; all 0 if none can.

    `amrs` may have further axes in front, such as one for the draws of a bootstrap.

    Raises:
        ValueError: If a weight is negative or no number.
    """
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        message = "A weight is a number from 0 on."
        raise ValueError(message)
    usable = np.where(amrs > 0, weights, 0.0)
    total = usable.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(usable, total, out=np.zeros_like(usable), where=total > 0))


def exchanged(shares: Numbers, amrs: Numbers) -> Numbers:
    """Return by what each good is multiplied: its share in points of performance."""
    return np.asarray(np.divide(shares, amrs, out=np.zeros_like(shares), where=amrs > 0))


def average_z(goods: Numbers, weights: Sequence[float] | Numbers) -> Numbers:
    """Return the weighted mean of each model's z-scores, the usual way without exchange.

    The standard deviation is that of the population; a metric that is the same for all
    models has z-scores of 0.

    Example:
        >>> average_z(np.array([[1.0, 5.0], [3.0, 5.0]]), [3, 1]).tolist()
        [-0.75, 0.75]
    """
    _require_numbers(goods)
    spread = goods.std(axis=0)
    scores = np.divide(
        goods - goods.mean(axis=0), spread, out=np.zeros_like(goods), where=spread > 0
    )
    parts = np.asarray(weights, dtype=np.float64)
    return np.asarray(scores @ (parts / parts.sum()))


def _require_numbers(goods: Numbers) -> None:
    if not np.isfinite(goods).all():
        message = "A model without a value of every metric has no Dynascore."
        raise ValueError(message)
