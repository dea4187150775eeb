"""Rates keep their counts, and intervals follow the people behind them."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from dynabench.science.statistics.rates import (
    Z_95,
    Interval,
    Rate,
    clustered_interval,
    macro_average,
    total,
    wilson,
)

RATES = st.integers(0, 50).flatmap(lambda n: st.integers(0, n).map(lambda k: Rate(k, n)))


def test_no_data_is_none_and_never_0() -> None:
    assert Rate(0, 0).value is None
    assert Rate(0, 3).value == 0.0
    assert wilson(Rate(0, 0)) is None
    assert clustered_interval([]) is None
    assert clustered_interval([Rate(0, 0)] * 20) is None
    assert macro_average([Rate(0, 0)]) is None


@pytest.mark.parametrize(("part", "whole"), [(-1, 2), (3, 2)])
def test_a_part_is_never_more_than_the_whole(part: int, whole: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        Rate(part, whole)


@given(st.lists(RATES))
def test_rates_add_up(rates: list[Rate]) -> None:
    together = total(rates)
    assert together.part == sum(rate.part for rate in rates)
    assert together.whole == sum(rate.whole for rate in rates)


@given(RATES)
def test_wilson_is_the_score_interval(rate: Rate) -> None:
    interval = wilson(rate)
    if interval is None:
        assert rate.whole == 0
        return
    low, high = proportion_confint(rate.part, rate.whole, method="wilson")
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)
    assert 0 <= interval.low <= rate.part / rate.whole <= interval.high <= 1


def test_few_people_give_wilsons_interval() -> None:
    people = [Rate(5, 10), Rate(0, 10)] * 4 + [Rate(1, 10)]
    assert clustered_interval(people) == wilson(total(people))
    # People without a try do not count as people.
    assert clustered_interval([*people, Rate(0, 0)]) == wilson(total(people))


@pytest.mark.parametrize("part", [0, 4])
def test_a_rate_of_all_or_nothing_gives_wilsons_interval(part: int) -> None:
    people = [Rate(part, 4)] * 12
    assert clustered_interval(people) == wilson(Rate(12 * part, 48))


def test_people_who_differ_count_for_fewer_tries() -> None:
    # Ten people of ten tries: five always fool, five never. p = .5, and
    # SE² = 10/9 · 10 · 5² / 100² = 1/36, so the effective size is .25 · 36 = 9.
    people = [Rate(10, 10), Rate(0, 10)] * 5
    interval = clustered_interval(people)
    low, high = proportion_confint(4.5, 9, method="wilson")
    assert interval is not None
    assert interval.method == "wilson_clustered"
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_people_who_are_all_alike_add_nothing_to_their_tries() -> None:
    interval = clustered_interval([Rate(3, 6)] * 10)
    plain = wilson(Rate(30, 60))
    assert interval is not None
    assert plain is not None
    assert (interval.low, interval.high) == (plain.low, plain.high)


@given(st.lists(RATES, min_size=10, max_size=30))
def test_an_interval_over_people_is_never_narrower_than_over_tries(people: list[Rate]) -> None:
    interval, plain = clustered_interval(people), wilson(total(people))
    if interval is not None and plain is not None:
        value = total(people).value
        assert value is not None
        assert interval.low <= plain.low + 1e-9
        assert interval.high >= plain.high - 1e-9
        assert 0 <= interval.low <= value <= interval.high <= 1


def test_everyone_counts_once_in_the_macro_average() -> None:
    assert macro_average([Rate(1, 100), Rate(1, 1), Rate(0, 0)]) == pytest.approx(0.505)


def covers(interval: Interval | None, truth: float) -> bool:
    return interval is not None and interval.low <= truth <= interval.high


def test_the_interval_covers_where_people_differ() -> None:
    # Forty people of twenty tries whose own rates spread around .3.
    chooser = random.Random(11)
    runs = 1200
    covered = plain = 0
    for _ in range(runs):
        own = [chooser.betavariate(0.3 * 9, 0.7 * 9) for _ in range(40)]
        people = [Rate(sum(chooser.random() < one for _ in range(20)), 20) for one in own]
        covered += covers(clustered_interval(people), 0.3)
        plain += covers(wilson(total(people)), 0.3)
    assert 0.925 <= covered / runs <= 0.965
    assert plain / runs < 0.85


def test_z_is_that_of_95_percent() -> None:
    assert math.isclose(Z_95, 1.959963984540054)
