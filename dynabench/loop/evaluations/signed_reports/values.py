"""What is known of one finished evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One finished evaluation as its rows say it; columns by name."""

    evaluation: Row
    measurement: Row | None
    deltas: Sequence[Row]
