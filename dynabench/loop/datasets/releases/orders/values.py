"""A release that was asked for and waits."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.datasets.values import ReleaseOrder


@dataclass(frozen=True, slots=True)
class WaitingOrder:
    """What is to be released once a round's verdicts are in, and who asked when."""

    order: ReleaseOrder
    created_by: UUID | None
    created_at: datetime
