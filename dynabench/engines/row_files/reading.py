"""Reading a file of rows in whichever format it has."""

from collections.abc import Callable, Iterator
from itertools import islice
from types import MappingProxyType
from typing import BinaryIO

from dynabench.engines.row_files.json_lines import read_json_lines
from dynabench.engines.row_files.parquet import read_parquet
from dynabench.engines.row_files.separated_values import read_separated_values
from dynabench.engines.row_files.values import Row, RowFormat, RowProblem

Reader = Callable[[BinaryIO], Iterator[Row | RowProblem]]

BYTES_AT_ONCE = 4_000_000

READERS: MappingProxyType[RowFormat, Reader] = MappingProxyType(
    {
        RowFormat.JSONL: read_json_lines,
        RowFormat.CSV: read_separated_values,
        RowFormat.PARQUET: read_parquet,
    }
)
"""How each format is read."""


def read_rows(stream: BinaryIO, row_format: RowFormat) -> Iterator[Row | RowProblem]:
    """Go through the rows of a file from its beginning; blocks, so call it in a thread."""
    return READERS[row_format](stream)


def next_rows(rows: Iterator[Row | RowProblem], *, most_rows: int) -> list[Row | RowProblem]:
    """Take so many rows that they fit into memory together; none at the end of the file.

    The last one may go beyond `BYTES_AT_ONCE`, by no more than a row may have.
    """
    taken: list[Row | RowProblem] = []
    size = 0
    for row in islice(rows, most_rows):
        taken.append(row)
        size += row.size_bytes if isinstance(row, Row) else 0
        if size >= BYTES_AT_ONCE:
            break
    return taken
