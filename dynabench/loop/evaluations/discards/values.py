"""What goes together when a dataset is taken away."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Member:
    """A version that goes: an upload, or a set that varies it."""

    id: UUID
    digest: str
    dataset_id: UUID
