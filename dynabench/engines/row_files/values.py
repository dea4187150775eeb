"""What a file of rows gives: rows with the place they stand at, and what is wrong with others."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class RowFormat(StrEnum):
    """How a file writes its rows."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Row:
    """One row, by the names of its columns.

    Attributes:
        line: Where it stands: its line, and in Parquet its number; both from 1.
        values: What it holds; what a table left empty is not there.
        size_bytes: About how many bytes it has in its file, unpacked.
    """

    line: int
    values: Mapping[str, object]
    size_bytes: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row, or the rest of the file, could not be read.

    Attributes:
        line: Where, or None where it is the whole file.
        column: Which column, where that is known.
        sentence: What is wrong, with the fix.
    """

    line: int | None
    column: str | None
    sentence: str
