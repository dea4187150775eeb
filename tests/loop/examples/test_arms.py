"""What an author learns of who was asked, where a round keeps arms apart."""

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.errors import DynabenchError
from dynabench.loop.rounds.rules import draw_arm
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, RoundControls, RoundPlan, RoundStatus
from tests.conftest import HeldClock
from tests.factories.examples import make_stage
from tests.factories.models import make_model
from tests.factories.rounds import make_round


async def test_a_model_that_fails_is_not_told_from_an_earlier_one_that_does(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, targets=("dead",))
    await wiring.get(RoundService).close_for_budget(stage.round_.id, reason="The test closed it.")
    earlier = stage.round_.targets[0].model_id
    later = await make_model(wiring.db, stage.task, name="hanging", clock=clock)
    controls = RoundControls(earlier_share=0.5, model_id=earlier)
    plan = RoundPlan(target_model_ids=(later.id,), controls=controls)
    stage.round_ = await make_round(wiring.db, stage.task, plan=plan, number=2, clock=clock)
    assert stage.round_.status is RoundStatus.OPEN

    told: dict[Arm, tuple[str, str, object]] = {}
    while len(told) < 2:
        author = await stage.person()
        assert author.user_id is not None
        context_id = stage.contexts[0].id
        arm = draw_arm(stage.round_, context_id=context_id, annotator_id=author.user_id)
        with pytest.raises(DynabenchError) as failed:
            await stage.write(by=author)
        told[arm] = (failed.value.code, failed.value.message, failed.value.facts)

    assert told[Arm.TARGET] == told[Arm.EARLIER_TARGET]
    assert "dead" not in str(told)
    assert "hanging" not in str(told)
