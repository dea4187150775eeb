"""A plan over a task with two released rounds, a stronger model and old contexts."""

from dataclasses import dataclass
from typing import Self

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.loop.datasets.values import Split
from dynabench.loop.leaderboards.next_round.schemas import NextRoundQuery
from dynabench.loop.leaderboards.next_round.service import NextRoundService
from dynabench.loop.leaderboards.next_round.values import BudgetReason, WarningCode
from dynabench.loop.models.values import Model, ModelKind
from dynabench.loop.rounds.schemas import RoundCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundPlan, RoundStatus, TargetPolicy
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole
from tests.conftest import HeldClock
from tests.factories.boards import BOARD_CONFIG, answers, change_model, score_model
from tests.factories.contexts import make_context
from tests.factories.datasets import close, fill_round, make_dataset, make_example, make_item
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


@dataclass
class Series:
    """A task with two released rounds against an old model, and its owner."""

    task: Task
    owner: Actor
    new: Model
    rounds: list[Round]

    @classmethod
    async def over(cls, wiring: Wiring, clock: HeldClock) -> Self:
        """Write all of it, with a stronger model, a private one and contexts."""
        db = wiring.db
        task = await make_task(db, config=BOARD_CONFIG, clock=clock)
        owner = await make_user(db, clock=clock)
        await add_member(db, task, owner, TaskRole.OWNER, clock=clock)
        old = await make_model(db, task, name="old", clock=clock)
        new = await make_model(db, task, name="new", clock=clock)
        hidden = await make_model(db, task, name="hidden", clock=clock)
        await change_model(db, hidden, is_published=False)
        await make_model(db, task, name="record", kind=ModelKind.RECORDED, clock=clock)
        plan = RoundPlan(target_model_ids=(old.id,), context_tags=("news",))
        items = [make_item(number) for number in range(300)]
        items += [make_item(number, split=Split.TRAIN) for number in range(300, 320)]
        rounds = []
        for number in (1, 2):
            round_ = await make_round(db, task, plan=plan, clock=clock)
            await fill_round(db, task, round_, clock=clock, contexts=6, verified=6, others=6)
            await close(db, round_, clock=clock)
            clock.advance(days=2)
            version = await make_dataset(
                db, task, items, name=f"Round {number}", round_id=round_.id, clock=clock
            )
            for model, right, speed in ((old, 100, 0.2), (new, 240, 20.0), (hidden, 260, None)):
                scores = answers(right, of=300)
                await score_model(db, model, version, scores, throughput=speed)
            rounds.append(round_)
        for premise in ("Premise 300.", "Nobody wrote on this one."):
            await make_context(db, task, tag="news", content={"premise": premise}, clock=clock)
        return cls(task, owner, new, rounds)


async def test_a_plan_names_the_best_model_and_what_speaks_against_the_contexts(
    wiring: Wiring, clock: HeldClock
) -> None:
    series = await Series.over(wiring, clock)
    task, owner = series.task, series.owner

    found = await wiring.get(NextRoundService).plan(task.slug, NextRoundQuery(), actor=owner)

    assert found.next_number == 3
    assert [one.round_number for one in found.releases] == [2, 1]
    assert [one.name for one in found.candidates] == ["hidden", "new", "old"]
    best, known = found.candidates[1], found.candidates[2]
    assert [figure.value for figure in best.scores] == [80.0, 80.0]
    assert (best.rank, known.rank) != (None, None)
    assert (best.was_target_of, known.was_target_of) == ([], [1, 2])
    assert known.examples_per_second == pytest.approx(0.2)
    assert found.suggestion is not None
    assert found.suggestion.target_model_ids == [series.new.id]
    assert found.suggestion.policy is TargetPolicy.SINGLE
    (tag,) = [one for one in found.contexts.tags if one.tag == "news"]
    assert (tag.contexts, tag.used, tag.never_used, tag.is_drawn) == (14, 12, 2, True)
    leaks = found.contexts.leaks
    assert (leaks.drawn, leaks.same, leaks.sampled) == (14, 1, 13)
    edges = found.lineage.edges
    assert [one.from_round_id for one in edges if one.to_round_id is None][:1] == [
        series.rounds[1].id
    ]
    assert sum(one.is_target for one in edges) == 3
    assert found.budget.is_rate_known
    assert {one.code for one in found.warnings} == {
        WarningCode.STALLED,
        WarningCode.FEW_ANNOTATORS,
        WarningCode.LEAKS,
    }
    # The plan can be sent as it is.
    body = RoundCreate.model_validate(found.settings.model_dump())
    draft = await wiring.get(RoundService).create(task.slug, body, actor=owner, key=None)
    assert draft.number == 3
    assert draft.status is RoundStatus.DRAFT
    assert draft.parent_round_ids == (series.rounds[1].id,)
    elsewhere = NextRoundQuery(tags=["other"], width=0.02)
    again = await wiring.get(NextRoundService).plan(task.slug, elsewhere, actor=owner)
    assert again.contexts.leaks.drawn == 0
    assert again.budget.least_attempts > 10 * found.budget.least_attempts
    stranger = await make_user(wiring.db, clock=clock)
    with pytest.raises(TaskRoleNeededError):
        await wiring.get(NextRoundService).plan(task.slug, NextRoundQuery(), actor=stranger)


async def test_a_budget_counts_people_once_all_votes_are_in(
    wiring: Wiring, clock: HeldClock
) -> None:
    series = await Series.over(wiring, clock)
    task, owner = series.task, series.owner
    plans = wiring.get(NextRoundService)

    budget = (await plans.plan(task.slug, NextRoundQuery(), actor=owner)).budget
    # Four people wrote three examples each.
    assert (budget.reason, budget.tries_each) == (None, 3)
    assert budget.likeness is not None
    assert budget.people is not None
    assert budget.attempts == 3 * budget.people > budget.least_attempts
    # One more example that fooled waits for votes.
    targets = series.rounds[1].target_model_ids
    third = RoundPlan(target_model_ids=targets)
    round_ = await make_round(wiring.db, task, plan=third, clock=clock)
    await fill_round(wiring.db, task, round_, clock=clock, verified=6, others=6)
    context = await make_context(wiring.db, task, tag="news", clock=clock)
    await make_example(
        wiring.db,
        round_,
        context_id=context.id,
        author=await make_user(wiring.db),
        answer={"label": "neutral"},
        fooled=True,
        clock=clock,
    )

    plan = await plans.plan(task.slug, NextRoundQuery(), actor=owner)

    assert plan.budget.reason is BudgetReason.PENDING
    assert (plan.budget.people, plan.budget.is_rate_known) == (None, False)
    assert plan.settings.budget.examples is None
    assert WarningCode.STALLED not in {one.code for one in plan.warnings}


async def test_a_task_without_anything_is_told_what_comes_first(
    wiring: Wiring, clock: HeldClock
) -> None:
    task = await make_task(wiring.db, clock=clock)
    owner = await make_user(wiring.db, clock=clock)
    await add_member(wiring.db, task, owner, TaskRole.OWNER, clock=clock)
    found = await wiring.get(NextRoundService).plan(task.slug, NextRoundQuery(), actor=owner)
    assert (found.next_number, found.suggestion, found.candidates) == (1, None, [])
    assert {one.code for one in found.warnings} == {
        WarningCode.NO_RELEASE,
        WarningCode.NO_CANDIDATE,
        WarningCode.NO_NEW_CONTEXTS,
    }
    assert found.settings.target_model_ids == ()
