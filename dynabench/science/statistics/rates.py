"""Rates that keep their counts, and how sure one can be of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

Z_95 = NormalDist().inv_cdf(0.975)
"""How many standard errors a two-sided 95 % interval reaches."""

MIN_CLUSTERS = 10
"""With fewer annotators than this their spread says too little to be used."""


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


def wilson(rate: Rate, z: float = Z_95) -> Interval | None:
    """Return the score interval of a rate; None where there is no data.

    (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n) with p = part / n, n = whole (Wilson
    1927, "Probable inference, the law of succession, and statistical inference"). It takes
    every one of the n as a draw of its own.

    Example:
        >>> interval = wilson(Rate(3, 12))
        >>> round(interval.low, 3), round(interval.high, 3)
        (0.089, 0.532)
    """
    value = rate.value
    return None if value is None else _wilson(value, rate.whole, z=z, method="wilson")


def clustered_interval(per_person: Sequence[Rate], z: float = Z_95) -> Interval | None:
    """Return the interval of people's rates together; None where there is no data.

    What one person does is alike, so that n tries say less than n people's tries would.
    With at least 10 people this is Wilson's interval at the effective size
    min(n, p(1-p)/SE²), where SE² = C/(C-1) · Σ_c (part_c - p·whole_c)² / n² over the C
    people who have any. With fewer people, and where p is 0 or 1, it is Wilson's at n.

    Args:
        per_person: Each person's rate; never for data whose people are unknown.
        z: How many standard errors the interval reaches.
    """
    present = [rate for rate in per_person if rate.whole]
    everything = total(present)
    value = everything.value
    count = len(present)
    if value is None or value in {0.0, 1.0} or count < MIN_CLUSTERS:
        return wilson(everything, z)
    squares = sum((rate.part - value * rate.whole) ** 2 for rate in present)
    variance = count / (count - 1) * squares / everything.whole**2
    variance_of_one = value * (1 - value)
    # Where everybody has the same rate, the people say nothing beyond their tries.
    is_smaller = variance * everything.whole > variance_of_one
    size = variance_of_one / variance if is_smaller else float(everything.whole)
    return _wilson(value, size, z=z, method="wilson_clustered")


def macro_average(per_person: Iterable[Rate]) -> float | None:
    """Return the mean of people's own rates, so that one prolific person does not set it.

    People without any try are left out; nobody at all is None.

    Example:
        >>> macro_average([Rate(90, 100), Rate(1, 10), Rate(0, 0)])
        0.5
    """
    values = [rate.value for rate in per_person if rate.value is not None]
    return sum(values) / len(values) if values else None


def _wilson(value: float, size: float, *, z: float, method: str) -> Interval:
    squared = z * z
    middle = value + squared / (2 * size)
    reach = z * sqrt(value * (1 - value) / size + squared / (4 * size * size))
    scale = 1 + squared / size
    # Rounding may leave 0 and 1, or the rate itself, just outside.
    low = 0.0 if value == 0 else max(0.0, (middle - reach) / scale)
    high = 1.0 if value == 1 else min(1.0, (middle + reach) / scale)
    return Interval(low, high, method)
