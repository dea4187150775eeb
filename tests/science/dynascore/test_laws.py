"""What holds of every Dynascore, and of none where there is nothing to exchange by."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dynabench.science.dynascore.choosing import (
    fixed_rate,
    is_beyond,
    is_beyond_without_each,
    is_noise,
    without,
)
from dynabench.science.dynascore.fragility import (
    factors_without_each,
    leave_one_out,
    pareto_front,
)
from dynabench.science.dynascore.scores import (
    ExchangeRates,
    NoScore,
    Numbers,
    dynascores,
    exchange_rates,
    goods_of_memory,
)

_METRICS = 3
_WEIGHTS = np.array([4.0, 1.0, 1.0])
cells = st.integers(0, 40).map(lambda number: number / 2)
boards = st.integers(2, 8).flatmap(
    lambda rows: arrays(np.float64, (rows, _METRICS), elements=cells)
)


@given(board=boards, seed=st.integers(0, 1000))
def test_the_order_of_the_rows_does_not_matter(board: Numbers, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(board))

    one, other = dynascores(board, _WEIGHTS), dynascores(board[order], _WEIGHTS)

    assert one.reason == other.reason
    if one.values is not None and other.values is not None:
        assert other.values == pytest.approx(one.values[order])


@given(board=boards)
def test_the_fast_way_to_leave_each_model_out_is_leaving_each_model_out(board: Numbers) -> None:
    assume(dynascores(board, _WEIGHTS).values is not None)
    rows = range(len(board))

    ranges = leave_one_out(board, factors_without_each(board, _WEIGHTS), rows)

    for row in rows:
        moved = []
        for left_out in rows:
            if left_out == row:
                continue
            kept = [one for one in rows if one != left_out]
            found = dynascores(board[kept], _WEIGHTS).values
            if found is not None:
                moved.append(float(found[kept.index(row)]))
        ends = (min(moved), max(moved)) if moved else (np.nan, np.nan)
        assert (ranges.low[row], ranges.high[row]) == pytest.approx(ends, nan_ok=True)


@given(board=boards)
def test_a_model_is_on_the_front_unless_another_one_beats_it(board: Numbers) -> None:
    front = pareto_front(board, range(len(board)))

    for row, is_on_front in zip(board, front, strict=True):
        beaten = any((rival >= row).all() and (rival > row).any() for rival in board)
        assert is_on_front is not beaten
    assert any(front)


def test_one_model_alone_has_no_dynascore() -> None:
    assert dynascores(np.array([[80.0, 3.0]]), [4, 1]).reason is NoScore.ONE_MODEL


def test_models_that_perform_alike_have_no_dynascore() -> None:
    found = dynascores(np.array([[80.0, 3.0], [80.005, 9.0]]), [4, 1])

    assert (found.values, found.reason) == (None, NoScore.NO_PAIR)


def test_a_metric_that_is_the_same_for_all_gives_its_weight_to_the_others() -> None:
    board = np.array([[60.0, 5.0, 1.0], [70.0, 5.0, 3.0], [80.0, 5.0, 4.0]])

    found = dynascores(board, [2, 1, 1])

    assert found.shares == pytest.approx([2 / 3, 0, 1 / 3])
    without = dynascores(board[:, [0, 2]], [2, 1])
    assert found.values == pytest.approx(without.values)


def test_only_what_cannot_be_exchanged_weighs_nothing() -> None:
    found = dynascores(np.array([[60.0, 5.0], [70.0, 5.0]]), [0, 1])

    assert (found.values, found.reason) == (None, NoScore.NO_WEIGHT)


def test_performance_below_zero_is_never_divided_by_nothing() -> None:
    rates = exchange_rates(np.array([[-5.0, 1.0], [-5.0, 2.0], [-3.0, 4.0]]))

    assert (rates.pairs, rates.skipped) == (1, 1)
    assert rates.amrs.tolist() == [1.0, 1.0]


def test_frozen_rates_hang_on_no_other_model() -> None:
    rates = ExchangeRates(np.array([1.0, 2.0]), pairs=4)

    alone = dynascores(np.array([[80.0, 6.0]]), [1, 1], rates).values

    assert alone is not None
    assert alone.tolist() == [41.5]


def test_more_memory_than_the_budget_counts_against_a_model() -> None:
    assert goods_of_memory(np.array([40.0]), budget_gib=32).tolist() == [-8.0]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="no Dynascore"):
        dynascores(np.array([[80.0, value], [70.0, 1.0]]), [4, 1])


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 on"):
        dynascores(np.array([[80.0, 2.0], [70.0, 1.0]]), [4, -1])


def test_what_is_equal_up_to_rounding_is_never_divided_by() -> None:
    board = np.array([[60.0, 5.0], [70.0, 5.0 + 1e-15], [80.0, 5.0 - 1e-15]])

    assert exchange_rates(board).amrs.tolist() == [1.0, 0.0]
    found = dynascores(board, [4, 1])
    assert found.values == pytest.approx([60, 70, 80])
    assert (factors_without_each(board, np.array([4.0, 1.0]))[:, 1] == 0).all()


def test_fixed_rates_need_no_pairs() -> None:
    board = np.array([[80.0, 5.0], [80.0, 10.0]])
    rates = ExchangeRates(np.array([1.0, 5.0]), 0, is_fixed=True)

    found = dynascores(board, [1, 1], rates)

    assert found.values == pytest.approx([40.5, 41])


@pytest.mark.parametrize("metric", ["memory", "fairness", "robustness", "throughput"])
def test_fixed_rates_are_the_usual_ones_of_the_published_boards(metric: str) -> None:
    boards = json.loads((Path(__file__).parent / "published_boards.json").read_text())["boards"]
    found = []
    for one in boards.values():
        inputs = [model["inputs"] for model in one]
        column = "memory_gb" if metric == "memory" else metric
        goods = np.array([[model["perf"], model[column]] for model in inputs])
        rate = float(exchange_rates(goods).amrs[1])
        found.append(rate / goods[:, 1].max() if metric == "throughput" else rate)

    usual = float(np.exp(np.log(found).mean()))

    assert fixed_rate(metric, np.array([1.0])) == pytest.approx(usual, rel=0.05)


def test_without_known_errors_nothing_is_noise() -> None:
    assert not is_noise(np.array([70.0, 70.1, 70.2]), np.zeros(3))
    assert not is_noise(np.array([70.0, 70.1]), np.array([np.nan, 1.0]))


def test_equal_models_are_taken_for_noise_in_95_of_100_cases() -> None:
    random = np.random.default_rng(4)
    errors = np.array([1.0, 2.0, 0.5, 1.0, 1.5, 1.0])

    found = [is_noise(80 + errors * random.standard_normal(6), errors) for _ in range(2000)]

    assert 0.935 <= np.mean(found) <= 0.965


def test_a_good_of_many_times_the_performance_is_not_exchanged() -> None:
    # Five models use 1.00 to 1.07 GiB of 32, which is more than runs differ by.
    goods = np.array([[60.0 + 7 * n, 31.0 - 0.0175 * n] for n in range(5)])
    rates = exchange_rates(goods)

    assert is_beyond(goods, rates.amrs).tolist() == [False, True]
    kept = ExchangeRates(without(rates.amrs, is_beyond(goods, rates.amrs)), rates.pairs)
    found = dynascores(goods, [4, 1], kept).values
    assert found is not None
    assert found == pytest.approx(goods[:, 0])


@given(board=boards)
def test_boards_without_a_model_hold_their_goods_back_as_whole_boards_do(board: Numbers) -> None:
    rates = np.random.default_rng(3).uniform(0.001, 1, board.shape)

    found = is_beyond_without_each(board, rates)

    for row in range(len(board)):
        wanted = is_beyond(np.delete(board, row, axis=0), rates[row])
        assert found[row].tolist() == wanted.tolist()


def test_leaving_one_model_out_gives_no_range_of_thousands() -> None:
    # Four models use next to the same memory of 32 GiB and one much more.
    used = np.array([1.0, 1.005, 1.01, 1.015, 8.0])
    goods = np.column_stack([[60.0, 65, 70, 75, 80], 32 - used])
    weights = np.array([4.0, 1.0])
    left_out = is_beyond(goods, exchange_rates(goods).amrs)

    ranges = leave_one_out(
        goods, factors_without_each(goods, weights, left_out, is_held=True), range(5)
    )

    assert not left_out.any()
    assert ranges.low.min() > 40
    assert ranges.high.max() < 100


def test_what_models_lack_of_a_budget_does_not_outweigh_performance_either() -> None:
    goods = np.array([[60.0 + 5 * n, 32 - 140.0 - 0.1 * n] for n in range(5)])

    assert is_beyond(goods, exchange_rates(goods).amrs).tolist() == [False, True]
