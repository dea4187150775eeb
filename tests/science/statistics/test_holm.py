"""Holm's correction: sorted, unsorted and by critical values it rejects the same tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dynabench.science.statistics.holm import holm_adjusted, holm_rejects, holm_rejects_t

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(values=p_values)
def test_it_rejects_what_going_down_the_sorted_list_rejects(values: list[float]) -> None:
    rejected, left = set(), len(values)
    for place in sorted(range(left), key=values.__getitem__):
        if values[place] > 0.05 / left:
            break
        rejected.add(place)
        left -= 1

    hits = holm_rejects(np.array(values))

    assert set(np.flatnonzero(hits).tolist()) == rejected
    adjusted = holm_adjusted(values)
    assert {place for place, one in enumerate(adjusted) if one <= 0.05} == rejected


def test_adjusted_values_are_those_of_a_worked_example() -> None:
    # Holm 1979 by hand: 4 · 0.01, 3 · 0.013, 2 · 0.014, 1 · 0.4, never falling.
    adjusted = holm_adjusted([0.4, 0.014, 0.01, 0.013])

    assert adjusted == pytest.approx([0.4, 0.04, 0.04, 0.04])


@given(values=st.lists(st.floats(0, 12), min_size=1, max_size=30), copies=st.integers(1, 2))
def test_squares_of_t_are_rejected_as_their_p_values_are(values: list[float], copies: int) -> None:
    squares = np.square(np.array(values))
    by_p = holm_rejects(2 * stats.t.sf(np.array(values), 50))

    hits = holm_rejects_t(np.stack([squares] * copies), freedom=50, tests=len(values))

    assert hits[0].tolist() == by_p.tolist()
