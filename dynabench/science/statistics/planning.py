"""How much to collect, and whether a second round differs from the first."""

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot, sqrt

from scipy.special import stdtrit

from dynabench.science.statistics.rates import Z_95, Interval, Rate

FEWEST_PEOPLE = 10
"""No plan goes by fewer people than these."""

_PAIR = 2
_LARGEST = 2**30
_HIGH = 0.975


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


def size_for_width(value: float, width: float) -> int | None:
    """Return the least n at which Wilson's 95 % interval of a rate is no wider; None: no width.

    Example:
        >>> size_for_width(0.5, 0.1)
        381
    """
    if not 0 < width < 1:
        return None
    return _least(lambda size: _width(value, size, Z_95) <= width, start=1)


def people_for_width(
    value: float, width: float, *, likeness: float, tries_each: float
) -> int | None:
    """Return the fewest people whose rate has a 95 % interval no wider; None: no width.

    k people with n tries each say as much as k·n / (1 + (n - 1)ρ) people with one try would,
    so that the mean's variance is p(1 - p)(1 + (n - 1)ρ) / (k·n). The interval is Wilson's with
    that many, and with Student's t of k - 1 degrees of freedom, as how people differ is learnt
    from the same k. However many tries each, no fewer people do than ρ asks for, and no fewer
    than ten: the intervals of so few are wider than this formula tells.

    Args:
        value: The rate, from 0 to 1.
        width: Of the interval, from 0 to 1.
        likeness: ρ, the correlation of two tries of one person, from 0 to 1.
        tries_each: How many tries one person makes, at least 1.

    Example:
        >>> [people_for_width(0.3, 0.1, likeness=0.1, tries_each=n) for n in (1, 20, 1000)]
        [322, 49, 35]
    """
    if not 0 < width < 1:
        return None
    alone = tries_each / (1 + (tries_each - 1) * likeness)

    def is_enough(people: int) -> bool:
        reach = float(stdtrit(people - 1, _HIGH))
        return _width(value, people * alone, reach) <= width

    return _least(is_enough, start=FEWEST_PEOPLE)


def _least(is_enough: Callable[[int], bool], *, start: int) -> int:
    """Return the least number that is enough, as all above it are."""
    least, most = start, _LARGEST
    while least < most:
        middle = (least + most) // 2
        if is_enough(middle):
            most = middle
        else:
            least = middle + 1
    return least


def _width(value: float, size: float, reach: float) -> float:
    """Return how wide Wilson's interval is, for an n at which the value is no whole count too.

    Args:
        value: The rate.
        size: The n, also where it is no whole number.
        reach: So many standard errors to each side.
    """
    squared = reach**2
    half = reach * sqrt(value * (1 - value) / size + squared / (4 * size * size))
    return 2 * half / (1 + squared / size)
