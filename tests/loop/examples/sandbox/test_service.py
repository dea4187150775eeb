"""Attempts of which nothing is kept."""

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.ids import new_id
from dynabench.loop.examples.errors import TriesCountError
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import TryCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan, TargetPolicy
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage, unlike_text


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


async def test_with_the_round_closed_everybody_may_play(wiring: Wiring, clock: HeldClock) -> None:
    stage = await make_stage(wiring, clock)
    await wiring.get(RoundService).close(stage.round_.id, actor=OWNER)

    tried = await wiring.get(SandboxService).try_out(
        stage.task.slug, attempt(stage), actor=stage.author
    )

    assert tried.predictions
