"""A task's history: every model on every round and static set, and the best over time."""

import pytest
from sqlalchemy import insert, update

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.tables import datasets
from dynabench.loop.datasets.values import DatasetAccess
from dynabench.loop.evaluations.tables import evaluations
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.history.schemas import HistoryKind, HistoryRead
from dynabench.loop.leaderboards.history.service import HistoryService
from dynabench.loop.rounds.values import RoundPlan, RoundStatus, ValidationMode
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage, answers, release_answered, score_model
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round

pytestmark = pytest.mark.anyio


async def history(stage: BoardStage, actor: Actor = VISITOR) -> HistoryRead:
    return await stage.wiring.get(HistoryService).read(stage.task.slug, actor=actor)


async def test_rounds_come_first_and_name_their_targets(wiring: Wiring, clock: HeldClock) -> None:
    stage = await BoardStage.over(wiring, clock)
    target = await stage.add("target", 300, 300)
    items = [make_item(number) for number in range(100)]
    for number in (2, 1):
        plan = RoundPlan(target_model_ids=(target.id,) if number == 2 else ())
        round_ = await make_round(
            wiring.db,
            stage.task,
            plan=plan,
            number=number,
            status=RoundStatus.RELEASED,
            clock=clock,
        )
        version = await make_dataset(
            wiring.db,
            stage.task,
            items,
            name=f"Round {number}",
            round_id=round_.id,
            clock=clock,
        )
        await score_model(wiring.db, target, version, answers(40, of=100))
    async with wiring.db.transaction() as session:
        second = datasets.c.id == stage.sets[1].dataset_id
        await session.execute(update(datasets).where(second).values(access=DatasetAccess.STANDARD))

    found = await history(stage)

    assert [(one.name, one.kind) for one in found.columns] == [
        ("Round 1", HistoryKind.ROUND),
        ("Round 2", HistoryKind.ROUND),
        ("First", HistoryKind.STATIC),
        ("Second", HistoryKind.STATIC),
    ]
    assert [target.id in one.target_ids for one in found.columns] == [False, True, False, False]
    assert [cell.figure and cell.figure.value for cell in found.rows[0].cells] == [40, 40, 75, 75]
    assert found.rows[0].cells[0].figure is not None
    assert found.rows[0].cells[0].figure.low is not None
    async with wiring.db.transaction() as session:
        await session.execute(update(datasets).where(second).values(access=DatasetAccess.HIDDEN))
    assert "Second" not in {one.name for one in (await history(stage)).columns}


async def test_models_are_in_the_order_of_the_latest_round(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(wiring, clock)
    items = await release_answered(stage, mode=ValidationMode.BLIND, said=["neutral"] * 3)
    (released,) = stage.sets
    names = [item.uid for item in items]
    clock.advance(days=1)
    older = await make_model(wiring.db, stage.task, name="older", clock=clock)
    await score_model(wiring.db, older, released, answers(5, of=20), uids=names)
    clock.advance(days=1)
    better = await make_model(wiring.db, stage.task, name="better", clock=clock)
    await score_model(wiring.db, better, released, answers(12, of=20), uids=names)
    clock.advance(days=1)
    worse = await make_model(wiring.db, stage.task, name="worse", clock=clock)
    await score_model(wiring.db, worse, released, answers(8, of=20), uids=names)
    waiting = await make_model(wiring.db, stage.task, name="waiting", clock=clock)
    async with wiring.db.transaction() as session:
        values = {"id": new_id(), "model_id": waiting.id, "dataset_version_id": released.id}
        state = EvaluationState.INCOMPLETE
        await session.execute(insert(evaluations).values(**values, state=state))

    found = await history(stage)

    scored = [one for one in found.rows if one.model.name in {"older", "better", "worse"}]
    assert [one.model.name for one in scored] == ["better", "worse", "older"]
    assert found.rows.index(scored[0]) == 0
    # When the third came there was a better one.
    assert [one.model for one in found.records[0]] == ["older v1", "better v1"]
    column = found.columns[0]
    assert (column.best_model, column.best and column.best.value) == ("better v1", 60)
    assert column.humans is not None
    assert column.humans.value == 100
    assert column.gap == pytest.approx(40)
    cell = next(one for one in found.rows if one.model.name == "waiting").cells[0]
    assert (cell.state, cell.figure) == (EvaluationState.INCOMPLETE, None)


async def test_private_models_and_anonymous_people_stay_so(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(wiring, clock)
    author = await make_user(wiring.db)
    await stage.add("hidden", 399, is_published=False)
    await stage.add("masked", 300, submitted_by=author.user_id, is_anonymous=True)
    other = await make_user(wiring.db)

    found = await history(stage)

    assert [one.model.name for one in found.rows] == ["masked"]
    assert found.models == 1
    assert [one.model for one in found.records[0]] == ["masked v1"]
    assert found.columns[0].best_model == "masked v1"
    for reader in (VISITOR, other):
        assert (await history(stage, reader)).rows[0].model.submitted_by is None
    assert (await history(stage, author)).rows[0].model.is_mine


async def test_a_task_without_anything_has_an_empty_history(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(wiring, clock)
    async with wiring.db.transaction() as session:
        await session.execute(update(datasets).values(access=DatasetAccess.HIDDEN))

    found = await history(stage)

    assert (found.columns, found.rows, found.records, found.as_of) == ([], [], [], None)
    assert found.metric == "accuracy"
