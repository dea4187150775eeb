"""The other views of a board: per tag, and one metric against another."""

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.loop.evaluations.tables import tag_scores
from dynabench.loop.leaderboards.views.schemas import ParetoRead, TagBoardRead
from dynabench.loop.leaderboards.views.service import ViewService
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage, answers, score_model
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model

pytestmark = pytest.mark.anyio


async def test_views_of_a_board(wiring: Wiring, clock: HeldClock) -> None:
    stage = await BoardStage.over(wiring, clock)
    await stage.add("fast", 300, 300, throughput=90, memory_gib=2)
    await stage.add("slow", 280, 280, throughput=5, memory_gib=2)
    await stage.add("best", 360, 360, throughput=9, memory_gib=2)
    await stage.add("bare", 390, 390)
    tagged = await make_model(wiring.db, stage.task, name="tagged", clock=clock)
    tags = {"rare": 0.5, "common": 0.75}
    await score_model(wiring.db, tagged, stage.sets[1], answers(310), tags=tags)
    where = f"/api/v1/tasks/{stage.task.slug}"
    application = create_application(wiring, fold_in_background=False)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        pareto = await client.get(f"{where}/board-pareto", params={"metric": "throughput"})
        tag_view = await client.get(f"{where}/board-tags")
        async with wiring.db.transaction() as session:
            rare = tag_scores.c.tag == "rare"
            await session.execute(update(tag_scores).where(rare).values(items=1))
        told = (await client.get(f"{where}/board-tags")).json()["tags"]
        humans = await client.get(f"{where}/humans")
        wrong = [
            await client.get(f"{where}/board-pareto", params={"metric": "speed"}),
            await client.get(f"{where}/board-tags", params={"dataset": str(stage.task.id)}),
            await client.get("/api/v1/tasks/nowhere/history"),
        ]

    points = ParetoRead.model_validate_json(pareto.content).points
    assert {point.model.name: point.is_on_front for point in points} == {
        "best": True,
        "fast": True,
        "slow": False,
    }
    assert points[0].performance.low is not None
    view = TagBoardRead.model_validate_json(tag_view.content)
    assert (view.dataset_name, sorted(view.tags)) == ("Second", ["common", "rare"])
    # What a model scores on one item of a scoring set is its gold.
    assert told == ["common"]
    row = next(row for row in view.rows if row.model.name == "tagged")
    assert sorted(one.value for one in row.figures if one and one.value) == [50, 75]
    assert view.rows[0].model.name == "bare"
    assert humans.json() == []
    assert [one.status_code for one in wrong] == [422, 404, 404]


async def test_tags_are_those_of_the_newest_set_that_has_any(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(wiring, clock)
    tagged = await make_model(wiring.db, stage.task, name="tagged", clock=clock)
    await score_model(wiring.db, tagged, stage.sets[0], answers(310), tags={"common": 0.75})
    bare = await make_dataset(
        wiring.db, stage.task, [make_item(n) for n in range(40)], name="Third", clock=clock
    )
    views = wiring.get(ViewService)

    found = await views.tags(stage.task.slug, actor=VISITOR, version_id=None)
    asked = await views.tags(stage.task.slug, actor=VISITOR, version_id=bare.id)

    assert (found.dataset_name, found.tags) == ("First", ["common"])
    assert (asked.dataset_name, asked.tags) == ("Third", [])
