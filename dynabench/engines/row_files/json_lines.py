"""JSON lines: one object a line."""

from collections.abc import Iterator
from typing import BinaryIO

import orjson

from dynabench.engines.row_files.text_lines import text_lines
from dynabench.engines.row_files.values import Row, RowProblem


def read_json_lines(stream: BinaryIO) -> Iterator[Row | RowProblem]:
    """Give the object of each line; empty lines are passed over."""
    for found in text_lines(stream):
        if isinstance(found, RowProblem):
            yield found
            continue
        number, text = found
        if text.strip():
            yield _read(number, text)


def _read(number: int, text: str) -> Row | RowProblem:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        sentence = f"The line is not JSON: {error.msg} at character {error.colno}."
        return RowProblem(number, None, sentence)
    if not isinstance(value, dict):
        return RowProblem(number, None, "The line must be one JSON object, such as {…}.")
    return Row(number, value)
