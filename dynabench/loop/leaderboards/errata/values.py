"""What is read of suspected answers that experts have looked at."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.leaderboards.suspicions.values import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A released example that an expert has looked at.

    Attributes:
        release: The name of the dataset that holds it.
        version: Its version.
        released_at: When that was frozen.
    """

    example_id: UUID
    version_id: UUID
    release: str
    version: int
    released_at: datetime
    finding: Finding
    found_at: datetime
