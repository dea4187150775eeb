"""Opening files of a collection: plain or gzip, line by line, with places for errors."""

import codecs
import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from dynabench.loop.interchange.errors import SourceFileError
from dynabench.loop.interchange.readers.rows import WRONG_FORMAT, Row

_GZIP_MAGIC = b"\x1f\x8b"
_LONGEST_LINE = 4_000_000


class SourceFile:
    """One file of a collection; what is read of it is gone when the next line is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        if not path.is_file():
            raise SourceFileError(
                file=str(path),
                line=None,
                field=None,
                reason="It must be a file on disk, for it is read twice.",
            )
        self.size = path.stat().st_size
        self._raw = path.open("rb")
        is_packed = self._raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        self._raw.seek(0)
        self._lines = gzip.GzipFile(fileobj=self._raw) if is_packed else self._raw

    def __enter__(self) -> Self:
        """Return the file, to be closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._lines.close()
        self._raw.close()

    @property
    def read_bytes(self) -> int:
        """How much of the file on disk has been read, for a progress bar."""
        return self._raw.tell()

    def error(self, reason: str, *, line: int | None = None) -> SourceFileError:
        """Return what is wrong with the file, to be raised."""
        return SourceFileError(file=self.name, line=line, field=None, reason=reason)

    def lines(self) -> Iterator[str]:
        """Return the lines with their ends.

        Raises:
            SourceFileError: At a line that is not UTF-8 or far too long, or where the
                packing is broken.
        """
        number = 0
        while True:
            try:
                line = self._lines.readline(_LONGEST_LINE)
            except (OSError, EOFError, zlib.error) as error:
                raise self.error(
                    "The packed file is broken here; fetch it again.", line=number + 1
                ) from error
            if not line:
                return
            number += 1
            if len(line) >= _LONGEST_LINE:
                raise self.error("The line is longer than 4 MB.", line=number)
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise self.error("This is not UTF-8.", line=number) from error

    def json_rows(self) -> Iterator[Row]:
        """Return one row per line of JSON; empty lines are passed over."""
        for number, line in enumerate(self.lines(), start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep"
                hint = f"; {WRONG_FORMAT}" if number == 1 else "."
                raise self.error(f"This is not JSON ({reason}){hint}", line=number) from error
            if not isinstance(value, dict):
                raise self.error("A line must hold one JSON object.", line=number)
            yield Row(value, file=self.name, line=number)

    def csv_rows(self, *, key: str) -> Iterator[Row]:
        """Return one row per record of a CSV file whose first line names the columns.

        Args:
            key: A column that files of the format have.
        """
        reader = csv.reader(self.lines(), strict=True)
        names: list[str] | None = None
        begins = 1
        try:
            for values in reader:
                line, begins = begins, reader.line_num + 1
                if names is None:
                    names = values
                    if key not in names:
                        raise Row({}, file=self.name, line=line).error(
                            key, f"The first line does not name it; {WRONG_FORMAT}"
                        )
                elif values:
                    yield self._csv_row(names, values, line=line)
        except csv.Error as error:
            raise self.error(f"This is not CSV ({error}).", line=begins) from error

    def _csv_row(self, names: list[str], values: list[str], *, line: int) -> Row:
        if len(values) != len(names):
            raise self.error(
                f"The line has {len(values)} values and the first line names {len(names)}.",
                line=line,
            )
        return Row(dict(zip(names, values, strict=True)), file=self.name, line=line)
