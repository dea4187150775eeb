"""A round's numbers from its rows: what is written, voted and lent shows, and who may look."""

from dataclasses import replace

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.loop.leaderboards.live.schemas import (
    BacklogRead,
    RoundNumbersRead,
    TaskNumbersRead,
)
from dynabench.loop.leaderboards.live.service import LiveNumbers
from dynabench.loop.leaderboards.live.values import EndReason, GapReason
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.rounds.rules import draw_arm
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import (
    Arm,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundStatus,
    RoundValidation,
    ValidationMode,
)
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import AgreementRead
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task
from tests.factories.validations import lent, vote

pytestmark = pytest.mark.anyio


async def _numbers(stage: Stage, *, by: Actor = VISITOR) -> RoundNumbersRead:
    found = await stage.wiring.get(LiveNumbers).of_round(stage.round_.id, actor=by)
    return RoundNumbersRead.model_validate_json(found.body)


async def test_an_empty_round_has_no_data_and_no_zero_rates(stage: Stage) -> None:
    found = await _numbers(stage)
    assert found.collection is not None
    assert found.collection.last_hour.per_hour is None
    assert found.model_error_rate.value is None
    assert found.curve == []
    assert found.effort.seconds_per_validated_fooling is None
    assert found.human_gap.reason is GapReason.REVIEWED
    assert found.ends == []


async def test_what_is_written_lent_and_voted_shows(wiring: Wiring, clock: HeldClock) -> None:
    plan = RoundPlan(budget=RoundBudget(examples=10, validated_fooling=50))
    stage = await make_stage(wiring, clock, plan=plan, contexts=4)
    clock.advance(hours=2)
    first = await stage.write()
    for context in stage.contexts[1:]:
        await stage.write(context=context)
    await stage.write(fooling=False)
    voter = await stage.person()
    await lent(stage, voter, count=1)
    for _ in range(3):
        await vote(stage, first.id)
    clock.advance(seconds=60)
    found = await _numbers(stage)
    assert found.collection is not None
    assert found.collection.last_hour.count == 5
    assert found.collection.last_day.hours == 2.0
    assert sum(hour.attempts for hour in found.collection.hours) == 5
    assert found.collection.annotators == 1
    assert (found.model_error_rate.part, found.model_error_rate.whole) == (4, 5)
    assert (found.validated_model_error_rate.part, found.pending) == (1, 3)
    assert found.backlog.waiting == 3
    assert found.backlog.votes_wanted == 9
    assert found.backlog.last_hour.count == 3
    assert found.backlog.validators == 3
    assert [day.waiting for day in found.backlog.days] == [3]
    assert found.effort.validated_fooling == 1
    examples, fooling = found.ends
    assert (examples.used, examples.limit) == (5, 10)
    assert examples.expected_at is not None
    assert fooling.reason is EndReason.NO_PACE


async def test_blind_answers_tell_how_people_do_beside_the_targets(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(validation=RoundValidation(mode=ValidationMode.BLIND, quorum=2, maximum=4))
    stage = await make_stage(wiring, clock, plan=plan)
    example = await stage.write()
    await vote(stage, example.id, answer="entailment")
    for _ in range(2):
        await vote(stage, example.id, answer="neutral")
    gap = (await _numbers(stage)).human_gap
    assert (gap.people.part, gap.people.whole) == (2, 3)
    assert (gap.targets.part, gap.targets.whole) == (0, 1)
    assert gap.gap == pytest.approx(2 / 3)


async def test_the_backlog_does_not_tell_whether_an_attempt_without_a_model_fooled(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(controls=RoundControls(no_model_share=0.5))
    stage = await make_stage(wiring, clock, plan=plan)
    blind = await _person_of(stage, Arm.NO_MODEL)
    before = await _backlog(stage)
    first = await stage.write(by=blind)
    for judgement in (Vote.CORRECT, Vote.CORRECT, Vote.INCORRECT):
        await vote(stage, first.id, judgement)
    await stage.write(by=blind)
    assert await _backlog(stage) == before
    await stage.write(by=await _person_of(stage, Arm.TARGET))
    assert (await _backlog(stage))[0].waiting == 1
    await wiring.get(RoundService).close_for_budget(stage.round_.id, reason="It is spent.")
    numbers, agreement = await _backlog(stage)
    assert (numbers.waiting, numbers.last_hour.count) == (3, 3)
    assert (agreement.examples, agreement.votes) == (1, 3)
    assert (agreement.unanimous.low, agreement.unanimous.high) == (None, None)


async def _person_of(stage: Stage, arm: Arm) -> Actor:
    context_id = stage.contexts[0].id
    while True:
        person = await stage.person()
        assert person.user_id is not None
        if draw_arm(stage.round_, context_id=context_id, annotator_id=person.user_id) is arm:
            return person


async def _backlog(stage: Stage) -> tuple[BacklogRead, AgreementRead]:
    rates = stage.wiring.get(ErrorRateService)
    agreement = await rates.agreement(stage.round_.id, actor=VISITOR)
    return (await _numbers(stage)).backlog, agreement


async def test_numbers_are_shared_until_something_changes(stage: Stage) -> None:
    numbers = stage.wiring.get(LiveNumbers)
    source = numbers.watching_round(stage.round_.id)
    before = await source.read(float("-inf"))
    assert await source.read(float("-inf")) is before
    await stage.write()
    assert await source.read(float("-inf")) is before
    after = await numbers.of_round(stage.round_.id, actor=VISITOR)
    assert after.digest != before.digest
    assert (await numbers.of_round(stage.round_.id, actor=VISITOR)).digest == after.digest


async def test_a_released_round_has_nothing_more_to_tell(stage: Stage) -> None:
    await stage.write()
    await stage.release()
    source = stage.wiring.get(LiveNumbers).watching_round(stage.round_.id)
    last = await source.read(float("-inf"))
    assert last.is_last
    assert RoundNumbersRead.model_validate_json(last.body).collection is None


async def test_a_draft_is_watched_by_its_owners_alone(wiring: Wiring, clock: HeldClock) -> None:
    stage = await make_stage(wiring, clock)
    owner = await make_user(wiring.db, clock=clock)
    await add_member(wiring.db, stage.task, owner, TaskRole.OWNER, clock=clock)
    draft = await make_round(wiring.db, stage.task, status=RoundStatus.DRAFT, number=2, clock=clock)
    numbers = wiring.get(LiveNumbers)
    for actor in (VISITOR, stage.author):
        with pytest.raises(RoundNotFoundError):
            await numbers.of_round(draft.id, actor=actor)
        with pytest.raises(RoundNotFoundError):
            await numbers.watching_round(draft.id).require_visible(actor)
    await numbers.watching_round(draft.id).require_visible(owner)
    assert (await _numbers(replace(stage, round_=draft), by=owner)).status is RoundStatus.DRAFT
    # A draft is not the task's latest round.
    found = await numbers.of_task(stage.task.slug, actor=VISITOR)
    read = TaskNumbersRead.model_validate_json(found.body)
    assert read.round is not None
    assert read.round.round_number == 1


async def test_a_task_without_a_round_says_so_and_a_hidden_one_nothing(
    wiring: Wiring, clock: HeldClock
) -> None:
    numbers = wiring.get(LiveNumbers)
    task = await make_task(wiring.db, clock=clock)
    found = await numbers.of_task(task.slug, actor=VISITOR)
    assert TaskNumbersRead.model_validate_json(found.body).round is None
    source = await numbers.watching_task(task.slug, actor=VISITOR)
    await source.require_visible(VISITOR)
    assert await source.subject() == "None"
    hidden = await make_task(wiring.db, status=TaskStatus.DRAFT, clock=clock)
    with pytest.raises(TaskNotFoundError):
        await numbers.watching_task(hidden.slug, actor=VISITOR)
