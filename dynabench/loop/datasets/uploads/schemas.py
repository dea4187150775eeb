"""Wire shapes of uploads."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.wire import WireModel
from dynabench.loop.datasets.schemas import (
    CardText,
    DatasetTags,
    Licence,
    SplitRead,
    SubTaskOf,
)
from dynabench.loop.datasets.uploads.values import ImportState
from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.science.texts.wire_texts import OneLine

FileDigest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
ShortName = Annotated[OneLine, Field(min_length=1, max_length=200)]


class DatasetFileRead(WireModel):
    """A file that is here; its digest names it."""

    digest: str
    size_bytes: int


class DatasetCreate(WireModel):
    """A dataset to be made of a file that was sent before.

    `columns` maps the file's columns to the task's fields, `uid`, `split` and `tags`, where
    they are called otherwise; columns that it does not name are then passed over. `labels`
    maps, for a field, the file's words to the task's labels. `split` is that of every row
    that names none. With `check_only` nothing is stored.
    """

    file: FileDigest
    row_format: RowFormat
    name: Annotated[OneLine, Field(min_length=1, max_length=100)]
    licence: Licence
    access: DatasetAccess | None = None
    split: Split | None = None
    columns: Annotated[dict[ShortName, ShortName], Field(max_length=200)] = {}
    labels: Annotated[
        dict[ShortName, Annotated[dict[ShortName, ShortName], Field(max_length=1000)]],
        Field(max_length=20),
    ] = {}
    tags: DatasetTags | None = None
    subtask_of: SubTaskOf | None = None
    description: CardText = ""
    source: Annotated[OneLine, Field(max_length=500)] = ""
    content_warning: Annotated[OneLine, Field(max_length=500)] = ""
    check_only: bool = False


class ItemProblemRead(WireModel):
    """What is wrong with a row: its line, the field where one is meant, and the fix."""

    line: int | None
    field: str | None
    message: str


class DatasetImportRead(WireModel):
    """What became of a file; the `result` of its job.

    Rows that say the very same as one before are left out and counted as repeated. Items
    that ask what another one asks, in another split or with another answer, are kept and
    counted as overlapping.
    """

    state: ImportState
    dataset_version_id: UUID | None
    name: str
    version: int | None
    digest: str | None
    items: int
    splits: list[SplitRead]
    problems: list[ItemProblemRead]
    more_problems: int
    repeated: int
    repeated_lines: list[int]
    overlapping: int
    overlapping_lines: list[int]
    passed_over: list[str]
