"""Rates that keep their counts, and how sure one can be of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z_95 = NormalDist().inv_cdf(0.975)
"""How many standard errors a two-sided 95 % interval reaches."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval unless said otherwise, and the method that gave it."""

    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many; rates add up, and no data is None and never 0.

    Example:
        >>> Rate(3, 12).value, Rate(0, 0).value
        (0.25, None)
        >>> str(Rate(3, 12) + Rate(1, 4))
        '4 of 16'
    """

    part: int
    whole: int

    def __post_init__(self) -> None:
        if not 0 <= self.part <= self.whole:
            message = f"A rate of {self.part} of {self.whole} cannot be."
            raise ValueError(message)

    @property
    def value(self) -> float | None:
        """Part / whole from 0 to 1; None while the whole is empty."""
        return self.part / self.whole if self.whole else None

    def __add__(self, other: "Rate") -> "Rate":
        return Rate(self.part + other.part, self.whole + other.whole)

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}"


def total(rates: Iterable[Rate]) -> Rate:
    """Return all rates together.

    Example:
        >>> total([Rate(1, 2), Rate(0, 3)])
        Rate(part=1, whole=5)
    """
    return sum(rates, start=Rate(0, 0))


def wilson(rate: Rate) -> Interval | None:
    """Return the score interval of a rate; None where there is no data.

    (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n) with p = part / n, n = whole (Wilson
    1927, "Probable inference, the law of succession, and statistical inference"). It takes
    every one of the n as a draw of its own, as one person's tries are; over people it is too
    narrow, and `clustered_interval` takes its place.

    Example:
        >>> interval = wilson(Rate(3, 12))
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.089, 0.532)
    """
    value, size = rate.value, rate.whole
    if value is None:
        return None
    squared = Z_95 * Z_95
    middle = value + squared / (2 * size)
    reach = Z_95 * sqrt(value * (1 - value) / size + squared / (4 * size * size))
    scale = 1 + squared / size
    # Rounding may leave 0 and 1, or the rate itself, just outside.
    low = 0.0 if value == 0 else max(0.0, (middle - reach) / scale)
    high = 1.0 if value == 1 else min(1.0, (middle + reach) / scale)
    return Interval(low, high, "wilson")


def macro_average(per_person: Iterable[Rate]) -> float | None:
    """Return the mean of people's own rates, so that one prolific person does not set it.

    People without any try are left out; nobody at all is None.

    Example:
        >>> macro_average([Rate(90, 100), Rate(1, 10), Rate(0, 0)])
        0.5
    """
    values = [rate.value for rate in per_person if rate.value is not None]
    return sum(values) / len(values) if values else None
