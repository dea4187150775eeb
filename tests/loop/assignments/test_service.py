"""Contexts that are taken up again after a reload."""

import pytest
from sqlalchemy import delete, update

from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from dynabench.loop.assignments.schemas import NextContextRequest
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.tables import context_leases, contexts
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan
from tests.factories.examples import Stage, make_stage
from tests.factories.rounds import make_round


async def test_who_was_lent_a_context_or_wrote_on_it_takes_it_up_again(stage: Stage) -> None:
    assignments = stage.wiring.get(AssignmentService)
    lent = await assignments.next_context(stage.round_.id, NextContextRequest(), actor=stage.author)
    again = await assignments.resume(
        stage.round_.id, context_id=lent.context.id, actor=stage.author
    )
    assert again.context == lent.context
    for context in stage.contexts:
        with pytest.raises(ContextNotFoundError):
            await assignments.resume(
                stage.round_.id, context_id=context.id, actor=await stage.person()
            )
    writer = await stage.person()
    await stage.write(by=writer)
    async with stage.db.transaction() as session:
        # As housekeeping leaves it a day later.
        await session.execute(delete(context_leases))
    resumed = await assignments.resume(
        stage.round_.id, context_id=stage.contexts[0].id, actor=writer
    )
    assert resumed.tries == 1


async def test_a_lease_counts_in_its_round_alone_and_never_against_the_round_s_tags(
    wiring: Wiring, clock: Clock
) -> None:
    stage = await make_stage(wiring, clock, plan=RoundPlan(context_tags=("news",)))
    assignments = wiring.get(AssignmentService)
    async with stage.db.transaction() as session:
        await session.execute(update(contexts).values(tag="news"))
    lent = await assignments.next_context(stage.round_.id, NextContextRequest(), actor=stage.author)
    await assignments.resume(stage.round_.id, context_id=lent.context.id, actor=stage.author)
    async with stage.db.transaction() as session:
        await session.execute(update(contexts).values(tag="fiction"))
    with pytest.raises(ContextNotFoundError):
        await assignments.resume(stage.round_.id, context_id=lent.context.id, actor=stage.author)
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    plan = RoundPlan(target_model_ids=stage.round_.target_model_ids)
    later = await make_round(stage.db, stage.task, plan=plan, clock=clock)
    with pytest.raises(ContextNotFoundError):
        await assignments.resume(later.id, context_id=lent.context.id, actor=stage.author)
