"""The Dynascore on the four boards of the paper (Ma et al. 2021, arXiv 2106.06052, table 2)."""

import json
from pathlib import Path

import numpy as np
import pytest

from dynabench.science.dynascore.fragility import factors_without_each, leave_one_out
from dynabench.science.dynascore.scores import (
    Numbers,
    average_z,
    dynascores,
    exchange_rates,
    goods_of_memory,
)

_BOARDS = json.loads((Path(__file__).parent / "published_boards.json").read_text())["boards"]
_WEIGHTS = np.array([4.0, 1.0, 1.0, 1.0, 1.0])
_BUDGET_GIB = 32.0


def goods_of(board: str, cells: str) -> Numbers:
    """Return a board's models by performance, throughput, memory, fairness and robustness."""
    rows = [model[cells] for model in _BOARDS[board]]
    names = ("perf", "throughput", "memory_gb", "fairness", "robustness")
    goods = np.array([[row[name] for name in names] for row in rows])
    goods[:, 2] = goods_of_memory(goods[:, 2], budget_gib=_BUDGET_GIB)
    return goods


@pytest.mark.parametrize("board", _BOARDS)
def test_the_formula_gives_every_published_dynascore(board: str) -> None:
    found = dynascores(goods_of(board, "inputs"), _WEIGHTS).values

    printed = [model["printed"]["dynascore"] for model in _BOARDS[board]]
    assert found is not None
    assert [round(float(one), 2) for one in found] == printed


@pytest.mark.parametrize("board", _BOARDS)
def test_the_rounded_cells_give_a_value_that_rounding_allows(board: str) -> None:
    found = dynascores(goods_of(board, "printed"), _WEIGHTS).values

    assert found is not None
    for model, value in zip(_BOARDS[board], found, strict=True):
        low, high = model["band99"]
        assert low <= value <= high, model["model"]


@pytest.mark.parametrize("board", _BOARDS)
def test_the_average_z_score_is_the_published_one(board: str) -> None:
    found = average_z(goods_of(board, "printed"), _WEIGHTS)

    printed = [model["printed"]["avg_z"] for model in _BOARDS[board]]
    assert found == pytest.approx(printed, abs=0.01)


@pytest.mark.parametrize(("board", "pairs", "skipped"), [("NLI", 6, 0), ("Hate Speech", 5, 1)])
def test_neighbours_that_are_too_close_give_no_rate(board: str, pairs: int, skipped: int) -> None:
    rates = exchange_rates(goods_of(board, "inputs"))

    assert (rates.pairs, rates.skipped) == (pairs, skipped)


def test_leaving_one_model_out_moves_deberta_by_almost_thirty_points() -> None:
    goods = goods_of("Sentiment", "printed")

    ranges = leave_one_out(goods, factors_without_each(goods, _WEIGHTS), [0])

    assert _BOARDS["Sentiment"][0]["model"] == "DeBERTa"
    assert (round(float(ranges.low[0]), 1), round(float(ranges.high[0]), 1)) == (70.3, 98.8)
