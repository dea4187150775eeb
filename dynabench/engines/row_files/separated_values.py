"""CSV, or the same with tabs or semicolons: a line of names, then a row a record."""

import csv
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from dynabench.engines.row_files.text_lines import MAX_LINE_BYTES, text_lines
from dynabench.engines.row_files.values import Row, RowProblem

_SEPARATORS = ",\t;"


class _UnreadableLineError(Exception):
    def __init__(self, problem: RowProblem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def read_separated_values(stream: BinaryIO) -> Iterator[Row | RowProblem]:
    """Give each record by the names of the first line; empty cells are left out.

    A line that cannot be read ends the file, since the records after it cannot be told.
    """
    records = _Records(stream)
    lines = iter(records)
    try:
        first = next(lines, "")
        separator = max(_SEPARATORS, key=first.count)
        reader = csv.reader(_again(first, lines), delimiter=separator, strict=True)
        header = next(reader, [])
        wrong = _wrong_header(header)
        if wrong is not None:
            yield RowProblem(1, None, wrong)
            return
        records.end()
        for cells in reader:
            line = records.end()
            if cells:
                yield _row(line, header, cells)
    except _UnreadableLineError as error:
        yield error.problem
    except csv.Error as error:
        yield RowProblem(
            reader.line_num, None, f"The file cannot be read from here on: {error}. Check quotes."
        )


class _Records:
    """The lines of a file, of which one record may take up so many bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._taken = 0
        self._bytes = 0
        self._first = 1

    def __iter__(self) -> Iterator[str]:
        for found in text_lines(self._stream):
            if isinstance(found, RowProblem):
                raise _UnreadableLineError(found)
            self._taken, line = found
            self._bytes += len(line.encode())
            if self._bytes > MAX_LINE_BYTES:
                size = MAX_LINE_BYTES // 1_000_000
                sentence = (
                    f"The record is longer than {size} MB; shorten its texts, or check quotes."
                )
                raise _UnreadableLineError(RowProblem(self._first, None, sentence))
            yield line

    def end(self) -> int:
        """End a record; return the line where it began."""
        first, self._first, self._bytes = self._first, self._taken + 1, 0
        return first


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _wrong_header(header: list[str]) -> str | None:
    if not header:
        return "The file is empty; its first line holds the names of the columns."
    if not all(name.strip() for name in header):
        place = next(at for at, name in enumerate(header, 1) if not name.strip())
        return f"Column {place} has no name; the first line names every column."
    twice = [name for name, count in Counter(header).items() if count > 1]
    return f"The column “{twice[0]}” stands twice; rename or remove one." if twice else None


def _row(line: int, header: list[str], cells: list[str]) -> Row | RowProblem:
    if len(cells) != len(header):
        sentence = f"The row has {len(cells)} cells, and the first line names {len(header)}."
        return RowProblem(line, None, sentence)
    # A file from Windows brings carriage returns within its texts.
    values = {
        name: cell.replace("\r\n", "\n")
        for name, cell in zip(header, cells, strict=True)
        if cell != ""
    }
    return Row(line, values, size_bytes=sum(map(len, cells)))
