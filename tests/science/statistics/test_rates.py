"""Rates keep their counts, and intervals follow the people behind them."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, betabinom
from statsmodels.stats.proportion import proportion_confint

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import (
    Z_95,
    Rate,
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


def test_of_one_person_no_interval_is_known() -> None:
    assert clustered_interval([Rate(30, 100)]) is None
    # People without a try do not count as people.
    assert clustered_interval([Rate(30, 100), Rate(0, 0)]) is None


def test_one_try_each_is_the_posterior_of_a_rate() -> None:
    # How alike two tries of one person are cannot matter: Beta(½ + 3, ½ + 6).
    found = clustered_interval([Rate(1, 1)] * 3 + [Rate(0, 1)] * 6)

    assert found is not None
    assert (found.low, found.high) == pytest.approx(beta(3.5, 6.5).ppf([0.025, 0.975]), abs=2e-3)


def test_who_writes_most_does_not_hide_from_the_interval() -> None:
    # Ten people who try 5 times and seldom fool, ten who try 100 times and often do.
    people = [Rate(1, 5)] * 10 + [Rate(60 + number, 100) for number in range(-5, 5)]

    found = clustered_interval(people)

    assert found is not None
    tries = sum(one.whole for one in people)
    value = sum(one.part for one in people) / tries
    # Both sides of the rate of all tries are held, not that rate as an end alone.
    assert found.low < value - 0.05
    assert found.high > value + 0.02


def test_the_grid_is_fine_enough() -> None:
    # 40 people of whom the posterior was integrated on an even grid, one by one.
    people = [Rate(number % 7, 20) for number in range(40)]

    found = clustered_interval(people)

    assert found is not None
    assert found.method == "beta_binomial"
    assert (found.low, found.high) == pytest.approx(posterior_by_force(people), abs=1e-3)


def posterior_by_force(people: Sequence[Rate]) -> tuple[float, float]:
    mean = ((np.arange(800) + 0.5) / 800)[:, None]
    # Nothing of the posterior lies above a spread of .2.
    size = 800 / (np.arange(160) + 0.5) - 1
    logs = beta(0.5, 0.5).logpdf(mean) + np.zeros_like(size)
    for rate in people:
        logs = logs + betabinom.logpmf(rate.part, rate.whole, mean * size, (1 - mean) * size)
    mass = np.exp(logs - logs.max()).sum(axis=1)
    low, high = np.interp([0.025, 0.975], np.cumsum(mass) / mass.sum(), mean[:, 0] + 1 / 1600)
    return float(low), float(high)


@pytest.mark.parametrize("part", [0, 4])
def test_a_rate_of_all_or_nothing_has_one_open_end(part: int) -> None:
    found = clustered_interval([Rate(part, 4)] * 12)

    assert found is not None
    assert (found.low == 0, found.high == 1) == (part == 0, part == 4)
    assert 0.02 < found.high - found.low < 0.2


def test_people_who_differ_count_for_fewer_tries() -> None:
    # Ten people of ten tries: five always fool, five never.
    people = [Rate(10, 10), Rate(0, 10)] * 5
    interval, plain = clustered_interval(people), wilson(total(people))

    assert interval is not None
    assert plain is not None
    assert interval.high - interval.low > 2 * (plain.high - plain.low)


@given(st.lists(RATES, min_size=2, max_size=30))
def test_an_interval_over_people_holds_the_rate_of_all_tries(people: list[Rate]) -> None:
    interval, value = clustered_interval(people), total(people).value
    if interval is None:
        assert sum(one.whole > 0 for one in people) < 2
        return
    assert value is not None
    assert 0 <= interval.low <= value <= interval.high <= 1
    assert interval.low < interval.high


def test_everyone_counts_once_in_the_macro_average() -> None:
    assert macro_average([Rate(1, 100), Rate(1, 1), Rate(0, 0)]) == pytest.approx(0.505)


def test_z_is_that_of_95_percent() -> None:
    assert math.isclose(Z_95, 1.959963984540054)
