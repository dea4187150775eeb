"""By which rates metrics are exchanged, and which are not exchanged at all.

Rates are averages over neighbours in performance. Few models have few neighbours, and what
differs by noise alone has rates of noise: an exchange by either says nothing and may be of any
size.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from dynabench.science.dynascore.scores import Numbers

FEWEST_MODELS = 5
"""Fewer models than this are exchanged by fixed rates."""

SMALLEST_SPREAD = 0.05
"""What is measured of a machine differs from run to run by as much of itself."""

FIXED_RATES: Mapping[str, float] = MappingProxyType(
    {"memory": 7.4, "fairness": 2.5, "robustness": 2.7}
)
"""Per point of performance, in GiB and points: geometric means over the paper's four boards."""

THROUGHPUT_RATE = 0.054
"""The same of throughput, as a part of the fastest model's: machines differ, and so do tasks."""

OTHER_RATE = 1.0
"""Other metrics in points are exchanged one to one."""

MOST_WORTH = 5.0
"""No good is worth more than so many times the best performance; the paper's are up to 2.5."""

_NOISE = 0.05
_PAIR = 2


def fixed_rate(metric: str, goods: Numbers) -> float:
    """Return the rate by which a metric is exchanged on a board of few models.

    Args:
        metric: Its name, such as `memory`.
        goods: What the models have of it.

    Example:
        >>> fixed_rate("throughput", np.array([100.0, 20.0])), fixed_rate("bleu", np.ones(2))
        (5.4, 1.0)
    """
    if metric == "throughput":
        return THROUGHPUT_RATE * float(goods.max(initial=0.0))
    return FIXED_RATES.get(metric, OTHER_RATE)


def is_noise(values: Numbers, errors: Numbers) -> bool:
    """Tell whether models may well be all alike in a metric whose errors are known.

    Cochran's Q (1954): Σ (g - ḡ)² / SE², ḡ weighed by 1 / SE², is not above the 95 % quantile
    of χ² with one degree of freedom less than there are models. It takes models for
    independent; on the same items they are closer to each other, so that it errs on the side
    of noise. Where no errors are known, nothing is.

    Example:
        >>> [is_noise(np.array([70.0, other]), np.ones(2)) for other in (71.0, 80.0)]
        [True, False]
    """
    is_known = np.isfinite(errors) & (errors > 0)
    if np.count_nonzero(is_known) < _PAIR:
        return False
    shown, weights = values[is_known], 1 / np.square(errors[is_known])
    middle = float((weights * shown).sum() / weights.sum())
    statistic = float((weights * np.square(shown - middle)).sum())
    return statistic <= float(chdtri(len(shown) - 1, _NOISE))


def is_close(values: Numbers) -> bool:
    """Tell whether models differ in what is measured of a machine by no more than runs do.

    Example:
        >>> is_close(np.array([100.0, 96.0])), is_close(np.array([100.0, 90.0]))
        (True, False)
    """
    if len(values) < _PAIR:
        return False
    most = float(np.abs(values).max())
    return float(np.ptp(values)) <= SMALLEST_SPREAD * most


def is_beyond(goods: Numbers, amrs: Numbers) -> NDArray[np.bool_]:
    """Tell of each metric whether its exchange would outweigh performance many times over.

    A metric that hardly differs beside its own size, such as what little memory leaves of a
    large budget, has a tiny rate, by which all of it would be exchanged. What a model lacks
    counts as what it has.

    Args:
        goods: Models by metrics, performance first; more is better.
        amrs: Their exchange rates.

    Example:
        >>> is_beyond(np.array([[80.0, 31.0]]), np.array([1.0, 0.005])).tolist()
        [False, True]
    """
    return _outweighs(_sizes(goods).max(axis=0, initial=0.0), amrs)


def is_beyond_without_each(goods: Numbers, amrs: Numbers) -> NDArray[np.bool_]:
    """Tell the same of the board without each model, models by metrics.

    Args:
        goods: Of all models.
        amrs: For each model the exchange rates of the board without it.
    """
    sizes = _sizes(goods)
    columns = np.arange(sizes.shape[1])
    first = sizes.argmax(axis=0)
    most = np.repeat(sizes[first, columns][None, :], len(sizes), axis=0)
    sizes[first, columns] = 0.0
    most[first, columns] = sizes.max(axis=0)
    return _outweighs(most, amrs)


def _sizes(goods: Numbers) -> Numbers:
    sizes = np.abs(goods)
    sizes[:, 0] = np.maximum(goods[:, 0], 0.0)
    return np.asarray(sizes)


def _outweighs(most: Numbers, amrs: Numbers) -> NDArray[np.bool_]:
    return np.asarray((amrs > 0) & (most > MOST_WORTH * most[..., :1] * amrs))


def without(amrs: Numbers, is_left_out: NDArray[np.bool_]) -> Numbers:
    """Return exchange rates in which some metrics have none; performance keeps its own."""
    found = np.where(is_left_out, 0.0, amrs)
    found[..., 0] = amrs[..., 0]
    return np.asarray(found)
