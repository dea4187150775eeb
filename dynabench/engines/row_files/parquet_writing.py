"""Parquet, written a group of rows at a time."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from dynabench.engines.row_files.cells import CellType, ListOf, Plain

if TYPE_CHECKING:
    # It ships no types; the names are for readers.
    from pyarrow import DataType, Table

# A group is in memory until it is written.
_GROUP_ROWS = 50_000
_GROUP_BYTES = 32 << 20


class ParquetWriting:
    """A Parquet file on its way; the same rows in the same portions give the same bytes.

    Args:
        file: Where to write.
        columns: What each column holds, in their order; any cell may be empty.
    """

    def __init__(self, file: BinaryIO, columns: Mapping[str, CellType]) -> None:
        # It takes a third of a second to import and 60 MB, which others do without.
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow.parquet import ParquetWriter  # noqa: PLC0415 - as above

        self._arrow = pa
        self._schema = pa.schema([(name, self._type(held)) for name, held in columns.items()])
        self._writer = ParquetWriter(file, self._schema, compression="zstd")
        self._waiting: list[Table] = []
        self._rows = self._bytes = 0

    def add(self, columns: Mapping[str, Sequence[object]]) -> None:
        """Add rows, given as the cells of each column.

        Raises:
            pyarrow.ArrowException: If a cell is not what its column holds.
        """
        arrays = [self._arrow.array(columns[one.name], type=one.type) for one in self._schema]
        table = self._arrow.Table.from_arrays(arrays, schema=self._schema)
        self._waiting.append(table)
        self._rows += table.num_rows
        self._bytes += table.nbytes
        while self._rows >= _GROUP_ROWS:
            self._write(_GROUP_ROWS)
        if self._bytes >= _GROUP_BYTES:
            self._write(self._rows)

    def end(self) -> None:
        """Write what waits, and the end of the file."""
        if self._rows:
            self._write(self._rows)
        self._writer.close()

    def abandon(self) -> None:
        """Let go of the file, which is of no use then."""
        with suppress(OSError, self._arrow.ArrowException):
            self._writer.close()

    def _type(self, held: CellType) -> "DataType":
        pa = self._arrow
        if isinstance(held, ListOf):
            return pa.list_(self._type(held.of))
        if isinstance(held, Plain):
            plain = {
                Plain.TEXT: pa.string(),
                Plain.NUMBER: pa.float64(),
                Plain.COUNT: pa.int64(),
                Plain.TRUTH: pa.bool_(),
            }
            return plain[held]
        return pa.struct([(name, self._type(part)) for name, part in held.parts])

    def _write(self, rows: int) -> None:
        table = self._arrow.concat_tables(self._waiting)
        self._writer.write_table(table.slice(0, rows), row_group_size=rows)
        rest = table.slice(rows)
        self._waiting = [rest] if rest.num_rows else []
        self._rows = rest.num_rows
        self._bytes = rest.nbytes
