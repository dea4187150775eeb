"""A task's board as its readers get it: who is ranked, how surely, and who is not and why."""

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.loop.datasets.tables import dataset_versions, datasets
from dynabench.loop.evaluations.values import DeltaKind
from dynabench.loop.leaderboards.errors import BoardWeightsError
from dynabench.loop.leaderboards.schemas import BoardRead, RankRead
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.values import RankedBy
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.values import ModelKind
from dynabench.loop.tasks.values import TaskRole
from dynabench.science.dynascore.choosing import FIXED_RATES
from tests.conftest import HeldClock
from tests.factories.boards import (
    BOARD_CONFIG,
    BoardStage,
    change_model,
    vary_model,
)
from tests.factories.chats import SIDE_BY_SIDE
from tests.factories.datasets import make_dataset, make_item
from tests.factories.people import make_user
from tests.factories.tasks import add_member

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> BoardStage:
    return await BoardStage.over(wiring, clock)


async def test_models_that_cannot_be_told_apart_share_their_ranks(stage: BoardStage) -> None:
    await stage.fill()

    board = await stage.board(sort="accuracy")

    assert [row.model.name for row in board.rows] == ["best", "tied", "also tied", "last"]
    wanted = [(1, 1), (2, 3), (2, 3), (4, 4)]
    for ranks in (
        [row.performance_rank for row in board.rows],
        [row.mcnemar_rank for row in board.rows],
    ):
        assert ranks == [RankRead(low=low, high=high) for low, high in wanted]
    best = board.rows[0]
    assert best.figures["accuracy"].value == pytest.approx(93.75)
    assert best.figures["accuracy"].items == 800
    assert [one.figures["accuracy"].value for one in best.datasets] == [95.0, 92.5]
    assert best.figures["memory"].low is None
    # Both sets are about the same contexts: what is right on the second is so on the first.
    together = 0.925 * 0.05
    assert best.performance_standard_error == pytest.approx(
        50 * ((0.95 * 0.05 + 0.925 * 0.075 + 2 * together) / 399) ** 0.5, rel=1e-3
    )
    assert (board.is_current, board.dynascore_reason) == (True, None)
    assert [row.rank for row in board.rows] == [row.performance_rank for row in board.rows]
    assert board.ranked_by is RankedBy.PERFORMANCE
    assert [one.weight for one in board.metrics] == [4, 1, 1]
    assert sum(one.share for one in board.metrics) == pytest.approx(1)
    for row in board.rows:
        assert row.dynascore is not None
        assert row.dynascore_interval is not None
        assert row.dynascore_interval.low <= row.dynascore <= row.dynascore_interval.high
        assert row.leave_one_out is not None
        assert row.dynascore_rank is not None


async def test_the_api_gives_pages_files_and_a_tag(stage: BoardStage) -> None:
    await stage.fill()
    application = create_application(stage.wiring, fold_in_background=False)
    where = f"/api/v1/tasks/{stage.task.slug}/board"
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        first = await client.get(where, params={"limit": 3})
        page = BoardRead.model_validate_json(first.content)
        rest = await client.get(where, params={"limit": 3, "cursor": page.next_cursor})
        same = await client.get(
            where, params={"limit": 3}, headers={"if-none-match": first.headers["etag"]}
        )
        files = [await client.get(f"{where}.{form}") for form in ("csv", "tex", "json")]
        wrong = [
            await client.get(where, params=query)
            for query in (
                {"metrics": "accuracy:6"},
                {"metrics": "acuracy:1"},
                {"metrics": "accuracy"},
                {"metrics": "accuracy:0"},
                {"metrics": "accuracy:1,accuracy:2"},
                {"datasets": "First:nan"},
                {"sort": "colour"},
                {"cursor": "xyz"},
                {"budget": "-1"},
            )
        ]
        unknown = await client.get(where, params={"rates": str(stage.task.id)})

    assert (len(page.rows), page.ranked) == (3, 4)
    last = BoardRead.model_validate_json(rest.content)
    assert [row.place for row in last.rows] == [4]
    assert last.next_cursor is None
    assert same.status_code == 304
    assert [one.status_code for one in files] == [200, 200, 200]
    assert "best,1," in files[0].text
    assert "\\bottomrule" in files[1].text
    assert len(BoardRead.model_validate_json(files[2].content).rows) == 4
    assert [one.status_code for one in wrong] == [422] * len(wrong)
    assert "from 0 to 5" in wrong[0].json()["detail"]
    assert unknown.status_code == 404


async def test_weights_choose_columns_and_their_order(stage: BoardStage) -> None:
    await stage.fill()
    first, second = (str(one.id) for one in stage.sets)

    small = await stage.board(metrics="memory:5", sort="memory")
    one_set = await stage.board(metrics="accuracy:1", datasets=f"{second}:2")

    assert [row.model.name for row in small.rows] == ["last", "tied", "also tied", "best"]
    assert [one.weight for one in one_set.datasets] == [0, 2]
    assert one_set.rows[0].figures["accuracy"].value == 92.5
    # With accuracy alone a Dynascore is the accuracy.
    assert one_set.rows[0].dynascore == pytest.approx(92.5)
    assert first not in {one.key for one in one_set.datasets if one.weight}


async def test_a_metric_that_nobody_has_weighs_nothing_unless_asked_for(stage: BoardStage) -> None:
    await stage.add("one", 300, 300, kind=ModelKind.PREDICTIONS)
    await stage.add("other", 200, 200, kind=ModelKind.PREDICTIONS)

    plain = await stage.board()
    asked = await stage.board(metrics="accuracy:4,throughput:1")

    assert [row.model.name for row in plain.rows] == ["one", "other"]
    assert {one.name: one.default_weight for one in plain.metrics} == {
        "accuracy": 4,
        "throughput": 0,
        "memory": 0,
    }
    assert plain.metrics[1].reason is not None
    assert asked.rows == []
    assert "runs nowhere" in asked.incomplete[0].lacks[0].reason
    assert asked.dynascore_reason is not None


async def test_incomplete_models_are_listed_with_what_they_lack(stage: BoardStage) -> None:
    await stage.fill()
    await stage.add("half", 390, throughput=9, memory_gib=3)
    remote = await stage.add("remote", 200, 200, kind=ModelKind.OPENAI, throughput=2)

    board = await stage.board()

    assert board.ranked == 4
    lacks = {row.model.name: row.lacks for row in board.incomplete}
    assert [lack.dataset for lack in lacks["half"]] == ["Second"]
    assert "has not been evaluated" in lacks["half"][0].reason
    assert {lack.metric for lack in lacks["remote"]} == {"memory"}
    standing = await stage.wiring.get(BoardService).standing(remote.id, actor=VISITOR)
    assert standing.row is None
    assert standing.reason is not None
    assert "remote server" in standing.reason


async def test_private_and_anonymous_models_keep_their_secrets(stage: BoardStage) -> None:
    await stage.fill()
    author, owner, other = [await make_user(stage.wiring.db) for _ in range(3)]
    await add_member(stage.wiring.db, stage.task, owner, TaskRole.OWNER)
    private = await stage.add(
        "private",
        *(350, 350),
        throughput=1,
        memory_gib=1,
        submitted_by=author.user_id,
        is_published=False,
    )
    await stage.add(
        "masked",
        *(250, 250),
        throughput=2,
        memory_gib=2,
        submitted_by=author.user_id,
        is_anonymous=True,
    )
    boards = stage.wiring.get(BoardService)

    for actor, knows in ((VISITOR, False), (other, False), (author, True), (owner, True)):
        board = await stage.board(actor=actor)
        masked = next(row.model for row in board.rows if row.model.name == "masked")
        assert masked.submitted_by == (author.username if knows else None)
        assert masked.is_mine is (actor is author)
        assert "private" not in {row.model.name for row in board.rows}
        assert ("private" in {row.model.name for row in board.incomplete}) is knows
    standing = await boards.standing(private.id, actor=author)
    assert standing.row is not None
    assert standing.dynascore == standing.row.dynascore
    assert standing.ranked == 6
    with pytest.raises(ModelNotFoundError):
        await boards.standing(private.id, actor=other)


async def test_what_is_withdrawn_is_gone_and_what_is_hidden_counts_no_more(
    stage: BoardStage,
) -> None:
    await stage.fill()
    before = await stage.board()
    gone = await stage.add("gone", 100, 100, throughput=3, memory_gib=3)
    assert (await stage.board()).ranked == 5
    await change_model(stage.wiring.db, gone, is_published=False)
    async with stage.wiring.db.transaction() as session:
        await session.execute(
            update(datasets).where(datasets.c.name == "Second").values(access="standard")
        )

    board = await stage.board()

    assert (before.ranked, board.ranked) == (4, 4)
    assert [one.title for one in board.datasets] == ["First"]


async def test_sub_tasks_are_averaged_into_one_column(stage: BoardStage) -> None:
    await stage.add("one", 320, 240)
    await stage.add("other", 200, 200)
    async with stage.wiring.db.transaction() as session:
        await session.execute(update(datasets).values(subtask_of="Reading, aloud"))

    board = await stage.board()

    (column,) = board.datasets
    assert (column.title, len(column.members)) == ("Reading, aloud", 2)
    assert board.rows[0].datasets[0].figures["accuracy"].value == pytest.approx(70)
    again = await stage.board(datasets=f"{column.key}:3")
    assert again.rows[0].figures["accuracy"].value == pytest.approx(70)


async def test_robustness_counts_where_the_config_asks_for_it(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(
        wiring, clock, config=BOARD_CONFIG + "delta_metrics: [{type: robustness}]\n"
    )
    stage.sets.pop()
    async with wiring.db.transaction() as session:
        await session.execute(
            update(datasets).where(datasets.c.name == "Second").values(origin="perturbation")
        )
    models = [await stage.add("one", 320), await stage.add("other", 200)]
    await stage.board()
    perturbed = await make_dataset(wiring.db, stage.task, [make_item(0)], clock=clock)
    async with wiring.db.transaction() as session:
        await session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == perturbed.id)
            .values(perturbs_id=stage.sets[0].id)
        )
    for model, value in zip(models, (0.7, 0.9), strict=True):
        await vary_model(
            wiring.db, model, stage.sets[0], perturbed, kind=DeltaKind.ROBUSTNESS, value=value
        )

    board = await stage.board()

    assert board.ranked == 2
    assert [row.figures["robustness"].value for row in board.rows] == pytest.approx([70, 90])
    assert board.metrics[-1].amrs == FIXED_RATES["robustness"]


async def test_a_set_without_variants_empties_no_board(wiring: Wiring, clock: HeldClock) -> None:
    stage = await BoardStage.over(
        wiring, clock, config=BOARD_CONFIG + "delta_metrics: [{type: robustness}]\n"
    )
    models = [await stage.add("one", 320, 320), await stage.add("other", 200, 200)]
    perturbed = await make_dataset(wiring.db, stage.task, [make_item(0)], clock=clock)
    async with wiring.db.transaction() as session:
        await session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == perturbed.id)
            .values(perturbs_id=stage.sets[0].id, perturbation={"kind": "robustness"})
        )
    await vary_model(
        wiring.db, models[0], stage.sets[0], perturbed, kind=DeltaKind.ROBUSTNESS, value=0.7
    )

    board = await stage.board()

    assert [row.figures["robustness"].value for row in board.rows] == pytest.approx([70])
    assert board.metrics[-1].reason == "Without “Second”, which has no variants for it."
    (lacking,) = board.incomplete
    assert [one.reason for one in lacking.lacks] == ["It has no robustness on “First” yet."]


async def test_a_task_that_is_not_ranked_by_predictions_says_so(
    wiring: Wiring, clock: HeldClock
) -> None:
    config = SIDE_BY_SIDE.replace("{type: squad_f1, reference_name: reply}", "{type: preference}")
    stage = await BoardStage.over(wiring, clock, config=config)

    board = await stage.board()

    assert (board.is_preference, board.metrics, board.rows) == (True, [], [])


async def test_a_reader_s_mistakes_are_told_by_field(stage: BoardStage) -> None:
    with pytest.raises(BoardWeightsError) as raised:
        await stage.board(metrics="speed:1")

    assert "There are: accuracy, throughput, memory." in raised.value.message
    assert set(raised.value.fields) == {"metrics"}
