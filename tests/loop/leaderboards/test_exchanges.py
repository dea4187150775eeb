"""By what rates a board exchanges metrics, what says too little to count, and its one rank."""

import csv
import io
from datetime import timedelta

import pytest

from dynabench.app.wiring import Wiring
from dynabench.loop.leaderboards.exports.rules import export_board
from dynabench.loop.leaderboards.schemas import RankRead
from dynabench.loop.leaderboards.values import BoardForm, RankedBy, RatesFrom
from tests.conftest import HeldClock
from tests.factories.boards import AT, BoardStage, score_model
from tests.factories.datasets import make_dataset, make_item

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


@pytest.mark.parametrize(("items", "context"), [(3, 0), (40, 0)])
async def test_a_small_set_and_one_of_one_context_weigh_nothing_unless_asked(
    stage: BoardStage, items: int, context: int
) -> None:
    models = await stage.fill()
    before = await stage.board()
    small = await make_dataset(
        stage.wiring.db,
        stage.task,
        [make_item(number, context=context) for number in range(items)],
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
