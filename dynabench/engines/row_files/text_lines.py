"""Lines of a text file, none of which can fill the memory."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from dynabench.engines.row_files.values import RowProblem

MAX_LINE_BYTES = 1_000_000

_PIECE = 1 << 20


def text_lines(stream: BinaryIO) -> Iterator[tuple[int, str] | RowProblem]:
    """Give each line with its number and its end; a line that is no text is a problem."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            _skip_rest(stream, line)
            size = MAX_LINE_BYTES // 1_000_000
            yield RowProblem(number, None, f"The line is longer than {size} MB; shorten its texts.")
            continue
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            sentence = f"Byte {error.start + 1} is not UTF-8; save the file in that encoding."
            yield RowProblem(number, None, sentence)


def _skip_rest(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(_PIECE)
