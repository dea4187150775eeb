"""Attempts of which nothing is kept."""

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import TryCreate
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
