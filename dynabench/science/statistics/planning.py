"""How much to collect, and whether a second round differs from the first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from dynabench.science.statistics.agreement import Votes, krippendorff_alpha
from dynabench.science.statistics.rates import Z_95, Interval, Rate

_PAIR = 2
_LARGEST = 2**30
_DRAWS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How much a number differs from an earlier one, with its 95 % interval."""

    difference: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves out that nothing has changed."""
        return self.low > 0 or self.high < 0


def rate_change(
    *, before: tuple[Rate, Interval | None], after: tuple[Rate, Interval | None]
) -> Change | None:
    """Return how much a rate differs from one of other examples; None without data.

    The interval is put together from both rates' own, clustered or not: with p₁ ∈ [l₁, u₁] and
    p₂ ∈ [l₂, u₂] it is d - √((p₂-l₂)² + (u₁-p₁)²) to d + √((u₂-p₂)² + (p₁-l₁)²) (Newcombe
    1998, "Interval estimation for the difference between independent proportions", method 10).

    Example:
        >>> from dynabench.science.statistics.rates import wilson
        >>> one, two = Rate(10, 100), Rate(30, 100)
        >>> found = rate_change(before=(one, wilson(one)), after=(two, wilson(two)))
        >>> round(found.difference, 2), round(found.low, 3), round(found.high, 3)
        (0.2, 0.09, 0.306)
    """
    (earlier, was), (later, is_) = before, after
    if earlier.value is None or later.value is None or was is None or is_ is None:
        return None
    difference = later.value - earlier.value
    return Change(
        difference=difference,
        low=difference - hypot(later.value - is_.low, was.high - earlier.value),
        high=difference + hypot(is_.high - later.value, earlier.value - was.low),
    )


def design_effect(rate: Rate, interval: Interval | None) -> float:
    """Return how many examples say as much as one of somebody new would, 1 or more.

    That is the rate's n over the n at which Wilson's interval is as wide as the one given.
    """
    if interval is None or rate.value is None:
        return 1.0
    width = interval.high - interval.low
    alone = size_for_width(rate.value, width)
    return max(rate.whole / alone, 1.0) if alone else 1.0


def size_for_width(value: float, width: float) -> int | None:
    """Return the least n at which Wilson's 95 % interval of a rate is no wider; None: no width.

    Example:
        >>> size_for_width(0.5, 0.1)
        381
    """
    if not 0 < width < 1:
        return None
    least, most = 1, _LARGEST
    while least < most:
        middle = (least + most) // 2
        if _width(value, middle) <= width:
            most = middle
        else:
            least = middle + 1
    return least


def agreement_change(
    before: Sequence[Votes], after: Sequence[Votes], *, seed: int = 0
) -> Change | None:
    """Return how much Krippendorff's alpha differs between two sets of items.

    The interval is from a bootstrap over the items of each, 2.5 to 97.5 %. None where one of
    the alphas is not defined.
    """
    was, is_ = krippendorff_alpha(before), krippendorff_alpha(after)
    if was is None or is_ is None:
        return None
    chance = np.random.default_rng(seed)
    draws = _alphas(after, chance) - _alphas(before, chance)
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return Change(difference=is_ - was, low=float(low), high=float(high))


def _alphas(items: Sequence[Votes], chance: np.random.Generator) -> NDArray[np.float64]:
    """Return the alphas of items drawn anew with replacement."""
    voted = [Counter(votes) for votes in items if len(votes) >= _PAIR]
    labels = sorted({label for counts in voted for label in counts}, key=str)
    table = np.array([[counts[label] for label in labels] for counts in voted], dtype=float)
    sizes = table.sum(axis=1)
    observed = (sizes**2 - (table**2).sum(axis=1)) / (sizes - 1)
    draws = np.empty(_DRAWS)
    for place in range(_DRAWS):
        drawn = chance.integers(len(table), size=len(table))
        shares = table[drawn].sum(axis=0)
        everything = shares.sum()
        expected = everything**2 - (shares**2).sum()
        draws[place] = (
            1 - (everything - 1) * observed[drawn].sum() / expected if expected else np.nan
        )
    return draws


def _width(value: float, size: int) -> float:
    """Return how wide Wilson's interval is, for an n at which the value is no whole count too."""
    squared = Z_95**2
    reach = Z_95 * sqrt(value * (1 - value) / size + squared / (4 * size * size))
    return 2 * reach / (1 + squared / size)
