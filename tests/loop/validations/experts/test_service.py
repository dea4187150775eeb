"""What experts may still do, by the state of the round."""

import asyncio
from pathlib import Path

import pytest

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.loop.rounds.errors import RoundReleasedError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.schemas import ExpertDecision, OutcomeFilter, VoidRequest
from dynabench.loop.validations.values import Verdict, Vote
from tests.factories.examples import Stage, make_stage, make_wiring
from tests.factories.tasks import add_member
from tests.factories.validations import outcome_of


@pytest.fixture
async def expert(stage: Stage) -> Actor:
    expert = await stage.person()
    await add_member(stage.db, stage.task, expert, TaskRole.EXPERT)
    return expert


async def test_an_expert_decides_while_the_round_is_closed_and_not_released(
    stage: Stage, expert: Actor
) -> None:
    example = await stage.write()
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    decision = ExpertDecision(example_ids=[example.id], vote=Vote.CORRECT)

    await stage.wiring.get(ExpertService).decide(stage.round_.id, decision, actor=expert)
    assert (await outcome_of(stage, example.id)).verdict is Verdict.CORRECT


async def test_what_was_written_a_moment_after_a_fold_is_listed_and_exported(
    database_url: str, tmp_path: Path, clock: Clock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock, fold_patience_seconds=3_600)
    stage = await make_stage(wiring, clock)
    owner = await stage.person()
    await add_member(stage.db, stage.task, owner, TaskRole.OWNER)
    experts, chosen = wiring.get(ExpertService), OutcomeFilter()
    for number in range(1, 3):
        await stage.write()
        page = await experts.browse(stage.round_.id, chosen=chosen, cursor=None, actor=owner)
        lines = b"".join(
            [line async for line in await experts.export(stage.round_.id, actor=owner)]
        )
        assert (len(page.items), lines.count(b"\n")) == (number, number)
    await wiring.close()


async def test_nobody_decides_or_voids_an_example_of_a_released_round(
    stage: Stage, expert: Actor
) -> None:
    example = await stage.write()
    await stage.release()
    experts = stage.wiring.get(ExpertService)
    decision = ExpertDecision(example_ids=[example.id], vote=Vote.CORRECT)
    void = VoidRequest(example_ids=[example.id], reason="It is a test.")

    for changing in (
        experts.decide(stage.round_.id, decision, actor=expert),
        experts.void(stage.round_.id, void, actor=expert),
    ):
        with pytest.raises(RoundReleasedError, match="nothing in it changes any more"):
            await changing
    outcome = await outcome_of(stage, example.id)
    assert (outcome.verdict, outcome.voided_at) == (Verdict.PENDING, None)


async def test_a_decision_waits_for_a_release_and_is_refused(stage: Stage, expert: Actor) -> None:
    example = await stage.write()
    rounds = stage.wiring.get(RoundService)
    await rounds.close_for_budget(stage.round_.id, reason="Enough.")
    decision = ExpertDecision(example_ids=[example.id], vote=Vote.CORRECT)

    async with stage.db.transaction() as session:
        await rounds.mark_released(session, stage.round_.id)
        deciding = asyncio.create_task(
            stage.wiring.get(ExpertService).decide(stage.round_.id, decision, actor=expert)
        )
        await asyncio.sleep(0.2)
        assert not deciding.done()
    with pytest.raises(RoundReleasedError):
        await deciding
