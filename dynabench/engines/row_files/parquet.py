"""Parquet, read a batch of rows at a time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from dynabench.engines.row_files.text_lines import MAX_LINE_BYTES
from dynabench.engines.row_files.values import Row, RowProblem
from dynabench.engines.row_files.weights import Weights, weights_of

if TYPE_CHECKING:
    from pyarrow import DataType
    from pyarrow.parquet import FileMetaData, ParquetFile

_ROWS_AT_ONCE = 500
_BYTES_AT_ONCE = 16_000_000
# What one group of rows may hold when it is unpacked: all of it is in memory for a while.
_LARGEST_GROUP = 1 << 29
_MEGABYTE = 1 << 20
_MOST_COLUMNS = 1_000
_BYTES, _FIXED_BYTES = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
# Decimal numbers and ids have up to 32 bytes.
_LONGEST_FIXED = 64
# What a value takes, however short it is in the file.
_VALUE_BYTES = 8
# Of rows that are too long; who reads on would learn the same.
_MOST_TOLD = 1_000


def read_parquet(stream: BinaryIO) -> Iterator[Row | RowProblem]:
    """Give each row by its number; what is null is left out.

    A file may hold a text once and mean it in every row. So each group of rows is first read
    with every text held once, to know how many of its rows fit into memory together.
    """
    # It takes a third of a second to import and 60 MB, which readers of text do without.
    from pyarrow import ArrowException  # noqa: PLC0415
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - as above

    number = 0
    try:
        # A column of a type of its own would not be read so that each text is held once.
        file = ParquetFile(stream, arrow_extensions_enabled=False)
        once = ParquetFile(
            stream,
            metadata=file.metadata,
            read_dictionary=_texts(file.metadata),
            arrow_extensions_enabled=False,
        )
        problem = _problem(file.metadata) or _spread_out(once)
        if problem is not None:
            yield problem
            return
        for group in range(file.metadata.num_row_groups):
            weights, too_long = _look(once, group, number)
            yield from too_long
            if too_long:
                number += len(weights)
                continue
            before = number
            rows_at_once = min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // int(weights.max(initial=1)))
            for batch in file.iter_batches(batch_size=rows_at_once, row_groups=[group]):
                for values in batch.to_pylist():
                    size = int(weights[number - before])
                    number += 1
                    present = {key: one for key, one in values.items() if one is not None}
                    yield Row(number, present, size_bytes=size)
    # The library tells some damage by its own errors and some by Python's.
    except (
        *(ArrowException, OSError, ValueError, OverflowError, IndexError),
        # Of lists in lists in lists.
        RecursionError,
    ) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        sentence = f"The file cannot be read as Parquet: {reason}"
        yield RowProblem(number + 1 if number else None, None, sentence)


def _problem(metadata: "FileMetaData") -> RowProblem | None:
    """Return why a file takes too much memory to be read, by what it says of itself."""
    if metadata.num_columns > _MOST_COLUMNS:
        sentence = f"The file has more than {_MOST_COLUMNS:,} columns; leave out what nobody needs."
        return RowProblem(None, None, sentence)
    leaves = [metadata.schema.column(at) for at in range(metadata.num_columns)]
    seen: set[str] = set()
    for leaf in leaves:
        if leaf.path in seen:
            return RowProblem(None, leaf.path, "The column stands twice; rename or remove one.")
        seen.add(leaf.path)
        if leaf.physical_type == _FIXED_BYTES and leaf.length > _LONGEST_FIXED:
            sentence = f"Its values have {leaf.length:,} bytes each; write texts instead."
            return RowProblem(None, leaf.path, sentence)
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        values = sum(group.column(at).num_values for at in range(len(leaves)))
        if max(group.total_byte_size, (values + group.num_rows) * _VALUE_BYTES) > _LARGEST_GROUP:
            size = _LARGEST_GROUP // _MEGABYTE
            sentence = f"A group of rows has more than {size} MB; write smaller row groups."
            return RowProblem(None, None, sentence)
    return None


def _texts(metadata: "FileMetaData") -> list[str]:
    """Return the columns of texts, which can be read so that each text is held once."""
    leaves = [metadata.schema.column(at) for at in range(metadata.num_columns)]
    return [leaf.path for leaf in leaves if leaf.physical_type == _BYTES]


def _spread_out(once: "ParquetFile") -> RowProblem | None:
    """Return which column of texts would not be read so that each text is held once."""
    # Only who reads Parquet pays for it.
    from pyarrow.types import is_dictionary  # noqa: PLC0415

    schema = once.metadata.schema
    columns = [schema.column(at) for at in range(once.metadata.num_columns)]
    kinds = [kind for field in once.schema_arrow for kind in _leaves(field.type)]
    for at, leaf in enumerate(columns):
        is_once = len(kinds) == len(columns) and is_dictionary(kinds[at])
        if leaf.physical_type == _BYTES and not is_once:
            sentence = "Its values are neither texts nor numbers; write them as texts."
            return RowProblem(None, leaf.path, sentence)
    return None


def _leaves(kind: "DataType") -> Iterator["DataType"]:
    """Give what a type consists of, in the order of a file's columns."""
    if kind.num_fields == 0:
        yield kind
    for at in range(kind.num_fields):
        yield from _leaves(kind.field(at).type)


def _look(once: "ParquetFile", group: int, before: int) -> tuple[Weights, list[RowProblem]]:
    """Return what each row of a group takes in memory, in bytes, and which are too long at all."""
    rows = once.metadata.row_group(group).num_rows
    total = np.zeros(rows, dtype=np.int64)
    widest, largest = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    table = once.read_row_group(group, use_threads=False)
    for at, column in enumerate(table.columns):
        weights = np.concatenate([np.zeros(0, np.int64), *map(weights_of, column.chunks)])
        widest[weights > largest] = at
        largest = np.maximum(largest, weights)
        total += weights
    size = MAX_LINE_BYTES // 1_000_000
    sentence = f"The row is longer than {size} MB; shorten its texts."
    too_long = [
        RowProblem(before + int(at) + 1, table.column_names[widest[at]], sentence)
        for at in np.flatnonzero(total > MAX_LINE_BYTES)[:_MOST_TOLD]
    ]
    return total, too_long
