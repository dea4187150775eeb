import base64
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.paging import BadCursorError, cut, decode_cursor, encode_cursor


@given(st.datetimes(timezones=st.just(UTC)), st.uuids())
def test_a_cursor_gives_its_sort_key_again(time: datetime, key: UUID) -> None:
    assert decode_cursor(encode_cursor([time, key]), datetime, UUID) == (time, key)


@given(st.text())
def test_what_is_no_cursor_is_refused_with_a_sentence(cursor: str) -> None:
    with pytest.raises(BadCursorError, match="Start again without one"):
        decode_cursor(cursor, datetime, UUID)


def test_a_cursor_of_another_list_is_refused() -> None:
    with pytest.raises(BadCursorError):
        decode_cursor(encode_cursor([uuid4()]), datetime, UUID)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadCursorError):
        decode_cursor(base64.urlsafe_b64encode(b"\xff\xfe").decode(), str)


def test_one_row_more_than_the_page_says_that_there_are_more() -> None:
    assert cut([1, 2, 3], size=2) == ([1, 2], True)
    assert cut([1, 2], size=2) == ([1, 2], False)
