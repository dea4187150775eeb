"""Parquet, read a batch of rows at a time."""

from collections.abc import Iterator
from typing import BinaryIO

from dynabench.engines.row_files.values import Row, RowProblem

_ROWS_AT_ONCE = 500
# What one group of rows may hold when it is unpacked: all of it is in memory for a while.
_LARGEST_GROUP = 1 << 29
_MEGABYTE = 1 << 20


def read_parquet(stream: BinaryIO) -> Iterator[Row | RowProblem]:
    """Give each row by its number; what is null is left out."""
    # It takes a third of a second to import and 60 MB, which readers of text do without.
    from pyarrow import ArrowException  # noqa: PLC0415
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - as above

    number = 0
    try:
        file = ParquetFile(stream)
        groups = (file.metadata.row_group(at) for at in range(file.metadata.num_row_groups))
        largest = max((group.total_byte_size for group in groups), default=0)
        if largest > _LARGEST_GROUP:
            size = _LARGEST_GROUP // _MEGABYTE
            sentence = f"A group of rows has more than {size} MB; write smaller row groups."
            yield RowProblem(None, None, sentence)
            return
        for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
            for values in batch.to_pylist():
                number += 1
                yield Row(number, {key: one for key, one in values.items() if one is not None})
    # The library tells some damage by its own errors and some by Python's.
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        sentence = f"The file cannot be read as Parquet: {reason}"
        yield RowProblem(number + 1 if number else None, None, sentence)
