"""The clock, handed to services so that tests can hold it."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Something that knows the time."""

    def now(self) -> datetime:
        """Return the time, in UTC with its zone."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the machine's time, in UTC with its zone."""
        return datetime.now(UTC)
