"""What the attempts of one arm of a round took."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """The time of those attempts of which it is known."""

    attempts: int
    seconds: float
