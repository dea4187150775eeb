"""How much to collect, and what has changed from one round to the next."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.beta_binomial import clustered_interval, likeness
from dynabench.science.statistics.planning import (
    FEWEST_PEOPLE,
    people_for_width,
    rate_change,
    size_for_width,
)
from dynabench.science.statistics.rates import Rate, wilson
from tools.interval_coverage import own_rates

rates = st.integers(1, 500).flatmap(
    lambda whole: st.integers(0, whole).map(lambda part: Rate(part, whole))
)


@given(part=st.integers(0, 100), width=st.floats(0.02, 0.9))
def test_the_size_is_the_least_that_is_narrow_enough(part: int, width: float) -> None:
    size = size_for_width(part / 100, width)
    assert size is not None
    for share in (part, 100 - part):
        # Whole counts, so that the interval is the one that a reader would see.
        found = wilson(Rate(share * size, 100 * size))
        assert found is not None
        assert found.high - found.low <= width
    assert size_for_width(part / 100, width / 2) >= size  # type: ignore[operator]


@given(before=rates, after=rates)
def test_a_change_turns_round_with_the_rounds_and_holds_its_value(
    before: Rate, after: Rate
) -> None:
    there = rate_change(before=(before, wilson(before)), after=(after, wilson(after)))
    back = rate_change(before=(after, wilson(after)), after=(before, wilson(before)))
    assert there is not None
    assert back is not None
    assert there.low <= there.difference <= there.high
    assert abs(there.low + back.high) < 1e-12
    assert there.low >= -1
    assert there.high <= 1
    assert rate_change(before=(before, wilson(before)), after=(Rate(0, 0), None)) is None


def crowd(
    random: np.random.Generator, people: int, *, rate: float, alike: float, tries_each: int
) -> list[Rate]:
    own = own_rates(random, people, rate=rate, likeness=alike)
    return [Rate(int(part), tries_each) for part in random.binomial(tries_each, own)]


@pytest.mark.parametrize("tries_each", [5, 20, 200])
@pytest.mark.parametrize("alike", [0.0, 0.1, 0.25])
@pytest.mark.parametrize(("rate", "width"), [(0.15, 0.1), (0.3, 0.1), (0.5, 0.15)])
def test_as_many_people_as_planned_give_about_the_width_that_was_wanted(
    rate: float, width: float, alike: float, tries_each: int
) -> None:
    random = np.random.default_rng(6)
    people = people_for_width(rate, width, likeness=alike, tries_each=tries_each)
    assert people is not None

    found = [
        clustered_interval(crowd(random, people, rate=rate, alike=alike, tries_each=tries_each))
        for _ in range(12)
    ]

    widths = [one.high - one.low for one in found if one is not None]
    # Of no more than ten people the plan may be too careful, and never is it far too small.
    careful = 0.4 if people == FEWEST_PEOPLE else 0.85
    assert careful * width <= np.mean(widths) <= 1.25 * width


def test_a_plan_from_a_round_gives_the_next_one_about_the_width_that_was_wanted() -> None:
    random = np.random.default_rng(7)
    widths = []
    for _ in range(30):
        first = crowd(random, 20, rate=0.3, alike=0.15, tries_each=20)
        found, alike = sum(first, start=Rate(0, 0)).value, likeness(first)
        assert found is not None
        assert alike is not None
        people = people_for_width(found, 0.1, likeness=alike, tries_each=20)
        assert people is not None
        second = clustered_interval(crowd(random, people, rate=0.3, alike=0.15, tries_each=20))
        assert second is not None
        widths.append(second.high - second.low)

    assert 0.09 <= np.median(widths) <= 0.11
    # As many tries of the twenty people who were there before do not come near.
    same = crowd(random, 20, rate=0.3, alike=0.15, tries_each=20 * 50)
    held = clustered_interval(same)
    assert held is not None
    assert held.high - held.low > 0.12


def test_no_number_of_tries_takes_the_place_of_people() -> None:
    often = people_for_width(0.3, 0.05, likeness=0.1, tries_each=1_000_000)
    seldom = people_for_width(0.3, 0.05, likeness=0.1, tries_each=20)
    assert often is not None
    assert seldom is not None
    assert 100 < often < seldom
    assert people_for_width(0.3, 1.0, likeness=0.1, tries_each=20) is None


def test_how_alike_tries_of_one_person_are_comes_back() -> None:
    random = np.random.default_rng(8)
    for alike in (0.03, 0.1, 0.25):
        found = likeness(crowd(random, 300, rate=0.3, alike=alike, tries_each=20))
        assert found is not None
        assert abs(found - alike) < 0.035
    same = likeness([Rate(5, 10)] * 20)
    assert same is not None
    assert same < 0.02
    assert likeness([Rate(5, 10), Rate(0, 0)]) is None
