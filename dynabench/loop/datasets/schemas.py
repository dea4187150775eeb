"""Wire shapes of datasets."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.science.texts.wire_texts import OneLine


class ReleaseRequest(WireModel):
    """How to release a closed round."""

    seed: int = 0
    licence: Annotated[OneLine, Field(max_length=100)] = "CC-BY-4.0"


class SplitRead(WireModel):
    """One split of a dataset version."""

    split: str
    items: int


class DatasetVersionRead(WireModel):
    """A frozen set."""

    id: UUID
    task_slug: str
    name: str
    version: int
    round_number: int | None
    digest: str
    licence: str
    splits: list[SplitRead]
    card: Values
    created_at: datetime
