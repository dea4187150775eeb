"""By what rates a board exchanges metrics, what says too little to count, and its one rank."""

import csv
import io
from datetime import timedelta

import numpy as np
import pytest

from dynabench.app.wiring import Wiring
from dynabench.loop.leaderboards.columns.values import Weights
from dynabench.loop.leaderboards.exports.rules import export_board
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.ranking.rules import rank_models
from dynabench.loop.leaderboards.ranking.values import Ranking
from dynabench.loop.leaderboards.schemas import RankRead
from dynabench.loop.leaderboards.values import (
    DEFAULT_BUDGET_GIB,
    BoardForm,
    RankedBy,
    RatesFrom,
)
from dynabench.science.statistics.ranks import RankInterval
from tests.conftest import HeldClock
from tests.factories.boards import AT, BoardStage, score_model
from tests.factories.datasets import make_dataset, make_item
from tools.board_coverage import Field, columns_of, equal_models

pytestmark = pytest.mark.anyio

LATER = AT + timedelta(hours=1)


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> BoardStage:
    return await BoardStage.over(wiring, clock)


async def test_few_models_are_exchanged_by_fixed_rates_and_five_by_their_own(
    stage: BoardStage,
) -> None:
    await stage.fill()

    few = await stage.board()
    await stage.add("fifth", 100, 90, throughput=70, memory_gib=3, first=30)
    five = await stage.board()

    assert (few.rates_from, few.pairs) == (RatesFrom.FIXED, 0)
    assert "fixed rates" in few.notes[0]
    rates = {one.name: one.amrs for one in few.metrics}
    assert rates == {"accuracy": 1, "throughput": pytest.approx(0.054 * 90), "memory": 7.4}
    for row in few.rows:
        # Nobody is moved by another model's leaving.
        assert row.leave_one_out is not None
        assert row.leave_one_out.low == row.leave_one_out.high == row.dynascore
    assert (five.rates_from, five.pairs, five.notes) == (RatesFrom.OBSERVED, 4, [])


async def test_what_differs_by_noise_alone_is_not_exchanged(stage: BoardStage) -> None:
    for place, right in enumerate((380, 300, 240, 200, 160)):
        await stage.add(
            f"model {place}",
            right,
            right,
            throughput=40 + place % 2,
            memory_gib=2 + 1e-9 * place,
        )

    board = await stage.board()

    assert [row.dynascore for row in board.rows] == pytest.approx([95, 75, 60, 50, 40])
    assert [one.share for one in board.metrics] == [1, 0, 0]
    assert all("may be noise" in (one.reason or "") for one in board.metrics[1:])


async def test_one_rank_stands_on_the_page_and_in_every_file(stage: BoardStage) -> None:
    await stage.fill()
    for sort, by in ((None, RankedBy.DYNASCORE), ("accuracy", RankedBy.PERFORMANCE)):
        board = await stage.board(sort=sort)

        assert board.ranked_by is by
        for row in board.rows:
            wanted = row.dynascore_rank if by is RankedBy.DYNASCORE else row.performance_rank
            assert row.rank == wanted
            assert row.rank is not None
        files = {form: export_board(board, form, name="b").body.decode() for form in BoardForm}
        table = list(csv.DictReader(io.StringIO(files[BoardForm.CSV])))
        shown = [RankRead(low=int(one["rank_low"]), high=int(one["rank_high"])) for one in table]
        assert shown == [row.rank for row in board.rows]
        assert {one["ranked_by"] for one in table} == {by.value}
        for row in board.rows:
            assert row.rank is not None
            low, high = row.rank.low, row.rank.high
            written = str(low) if low == high else f"{low}--{high}"
            assert f"& {written} & {row.dynascore:.2f}" in files[BoardForm.LATEX]


@pytest.mark.parametrize(("items", "contexts"), [(3, 1), (40, 1), (40, 8)])
async def test_a_small_set_and_one_of_few_contexts_weigh_nothing_unless_asked(
    stage: BoardStage, items: int, contexts: int
) -> None:
    models = await stage.fill()
    before = await stage.board()
    small = await make_dataset(
        stage.wiring.db,
        stage.task,
        [make_item(number, context=number % contexts) for number in range(items)],
        name="Small",
        clock=stage.clock,
    )
    for model in models:
        await score_model(
            stage.wiring.db,
            model,
            small,
            [1.0] * (items - 1) + [0.0],
            throughput=5,
            memory_gib=2,
            at=LATER,
        )

    board = await stage.board()

    column = next(one for one in board.datasets if one.title == "Small")
    assert (column.weight, column.default_weight, column.share) == (0, 0, 0)
    assert column.reason is not None
    assert str(items) in column.reason
    assert [row.rank for row in board.rows] == [row.rank for row in before.rows]
    assert [row.dynascore for row in board.rows] == [row.dynascore for row in before.rows]
    asked = await stage.board(datasets=f"{column.key}:1")
    assert (asked.ranked, asked.datasets[-1].share) == (4, 1)
    assert [row.rank for row in asked.rows] == [None] * 4
    assert any("contexts of like sizes" in note for note in asked.notes)


async def test_a_score_of_performance_alone_has_the_interval_of_performance(
    stage: BoardStage,
) -> None:
    await stage.fill()

    board = await stage.board(metrics="accuracy:1", datasets=f"{stage.sets[0].id}:1")

    for row in board.rows:
        found = row.figures["accuracy"]
        assert row.dynascore_interval is not None
        assert row.dynascore_interval.low == pytest.approx(found.low)
        assert row.dynascore_interval.high == pytest.approx(found.high)


def ranking_of(robustness_low: float) -> Ranking:
    """Return a ranking of three models, the second of which has a robustness of that low end."""
    figures = equal_models(np.random.default_rng(1), Field(3))
    accuracy, robustness = (figures.metrics.index(one) for one in ("accuracy", "robustness"))
    figures.values[accuracy, :, 0] = [40.0, 60.0, 90.0]
    figures.values[robustness, :, 0] = [40.0, 60.0, 90.0]
    figures.lows[robustness, 1, 0] = robustness_low
    columns = columns_of(figures)
    weights = Weights(
        metrics={one.name: one.default_weight for one in columns.metrics},
        datasets={"one": 1.0},
        budget_gib=DEFAULT_BUDGET_GIB,
    )
    return rank_models(prepare(figures), columns, weights, members=np.arange(3))


def test_a_metric_of_unknown_error_leaves_the_order_open() -> None:
    known, unknown = ranking_of(55.0).sureness, ranking_of(float("nan")).sureness

    assert known is not None
    assert known.ranks is not None
    assert known.ranks.of(1) == RankInterval(2, 2)
    assert np.isfinite(known.lows).all()
    assert unknown is not None
    assert unknown.ranks is not None
    assert unknown.ranks.of(1) == RankInterval(1, 3)
    assert np.isnan(unknown.lows).tolist() == [False, True, False]
