"""What reading a file of items gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dynabench.loop.datasets.values import Split

IMPORT_DATASET = "datasets.import"
"""The job that checks and stores an uploaded file; its payload is a `DatasetCreate`."""

MAX_FILE_BYTES = 1_000_000_000
MAX_ITEMS = 1_000_000
PROBLEMS_TOLD = 100


class ImportState(StrEnum):
    """What became of a file.

    `stored`: it is a new version; `there_already`: a version holds the same items; `checked`:
    it could be stored, and only that was asked; `refused`: something is wrong with it.
    """

    STORED = "stored"
    THERE_ALREADY = "there_already"
    CHECKED = "checked"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """What is wrong with a row: its line, the field where one is meant, and the fix."""

    line: int | None
    field: str | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """How the columns of a file become an item.

    Attributes:
        fields: What each column holds: a field of the task, or `uid`, `split` or `tags`.
            Others are passed over. Empty takes every column by its own name.
        labels: For a field, the label that each word of the file means.
        split: The split of every row; None reads it from each.
        is_text: Whether every cell is text, as in CSV.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    split: Split | None = None
    is_text: bool = False
