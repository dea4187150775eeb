"""Laws of concentration."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.concentration import describe_concentration

counts = st.lists(st.integers(0, 10_000), min_size=1, max_size=60).filter(any)


@given(counts)
def test_shares_and_the_coefficient_lie_between_nothing_and_everything(found: list[int]) -> None:
    spread = describe_concentration(found)
    assert spread is not None
    assert 0 <= spread.gini < 1
    assert spread.top.part <= spread.top_tenth.part <= spread.top_tenth.whole == sum(found)


@given(counts, st.integers(2, 50))
def test_work_of_another_size_is_as_concentrated(found: list[int], times: int) -> None:
    spread, larger = (
        describe_concentration(found),
        describe_concentration([times * n for n in found]),
    )
    assert spread is not None
    assert larger is not None
    assert larger.gini == pytest.approx(spread.gini)


@given(st.integers(1, 50), st.integers(1, 100))
def test_equal_work_has_the_coefficient_nought(people: int, each: int) -> None:
    spread = describe_concentration([each] * people)
    assert spread is not None
    assert spread.gini == 0
    assert str(spread.top) == f"{each} of {each * people}"


def test_no_work_is_no_data() -> None:
    assert describe_concentration([]) is None
    assert describe_concentration([0, 0]) is None
