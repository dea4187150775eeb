"""How target models answered since this process began, for those who run it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate

from dynabench.kit.errors import DynabenchError

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper edges of the latencies that are counted together, in seconds."""


@dataclass(slots=True)
class Latencies:
    """Counted times.

    Attributes:
        counts: How many lie below each of `BOUNDS` and above the one before; the last are longer.
        seconds: All of them together.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def note(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def cumulated(self) -> Iterator[int]:
        """Give how many are not longer than each of `BOUNDS`, and how many there are."""
        return accumulate(self.counts)

    @classmethod
    def together(cls, parts: Iterable["Latencies"]) -> "Latencies":
        """Return several as one."""
        whole = cls()
        for part in parts:
            whole.counts = [a + b for a, b in zip(whole.counts, part.counts, strict=True)]
            whole.seconds += part.seconds
        return whole


@dataclass(frozen=True, slots=True)
class TargetWatch:
    """What came of questions, by the host's key of a model; kept when the model is let go.

    Attributes:
        answered: Times of what was answered.
        failed: How often which error code came instead.
    """

    answered: dict[str, Latencies] = field(default_factory=dict)
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)

    @contextmanager
    def failures(self, key: str) -> Iterator[None]:
        """Count the failure that the block ends with, if it does."""
        try:
            yield
        except DynabenchError as error:
            self.failed[key, error.code] += 1
            raise

    def note(self, key: str, *, seconds: float) -> None:
        """Count an answer."""
        self.answered.setdefault(key, Latencies()).note(seconds)
