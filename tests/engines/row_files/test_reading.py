"""Files of rows: what every format gives, and what is said of damaged ones."""

import io
import json
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.row_files.naming import format_of
from dynabench.engines.row_files.reading import read_rows
from dynabench.engines.row_files.text_lines import MAX_LINE_BYTES
from dynabench.engines.row_files.values import Row, RowFormat, RowProblem

Rows = Sequence[Mapping[str, str]]
ROWS: Rows = [{"text": "Übel, “quoted”\nand broken", "label": "x"}, {"text": "b;c", "label": "y"}]


def as_jsonl(rows: Rows) -> bytes:
    return b"\xef\xbb\xbf" + "\n\n".join(json.dumps(row) for row in rows).encode()


def as_csv(rows: Rows) -> bytes:
    cells = [["text", "label"], *([row["text"], row["label"]] for row in rows)]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells]
    return "\r\n".join(quoted).encode()


def as_parquet(rows: Rows) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), sink)
    return sink.getvalue()


def problems(data: bytes, row_format: RowFormat) -> list[RowProblem]:
    return [one for one in read_rows(io.BytesIO(data), row_format) if isinstance(one, RowProblem)]


@pytest.mark.parametrize(
    ("row_format", "write"),
    [(RowFormat.JSONL, as_jsonl), (RowFormat.CSV, as_csv), (RowFormat.PARQUET, as_parquet)],
)
def test_every_format_gives_the_same_rows(
    row_format: RowFormat, write: Callable[[Rows], bytes]
) -> None:
    found = list(read_rows(io.BytesIO(write(ROWS)), row_format))
    assert [one.values for one in found if isinstance(one, Row)] == ROWS


def test_a_row_stands_at_its_line_however_many_lines_those_before_it_have() -> None:
    assert [one.line for one in read_rows(io.BytesIO(as_jsonl(ROWS)), RowFormat.JSONL)] == [1, 3]
    assert [one.line for one in read_rows(io.BytesIO(as_csv(ROWS)), RowFormat.CSV)] == [2, 4]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_first_line_tells_the_separator(separator: str) -> None:
    data = f"text{separator}label\na{separator}\n".encode()
    assert list(read_rows(io.BytesIO(data), RowFormat.CSV)) == [Row(2, {"text": "a"})]


@pytest.mark.parametrize(
    ("data", "row_format", "line", "words"),
    [
        (b'{"a": 1}\n{"a": }\n', RowFormat.JSONL, 2, "not JSON"),
        (b"[1]\n", RowFormat.JSONL, 1, "one JSON object"),
        (b'{"a": "\xff"}\n', RowFormat.JSONL, 1, "Byte 8 is not UTF-8"),
        (b'"' + b"x" * (MAX_LINE_BYTES * 2) + b'"\n', RowFormat.JSONL, 1, "longer than 1 MB"),
        (b"[" * 5000 + b"\n", RowFormat.JSONL, 1, "not JSON"),
        (b"", RowFormat.CSV, 1, "names of the columns"),
        (b"a,,c\n", RowFormat.CSV, 1, "Column 2 has no name"),
        (b"a,a\n", RowFormat.CSV, 1, "“a” stands twice"),
        (b"a,b\n1\n", RowFormat.CSV, 2, "1 cells, and the first line names 2"),
        (b'a\n"x"y\n', RowFormat.CSV, 2, "Check quotes"),
        (b"a\nb\n\xff\n", RowFormat.CSV, 3, "not UTF-8"),
        (b"PAR1 is how it begins PAR1", RowFormat.PARQUET, None, "cannot be read as Parquet"),
        (b"", RowFormat.PARQUET, None, "cannot be read as Parquet"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(
    data: bytes, row_format: RowFormat, line: int | None, words: str
) -> None:
    (found,) = problems(data, row_format)
    assert found.line == line
    assert words in found.sentence


def test_a_line_after_a_bad_one_is_still_read() -> None:
    found = list(read_rows(io.BytesIO(b'nonsense\n{"a": 1}\n'), RowFormat.JSONL))
    assert [type(one) for one in found] == [RowProblem, Row]


@given(st.binary(max_size=400), st.sampled_from(RowFormat))
def test_no_bytes_make_a_reader_fail(data: bytes, row_format: RowFormat) -> None:
    for one in read_rows(io.BytesIO(data), row_format):
        assert isinstance(one, Row | RowProblem)


def test_a_quote_that_is_never_closed_does_not_fill_the_memory() -> None:
    data = b'a,b\n"' + b"x,y\n" * 100_000
    (found,) = problems(data, RowFormat.CSV)
    assert "Check quotes" in found.sentence


def test_a_damaged_parquet_file_is_told_of() -> None:
    data = bytearray(as_parquet(ROWS))
    data[4:24] = bytes(20)
    assert problems(bytes(data), RowFormat.PARQUET)


def test_a_name_tells_the_format() -> None:
    names = ["a.jsonl", "a.ndjson", "A.CSV", "a.tsv", "a.parquet", "a.txt", "jsonl"]
    assert [format_of(name) for name in names] == [
        RowFormat.JSONL,
        RowFormat.JSONL,
        RowFormat.CSV,
        RowFormat.CSV,
        RowFormat.PARQUET,
        None,
        RowFormat.JSONL,
    ]
