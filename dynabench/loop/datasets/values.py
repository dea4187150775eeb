"""Ids, splits and values of datasets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.kit.wire import Values

DatasetVersionId = NewType("DatasetVersionId", UUID)


class Split(StrEnum):
    """What a part of a dataset is for."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetItem:
    """One item of a frozen dataset version.

    Attributes:
        uid: Its name in files and predictions; tells nothing about who wrote it.
        split: Which part it belongs to.
        position: Its place in the split.
        context: What was written about.
        inputs: What was written.
        gold: The right answer.
        tags: What kind of item it is; metrics are given per tag.
        annotator: Its author's pseudonym within this dataset.
        is_fooling: Whether it fooled the targets; None where nobody can tell.
        is_verified: Whether other people found the gold answer right.
        context_digest: The SHA-256 of the context; items on one context are not independent.
    """

    uid: str
    split: Split
    position: int
    context: Values
    inputs: Values
    gold: Values
    tags: tuple[str, ...]
    annotator: str
    is_fooling: bool | None
    is_verified: bool
    context_digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetVersion:
    """A frozen dataset version without its items; `sizes` counts them by split."""

    id: UUID
    dataset_id: UUID
    task_id: UUID
    round_id: UUID | None
    name: str
    version: int
    digest: str
    licence: str
    card: Values
    sizes: Mapping[Split, int]
    created_at: datetime
