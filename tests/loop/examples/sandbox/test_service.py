"""Attempts of which nothing is kept."""

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.ids import new_id
from dynabench.loop.examples.errors import (
    TextWithheldError,
    TriesCountError,
    TriesPausedError,
    VisitorsMayNotTryError,
)
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import TryCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import (
    RoundControls,
    RoundPlan,
    RoundValidation,
    TargetPolicy,
    ValidationMode,
)
from dynabench.loop.tasks.schemas import TaskPatch
from dynabench.loop.tasks.service import TaskService
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage, unlike_text
from tests.factories.models import make_model
from tests.factories.rounds import make_round


def attempt(stage: Stage) -> TryCreate:
    return TryCreate(
        context_id=stage.contexts[0].id,
        inputs={"hypothesis": f"{unlike_text()} entailment"},
        answer={"label": "neutral"},
    )


async def test_a_visitor_asks_one_target_where_a_round_draws_them(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(target_policy=TargetPolicy.RANDOM, seed=11)
    stage = await make_stage(wiring, clock, targets=["parrot", "stubborn"], plan=plan)

    tried = await wiring.get(SandboxService).try_out(stage.task.slug, attempt(stage), actor=VISITOR)

    (answer,) = tried.predictions
    assert tried.fooled is answer.is_wrong
    assert tried.fooled is (answer.model_name == "parrot")


OWNER = Actor(user_id=new_id(), username="owner", is_admin=True)


async def test_who_writes_for_the_open_round_cannot_rehearse(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock)
    sandbox = wiring.get(SandboxService)

    with pytest.raises(TriesCountError, match="round 1 is open, so every try counts"):
        await sandbox.try_out(stage.task.slug, attempt(stage), actor=stage.author)

    tried = await sandbox.try_out(stage.task.slug, attempt(stage), actor=OWNER)

    assert tried.predictions


async def test_with_the_round_closed_nobody_rehearses_for_its_opening_again(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock)
    sandbox, slug = wiring.get(SandboxService), stage.task.slug
    await wiring.get(RoundService).close(stage.round_.id, actor=OWNER)

    with pytest.raises(TriesCountError, match="not released yet"):
        await sandbox.try_out(slug, attempt(stage), actor=stage.author)
    await wiring.get(TaskService).change(slug, TaskPatch(visitors_may_try=False), actor=OWNER)
    with pytest.raises(VisitorsMayNotTryError, match="not released yet"):
        await sandbox.try_out(slug, attempt(stage), actor=VISITOR)

    async with wiring.db.transaction() as session:
        await wiring.get(RoundService).mark_released(session, stage.round_.id)
    for actor in (stage.author, VISITOR):
        assert (await sandbox.try_out(slug, attempt(stage), actor=actor)).predictions


@pytest.mark.parametrize("is_closed", [False, True])
async def test_no_try_tells_what_an_author_of_a_blind_round_answered(
    wiring: Wiring, clock: HeldClock, *, is_closed: bool
) -> None:
    plan = RoundPlan(validation=RoundValidation(mode=ValidationMode.BLIND))
    stage = await make_stage(wiring, clock, plan=plan)
    text = f"{unlike_text()} entailment"
    await stage.write(text=text)
    sandbox, slug = wiring.get(SandboxService), stage.task.slug
    if is_closed:
        await wiring.get(RoundService).close(stage.round_.id, actor=OWNER)
    for said in (text, text.upper(), f"{text}!"):
        tried = attempt(stage).model_copy(update={"inputs": {"hypothesis": said}})
        with pytest.raises(TextWithheldError, match="being judged"):
            await sandbox.try_out(slug, tried, actor=VISITOR)

    assert (await sandbox.try_out(slug, attempt(stage), actor=VISITOR)).predictions
    # Who writes for the round may change a word of their own and send it again.
    if not is_closed:
        await stage.write(text=f"{text} indeed")


async def test_where_a_round_keeps_arms_apart_nobody_asks_its_models_aside(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock)
    rounds, sandbox = wiring.get(RoundService), wiring.get(SandboxService)
    await rounds.close(stage.round_.id, actor=OWNER)
    earlier = stage.round_.targets[0].model_id
    later = await make_model(wiring.db, stage.task, name="stubborn", clock=clock)
    controls = RoundControls(earlier_share=0.5, model_id=earlier)
    plan = RoundPlan(target_model_ids=(later.id,), controls=controls)
    round_ = await make_round(wiring.db, stage.task, plan=plan, number=2, clock=clock)

    for actor in (VISITOR, stage.author, OWNER):
        for model_id in (None, later.id, earlier):
            asked = attempt(stage).model_copy(update={"model_id": model_id})
            with pytest.raises(TriesPausedError, match="cannot be tried out until it closes"):
                await sandbox.try_out(stage.task.slug, asked, actor=actor)

    await rounds.close(round_.id, actor=OWNER)
    tried = await sandbox.try_out(stage.task.slug, attempt(stage), actor=VISITOR)
    assert tried.predictions


async def test_visitors_ask_no_target_of_an_open_round_where_the_owner_says_so(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock)
    sandbox, slug = wiring.get(SandboxService), stage.task.slug
    assert (await sandbox.try_out(slug, attempt(stage), actor=VISITOR)).predictions

    change = TaskPatch(visitors_may_try=False)
    changed = await wiring.get(TaskService).change(slug, change, actor=OWNER)

    assert (changed.visitors_may_try, changed.is_open_to_everyone) == (False, True)
    with pytest.raises(VisitorsMayNotTryError, match="While round 1 is open"):
        await sandbox.try_out(slug, attempt(stage), actor=VISITOR)
