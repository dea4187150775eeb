"""JSON lines: one object a line."""

from collections.abc import Iterator
from typing import BinaryIO

import orjson

from dynabench.engines.row_files.text_lines import text_lines
from dynabench.engines.row_files.values import Row, RowProblem
from dynabench.kit.intricate_json import MOST_DEPTH, MOST_VALUES, is_intricate


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
    data = text.encode()
    # A megabyte of small values takes many times as much in memory.
    if is_intricate(data):
        sentence = (
            f"The line holds more than {MOST_VALUES} values, or more than {MOST_DEPTH} inside each "
            "other; leave out what is not needed."
        )
        return RowProblem(number, None, sentence)
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        sentence = f"The line is not JSON: {error.msg} at character {error.colno}."
        return RowProblem(number, None, sentence)
    if not isinstance(value, dict):
        return RowProblem(number, None, "The line must be one JSON object, such as {…}.")
    return Row(number, value, size_bytes=len(data))
