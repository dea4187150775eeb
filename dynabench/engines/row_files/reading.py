"""Reading a file of rows in whichever format it has."""

from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import BinaryIO

from dynabench.engines.row_files.json_lines import read_json_lines
from dynabench.engines.row_files.parquet import read_parquet
from dynabench.engines.row_files.separated_values import read_separated_values
from dynabench.engines.row_files.values import Row, RowFormat, RowProblem

Reader = Callable[[BinaryIO], Iterator[Row | RowProblem]]

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
