import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.byte_ranges import requested_range


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        (None, (0, 10)),
        ("bytes=0-", (0, 10)),
        ("bytes=2-3", (2, 4)),
        ("bytes=9-99", (9, 10)),
        ("bytes=-4", (6, 10)),
        ("bytes=-99", (0, 10)),
        ("bytes=10-", None),
        ("bytes=-0", None),
        ("bytes=3-2", (0, 10)),
        ("bytes=-", (0, 10)),
        ("bytes=0-1,4-5", (0, 10)),
        ("pages=1-2", (0, 10)),
        ("bytes=٣-٤", (0, 10)),
    ],
)
def test_a_range_means_these_bytes(header: str | None, meant: tuple[int, int] | None) -> None:
    assert requested_range(header, size=10) == meant


@given(header=st.text(max_size=30) | st.from_regex(r"bytes=\d{0,30}-\d{0,30}"), size=st.integers(1))
def test_whatever_is_asked_for_lies_within_the_file(header: str, size: int) -> None:
    found = requested_range(header, size=size)
    assert found is None or 0 <= found[0] < found[1] <= size
