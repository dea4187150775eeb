import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.wire import Values
from dynabench.loop.contexts.errors import ContextFileError
from dynabench.loop.contexts.uploads import rules
from dynabench.loop.contexts.uploads.rules import LineProblemsError, UploadReader, read_line
from dynabench.loop.contexts.values import ContextItem
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

CONFIG = load_task_config(NLI_CONFIG)


def reader() -> UploadReader:
    return UploadReader(check_content=CONFIG.check_context)


def read_all(data: bytes, *, size: int = 7) -> list[ContextItem]:
    upload = reader()
    for start in range(0, len(data), size):
        upload.feed(data[start : start + size])
    return upload.finish()


def line_of(premise: str, **others: object) -> bytes:
    return json.dumps({"context": {"premise": premise}, **others}).encode()


def problems_of(data: bytes) -> list[dict[str, object]]:
    with pytest.raises(ContextFileError) as refused:
        read_all(data, size=4096)
    found = refused.value.facts["problems"]
    assert isinstance(found, list)
    return found


def messages_of(line: bytes) -> list[str] | None:
    """Return what is said of a line; None where it is read."""
    try:
        item = read_line(line, check_content=CONFIG.check_context)
    except LineProblemsError as refused:
        return refused.messages
    assert set(item.content) == {"premise"}
    return None


written = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40
).filter(str.strip)


@given(premises=st.lists(written, min_size=1, max_size=8), size=st.integers(1, 64))
def test_a_file_reads_the_same_however_it_is_cut(premises: list[str], size: int) -> None:
    data = b"\n".join(line_of(premise) for premise in premises)
    contents: list[Values] = [{"premise": premise} for premise in premises]
    assert [item.content for item in read_all(data, size=size)] == contents


@given(line=st.binary(max_size=200))
def test_any_line_is_read_or_refused_with_a_sentence(line: bytes) -> None:
    messages = messages_of(line)
    assert messages is None or all(message.endswith((".", "?")) for message in messages)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    value=st.fixed_dictionaries(
        {}, optional={"context": json_values, "tag": json_values, "metadata": json_values}
    )
)
def test_any_json_is_read_or_refused(value: dict[str, object]) -> None:
    assert messages_of(json.dumps(value).encode()) != []


def test_tag_and_metadata_are_kept() -> None:
    (item,) = read_all(line_of("A text.", tag="news", metadata={"source": "own"}))
    assert (item.tag, item.metadata) == ("news", {"source": "own"})


def test_empty_lines_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    data = b"\xef\xbb\xbf" + line_of("One.") + b"\r\n\r\n" + line_of("Two.") + b"\r\n"
    assert [item.content["premise"] for item in read_all(data)] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b"{", "is not JSON"),
        (b'{"context": {"premise": "a"}, "metadata": {"x": NaN}}', "NaN is not a number"),
        (b"[1]", "must be an object, not a list"),
        (b"\xff\xfe", "Byte 1 is not UTF-8"),
        (b"{}", "“context” is missing"),
        (b'{"context": "a"}', "“context” must be an object"),
        (b'{"context": {}}', "“context.premise”: It is missing"),
        (b'{"context": {"premise": 3}}', "must be text"),
        (b'{"context": {"premise": "a", "extra": "b"}}', "context.extra"),
        (b'{"context": {"premise": "a"}, "tags": "b"}', "did you mean “tag”?"),
        (b'{"context": {"premise": "a"}, "q": "b"}', "known are context, tag and metadata"),
        (b'{"context": {"premise": "a"}, "tag": 3}', "“tag” must be a text, not a number"),
        (b'{"context": {"premise": "a"}, "tag": "\\u0000"}', "a NUL character"),
        (b'{"context": {"premise": "a"}, "metadata": []}', "“metadata” must be an object"),
        (b'{"context": {"premise": "a\\u0007"}}', "“context.premise”: It holds a control"),
        (b'{"context": {"premise": "\\ud800"}}', "half of a character"),
        (b'{"context": {"premise": "a"}, "metadata": {"x": ["\\u0000"]}}', "“metadata.x[0]”"),
        (b'{"context": {"premise": "a"}, "metadata": {"\\u0000": 1}}', "holds a control"),
        (b'{"context": {"premise": "a"}, "metadata": {"x": 1e999}}', "too large to keep"),
        (b'{"context": {"premise": "a"}, "metadata": {"x": %d}}' % 10**30, "too large to keep"),
        (b'{"context": {"premise": "a"}, "metadata": {"x": %s}}' % (b"[" * 30 + b"]" * 30), "deep"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(line: bytes, part: str) -> None:
    (problem,) = problems_of(line_of("Fine.") + b"\n" + line)
    assert problem["line"] == 2
    assert part in str(problem["message"])


def test_a_tag_of_any_length_is_not_taken() -> None:
    (problem,) = problems_of(line_of("Fine.", tag="a" * 101))
    assert "101 characters" in str(problem["message"])


def test_all_problems_of_a_line_are_told() -> None:
    found = problems_of(b'{"contex": {}, "tag": 1}')
    assert [problem["line"] for problem in found] == [1, 1, 1]


def test_a_text_of_ten_megabytes_is_refused_with_its_line() -> None:
    (problem,) = problems_of(line_of("Fine.") + b"\n" + line_of("a" * 10_000_000))
    assert problem == {
        "line": 2,
        "message": "The line is longer than 1 MB; shorten its texts.",
    }


def test_twenty_problems_are_told_and_the_others_counted() -> None:
    with pytest.raises(ContextFileError) as refused:
        read_all(b"x\n" * 25)
    problems = refused.value.facts["problems"]
    assert isinstance(problems, list)
    assert len(problems) == 20
    assert refused.value.facts["more"] == 5


def test_a_file_that_is_too_large_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MAX_FILE_BYTES", 100)
    upload = reader()
    upload.feed(line_of("Fine.") + b"\n")
    with pytest.raises(ContextFileError, match="send it in parts"):
        upload.feed(b" " * 100)


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    (problem,) = problems_of(data)
    assert "holds no context" in str(problem["message"])
