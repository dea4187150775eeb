"""A task's models and rounds on one scale, from the answers that are stored to the wire."""

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import func, select, update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.tables import jobs
from dynabench.kit.actor import VISITOR
from dynabench.kit.ids import new_id
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.tables import predictions
from dynabench.loop.evaluations.values import SCORES_CHANGED
from dynabench.loop.leaderboards.scales.rules import (
    NO_DIFFICULTY,
    NOT_BINARY,
    TOO_FEW_MODELS,
)
from dynabench.loop.leaderboards.scales.schemas import ScaleRead
from dynabench.loop.leaderboards.scales.service import NOT_YET, ScaleService
from dynabench.loop.leaderboards.scales.values import COMPUTE_SCALE
from dynabench.loop.tasks.errors import TaskRoleNeededError
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage, change_model
from tests.factories.scales import ScaleStage
from tests.loop.leaderboards.scales.conftest import Linked

pytestmark = pytest.mark.anyio


async def read(stage: ScaleStage, **how: object) -> ScaleRead:
    actor = how.get("actor", VISITOR)
    return await stage.wiring.get(ScaleService).read(stage.task.slug, actor=actor)  # type: ignore[arg-type] # It is an actor.


async def test_models_and_rounds_stand_on_one_scale(linked: Linked) -> None:
    stage = linked.stage
    before = await read(stage)
    await stage.compute()

    scale = await read(stage)

    assert (before.as_of, before.is_current, before.reason) == (None, False, NOT_YET)
    assert (scale.is_current, scale.reason, scale.has_discrimination) == (True, None, False)
    order = [model.name for model in scale.models]
    assert order[0] == "strong"
    assert order[-1] == "weaker"
    assert sum(model.ability.value for model in scale.models) == pytest.approx(0, abs=1e-4)
    first, second = scale.sets
    assert [one.round_number for one in scale.sets] == [1, 2]
    assert first.difficulty is not None
    assert second.difficulty is not None
    assert 0.4 < second.difficulty.value - first.difficulty.value < 1.8
    # A target's own round was made against it and does not count.
    target = next(model for model in scale.models if model.name == "target-1")
    assert (target.sets, first.targets, second.targets) == (1, ["target-1 v1"], ["target-2 v1"])
    assert target.expected[0].value > 40
    assert first.separability.models == 5
    assert first.separability.told_apart.part > first.separability.by_intervals.part > 0
    assert first.agreement.value is not None
    assert first.agreement.value > 0.3
    assert (first.agreement.pairs, first.agreement.models) == (6, 4)


async def test_attempts_tell_who_fooled_what(linked: Linked) -> None:
    stage = linked.stage
    await stage.compute()

    owner = (await read(stage, actor=stage.owner)).contest
    somebody = (await read(stage, actor=stage.people[0])).contest
    visitor = (await read(stage)).contest

    assert {one.name for one in visitor.models} == {"target-1", "target-2"}
    assert [one.round_number for one in visitor.rounds] == [1, 2]
    for one in visitor.rounds:
        assert (one.attempts, one.annotators) == (120, 12)
        assert one.corrected is not None
        assert one.observed is not None
        # Everybody tried alike, so there is nothing to correct.
        assert one.corrected.value == pytest.approx(one.observed, abs=3)
    assert owner.annotators is not None
    assert len(owner.annotators) == 12
    assert (visitor.annotators, visitor.mine, somebody.annotators) == (None, None, None)
    assert somebody.mine is not None
    assert somebody.mine.username == stage.people[0].username


async def test_a_new_score_asks_for_a_new_scale_once(linked: Linked) -> None:
    stage = linked.stage
    await stage.compute()
    await stage.add("newer", 1.5, linked.second)

    first, again = await read(stage), await read(stage)
    async with stage.wiring.db.read() as session:
        asked = await session.scalar(
            select(func.count()).select_from(jobs).where(jobs.c.name == COMPUTE_SCALE)
        )
    await stage.compute()

    assert (first.is_current, len(first.models)) == (False, 6)
    assert first == again
    assert asked == 1
    assert [one.name for one in (await read(stage)).models].count("newer") == 1


async def test_the_last_evaluation_under_way_asks_for_a_new_scale(linked: Linked) -> None:
    stage, db = linked.stage, linked.stage.wiring.db
    evaluations, scales = stage.wiring.get(EvaluationService), stage.wiring.get(ScaleService)
    await stage.compute()
    assert not await scales.follow(stage.task.id)
    newer = await stage.add("newer", 1.5, linked.second)
    async with db.transaction() as session:
        repository = EvaluationRepository(session)
        waiting = await repository.hold(
            new_id(), model_id=newer.id, version_id=linked.first.version.id
        )

    async def asked(name: str) -> int:
        await evaluations.tell_scored(linked.second.version.id)
        async with db.read() as session:
            return len(await JobQueue().list_jobs(session, name=name))

    assert await asked(SCORES_CHANGED) == 0
    async with db.transaction() as session:
        await EvaluationRepository(session).cancel(waiting.id)
    assert await asked(SCORES_CHANGED) == 1
    assert await scales.follow(stage.task.id)
    assert await scales.follow(stage.task.id)
    # The same inputs are asked for once.
    assert await asked(COMPUTE_SCALE) == 1
    await stage.compute()
    assert not await scales.follow(stage.task.id)


async def test_a_model_that_became_private_is_not_named(linked: Linked) -> None:
    stage = linked.stage
    await stage.compute()
    model = linked.targets[0]
    await change_model(stage.wiring.db, model, is_published=False)

    scale = await read(stage)

    assert "target-1" not in {one.name for one in scale.models}
    assert scale.sets[0].targets == []
    assert not scale.is_current


async def test_rounds_that_nothing_links_are_on_no_scale(wiring: Wiring, clock: HeldClock) -> None:
    stage = await ScaleStage.over(wiring, clock)
    first = await stage.release(await stage.add("one", 0.0))
    second = await stage.release(await stage.add("two", 0.0))
    await stage.add("a", 0.0, first)
    await stage.add("b", 1.0, first)
    await stage.add("c", 0.0, second)
    await stage.compute()

    scale = await read(stage)

    assert scale.models == []
    assert scale.reason is not None
    assert "Nothing links Round 1 with Round 2" in scale.reason
    assert [one.difficulty for one in scale.sets] == [None, None]
    assert scale.sets[0].separability.told_apart.whole == 1
    assert scale.sets[1].separability.reason is not None
    assert scale.sets[0].agreement.reason is not None


async def test_a_set_on_which_every_model_fails_has_no_difficulty(
    linked: Linked, wiring: Wiring, clock: HeldClock
) -> None:
    stage = linked.stage
    hardest = await stage.release(await stage.add("unanswered", 0.0), difficulty=40.0)
    for name in ("never right", "wrong too"):
        await stage.add(name, 0.0, hardest)
    await stage.compute()
    scale = await read(stage)
    alone = await ScaleStage.over(wiring, clock)
    only = await alone.release(await alone.add("one", 0.0), difficulty=40.0)
    for name in ("two", "three"):
        await alone.add(name, 0.0, only)
    await alone.compute()

    assert [one.round_number for one in scale.sets] == [1, 2]
    # Nothing is known of who was scored there alone.
    assert {"never right", "wrong too"}.isdisjoint(one.name for one in scale.models)
    assert len(scale.models) == 6
    assert any(note.startswith("Round 3: left out") for note in scale.notes)
    assert (await read(alone)).reason == NO_DIFFICULTY


async def test_what_cannot_be_scaled_says_why(wiring: Wiring, clock: HeldClock) -> None:
    stage = await BoardStage.over(wiring, clock)
    await stage.add("alone", 100, 200)
    scales = wiring.get(ScaleService)
    await scales.compute(stage.task.id)
    alone = await scales.read(stage.task.slug, actor=VISITOR)
    await stage.add("partly", 200, 100)
    async with wiring.db.transaction() as session:
        await session.execute(update(predictions).where(predictions.c.score == 1).values(score=0.5))
    await scales.compute(stage.task.id, is_forced=True)
    partly = await scales.read(stage.task.slug, actor=VISITOR)

    assert alone.reason == TOO_FEW_MODELS
    assert alone.contest.reason is not None
    assert partly.reason == NOT_BINARY
    # Scores that are no 0 or 1 still tell models apart.
    assert partly.sets[0].separability.told_apart.whole == 1


async def test_routes_of_a_scale(linked: Linked) -> None:
    stage = linked.stage
    where = f"/api/v1/tasks/{stage.task.slug}/scale"
    application = create_application(stage.wiring, fold_in_background=False)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        shown = await client.get(where)
        missing = await client.get("/api/v1/tasks/nowhere/scale")
        refused = await client.post(where)
    scales = stage.wiring.get(ScaleService)
    job = await scales.recompute(stage.task.slug, actor=stage.owner, key=None)

    assert shown.status_code == 200
    assert ScaleRead.model_validate_json(shown.content).reason == NOT_YET
    assert missing.status_code == 404
    assert refused.status_code in {401, 403}
    assert (job.name, job.state.value) == (COMPUTE_SCALE, "queued")
    with pytest.raises(TaskRoleNeededError):
        await scales.recompute(stage.task.slug, actor=stage.people[0], key=None)
