"""What a round's counts add up to, before it is written for the wire."""

from dataclasses import dataclass

from dynabench.science.statistics.rates import Interval, Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class RateWithInterval:
    """A rate, its 95 % interval, and how that was computed; no interval without data."""

    rate: Rate
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """A round's MER and vMER, over examples and averaged over annotators."""

    model_error_rate: RateWithInterval
    validated_model_error_rate: RateWithInterval
    macro_model_error_rate: float | None
    macro_validated_model_error_rate: float | None
