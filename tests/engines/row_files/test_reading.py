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
from dynabench.engines.row_files.reading import next_rows, read_rows
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
        (b"[" * 30 + b"\n", RowFormat.JSONL, 1, "not JSON"),
        (b'{"a":' * 41 + b"\n", RowFormat.JSONL, 1, "more than 40 inside each other"),
        (b'{"a": [' + b"[]," * 10_001 + b"[]]}\n", RowFormat.JSONL, 1, "more than 10000 values"),
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


def test_long_rows_are_taken_few_at_a_time() -> None:
    long = [{"text": str(at) + "x" * (MAX_LINE_BYTES - 100)} for at in range(12)]
    short = [{"text": str(at)} for at in range(40)]
    rows = read_rows(io.BytesIO(as_jsonl([*long, *short])), RowFormat.JSONL)

    taken = list(iter(lambda: next_rows(rows, most_rows=30), []))

    assert [len(some) for some in taken] == [5, 5, 30, 12]
    assert [one.values for some in taken for one in some if isinstance(one, Row)] == long + short


def test_a_quote_that_is_never_closed_does_not_fill_the_memory() -> None:
    data = b'a,b\n"' + b"x,y\n" * 100_000
    (found,) = problems(data, RowFormat.CSV)
    assert "Check quotes" in found.sentence


def test_a_record_of_many_lines_ends_where_it_is_too_long_however_its_lines_end() -> None:
    # Each line ends inside quotes, as the record does only after the last one.
    record = (b"ab," * 100_000 + b'"\n",') * 40
    stream = io.BytesIO(b"a,b\n1,2\n3,4\n" + record + b"ab\n5,6\n")

    *before, found = read_rows(stream, RowFormat.CSV)

    assert before == [Row(2, {"a": "1", "b": "2"}), Row(3, {"a": "3", "b": "4"})]
    assert isinstance(found, RowProblem)
    assert found.line == 4
    assert "longer than 1 MB" in found.sentence
    assert stream.tell() < 2 * MAX_LINE_BYTES


def test_a_first_line_of_names_that_goes_on_and_on_is_told_too() -> None:
    (found,) = problems((b"a," * 50_000 + b'"\n",') * 20, RowFormat.CSV)
    assert (found.line, "longer than 1 MB" in found.sentence) == (1, True)


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


def one_text(text: str, *, rows: int, listed: int = 0) -> bytes:
    """Write a file that holds a text once and means it in every row, or in lists of many."""
    shared = pa.DictionaryArray.from_arrays(
        pa.array([0] * (listed or 1) * rows, pa.int32()), [text]
    )
    ends = [at * listed for at in range(rows + 1)]
    column = pa.ListArray.from_arrays(ends, shared) if listed else shared
    sink = io.BytesIO()
    pq.write_table(pa.table({"n": list(range(rows)), "text": column}), sink, compression="zstd")
    return sink.getvalue()


@pytest.mark.parametrize(("length", "listed"), [(8_000_000, 0), (2_000, 1_000)])
def test_a_text_that_parquet_holds_once_is_not_spread_out_over_rows_that_are_too_long(
    length: int, listed: int
) -> None:
    data = one_text("x" * length, rows=500, listed=listed)
    assert len(data) < 20_000
    before = pa.default_memory_pool().bytes_allocated()
    rows = read_rows(io.BytesIO(data), RowFormat.PARQUET)
    first = next(rows)

    assert isinstance(first, RowProblem)
    assert (first.line, first.column) == (1, "text")
    assert "longer than 1 MB" in first.sentence
    assert all(isinstance(one, RowProblem) for one in rows)
    assert pa.default_memory_pool().bytes_allocated() - before < 20_000_000


@pytest.mark.parametrize("is_listed", [False, True])
def test_nor_where_its_column_is_of_a_type_of_its_own(*, is_listed: bool) -> None:
    texts = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['"' + "x" * 2_000_000 + '"'] * 50))
    column = pa.ListArray.from_arrays(list(range(51)), texts) if is_listed else texts
    sink = io.BytesIO()
    pq.write_table(pa.table({"text": column}), sink, compression="zstd", write_statistics=False)
    assert len(sink.getvalue()) < 20_000
    # Nothing else uses this pool, so that its peak is that of this file.
    usual, counted = pa.default_memory_pool(), pa.system_memory_pool()
    assert usual.backend_name != counted.backend_name
    pa.set_memory_pool(counted)
    try:
        first, *_ = read_rows(io.BytesIO(sink.getvalue()), RowFormat.PARQUET)
    finally:
        pa.set_memory_pool(usual)

    assert isinstance(first, RowProblem)
    assert (first.line, first.column) == (1, "text")
    assert counted.max_memory() < 30_000_000


def test_long_rows_of_parquet_are_spread_out_few_at_a_time() -> None:
    text = "x" * (MAX_LINE_BYTES - 100)
    rows = read_rows(io.BytesIO(one_text(text, rows=200)), RowFormat.PARQUET)

    before = pa.default_memory_pool().bytes_allocated()
    assert next(rows) == Row(1, {"n": 0, "text": text})
    assert pa.default_memory_pool().bytes_allocated() - before < 40_000_000
    assert len(next_rows(rows, most_rows=100)) == 5
    assert [one.line for one in rows] == list(range(7, 201))


def test_rows_that_parquet_repeats_without_end_are_refused_by_their_number() -> None:
    sink = io.BytesIO()
    many = pa.nulls(40_000_000, pa.int8())
    pq.write_table(pa.table({"text": many}), sink, row_group_size=len(many))
    assert len(sink.getvalue()) < 100_000
    (found,) = problems(sink.getvalue(), RowFormat.PARQUET)
    assert "write smaller row groups" in found.sentence


@pytest.mark.parametrize(
    "column",
    [
        pa.array([["a", None], None, []]),
        pa.array([{"a": "x", "b": [1.5]}, None, {"a": None, "b": None}]),
        pa.array([[("k", "v")], None, []], pa.map_(pa.string(), pa.string())),
        pa.array([[1, 2], [3, 4], None], pa.list_(pa.int64(), 2)),
        pa.array(["a", None, "c"], pa.large_string()),
        pa.array(["a", None, "a"]).dictionary_encode(),
        pa.array([5, None, 5]).dictionary_encode(),
        pa.array(["a", None, "c"], pa.string_view()),
        pa.array([{"a": ["x"]}, None, {"a": None}]).slice(0),
        pa.array([b"a", None, b"c"]),
        pa.array([1, None, 3]),
        pa.nulls(3),
    ],
)
def test_every_kind_of_parquet_column_is_read(column: pa.Array) -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"n": [1, 2, 3], "it": column}), sink)
    found = list(read_rows(io.BytesIO(sink.getvalue()), RowFormat.PARQUET))
    told = [one.values.get("it") for one in found if isinstance(one, Row)]
    assert told == column.to_pylist()
