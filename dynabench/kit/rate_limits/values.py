"""Rates, their names and their figures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

_FIGURE = re.compile(r"(\d{1,9})/(\d{1,7})", re.ASCII)


class RateName(StrEnum):
    """What is counted, and of whom."""

    READS = "reads"
    VISITOR_READS = "visitor_reads"
    DOWNLOADS = "downloads"
    VISITOR_DOWNLOADS = "visitor_downloads"
    WRITES = "writes"
    VISITOR_WRITES = "visitor_writes"
    ATTEMPTS = "attempts"
    ROUND_ATTEMPTS = "round_attempts"
    TRIES = "tries"
    VISITOR_TRIES = "visitor_tries"
    TASK_TRIES = "task_tries"
    VOTES = "votes"
    CHECKS = "checks"
    ORDERS = "orders"
    UPLOADS = "uploads"
    MEDIA = "media"
    SIGN_UPS = "sign_ups"
    SIGN_INS = "sign_ins"
    SIGN_INS_OF_ADDRESS = "sign_ins_of_address"
    SIGN_INS_OF_NAME = "sign_ins_of_name"


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most so many at once, and so many in a time again.

    Attributes:
        name: What is counted.
        most: How many may come at once after a pause.
        seconds: In what time that many may come again, evenly.
    """

    name: RateName
    most: int
    seconds: float

    @property
    def interval(self) -> float:
        """Seconds after which one more may come."""
        return self.seconds / self.most

    @property
    def share(self) -> int:
        """How many a process takes at a time, so that it seldom has to ask."""
        return max(1, self.most // 20)


# A class of forty behind one address that signs up, opens pages and writes meets none of them.
_MINUTE, _QUARTER, _HOUR = 60.0, 900.0, 3600.0
_FIGURES: Mapping[RateName, tuple[int, float]] = {
    RateName.READS: (3_000, _MINUTE),
    RateName.VISITOR_READS: (6_000, _MINUTE),
    RateName.DOWNLOADS: (120, _MINUTE),
    RateName.VISITOR_DOWNLOADS: (300, _MINUTE),
    RateName.WRITES: (300, _MINUTE),
    RateName.VISITOR_WRITES: (300, _MINUTE),
    RateName.ATTEMPTS: (120, _MINUTE),
    RateName.ROUND_ATTEMPTS: (6_000, _MINUTE),
    RateName.TRIES: (120, _MINUTE),
    RateName.VISITOR_TRIES: (400, _MINUTE),
    RateName.TASK_TRIES: (1_200, _MINUTE),
    RateName.VOTES: (240, _MINUTE),
    RateName.CHECKS: (120, _MINUTE),
    RateName.ORDERS: (120, _HOUR),
    RateName.UPLOADS: (240, _HOUR),
    RateName.MEDIA: (120, _MINUTE),
    RateName.SIGN_UPS: (60, _HOUR),
    RateName.SIGN_INS: (10, _QUARTER),
    RateName.SIGN_INS_OF_ADDRESS: (50, _QUARTER),
    RateName.SIGN_INS_OF_NAME: (200, _HOUR),
}

_OF_SIGN_INS = (RateName.SIGN_INS, RateName.SIGN_INS_OF_ADDRESS, RateName.SIGN_INS_OF_NAME)
RateLimits = Mapping[RateName, RateLimit]
STANDARD: RateLimits = {
    name: RateLimit(name, most, seconds) for name, (most, seconds) in _FIGURES.items()
}


def rate_limits_of(text: str) -> RateLimits:
    """Read an operator's figures: `on`, `off`, or what differs, as in `attempts=60/60, votes=off`.

    `off` leaves those that keep passwords from being guessed; they go by their names alone.

    Raises:
        ValueError: If a name is not known or a figure is not `number/seconds`.
    """
    if text.strip().lower() == "off":
        return {name: STANDARD[name] for name in _OF_SIGN_INS}
    found = dict(STANDARD)
    if text.strip().lower() == "on":
        return found
    for part in filter(None, (part.strip() for part in text.split(","))):
        word, _, figure = (piece.strip() for piece in part.partition("="))
        if word not in set(RateName):
            msg = f"there is no limit {word!r}; the limits are {', '.join(RateName)}"
            raise ValueError(msg)
        name = RateName(word)
        if figure.lower() == "off":
            del found[name]
            continue
        match = _FIGURE.fullmatch(figure)
        if match is None or not int(match[1]) or not int(match[2]):
            msg = f"{word} must be number/seconds, as in {word}=120/60, or off"
            raise ValueError(msg)
        found[name] = RateLimit(name, int(match[1]), float(match[2]))
    return found
