"""What a validator can learn before the verdict, and on which examples they may vote."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from dynabench.kit.actor import Actor, ReadOnlyTokenError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan, RoundValidation, ValidationMode
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.errors import (
    AnswersKnownError,
    AnswersReadError,
    NotLentError,
    NotWaitingError,
    TooManySkipsError,
)
from dynabench.loop.validations.schemas import ValidationCreate, ValidationRead
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import (
    FREE_SKIPS,
    LEASE_DURATION,
    SKIPS_PER_VOTE,
    Vote,
)
from dynabench.people.schemas import UserAdminPatch
from dynabench.people.service import PeopleService
from tests.conftest import HeldClock
from tests.factories.examples import LABELS, Stage, make_stage, make_wiring
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member
from tests.factories.validations import lent, outcome_of, vote


@pytest.fixture
async def blind(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Stage]:
    """A round whose validators answer without seeing the author's answer."""
    wiring = make_wiring(database_url, tmp_path, clock)
    plan = RoundPlan(validation=RoundValidation(mode=ValidationMode.BLIND))
    yield await make_stage(wiring, clock, plan=plan)
    await wiring.close()


async def _answer(stage: Stage, example_id: UUID, label: str, *, by: Actor) -> ValidationRead:
    """Send a blind answer on whatever the server has lent."""
    return await stage.wiring.get(ValidationService).vote(
        example_id, ValidationCreate(answer={"label": label}), actor=by, key=None
    )


async def _judge(stage: Stage, example_id: UUID, *, by: Actor) -> ValidationRead:
    """Send a vote on whatever the server has lent."""
    return await stage.wiring.get(ValidationService).vote(
        example_id, ValidationCreate(vote=Vote.CORRECT), actor=by, key=None
    )


async def test_a_blind_answer_does_not_say_whether_it_is_the_authors(blind: Stage) -> None:
    example = await blind.write()
    told = set()
    for label in LABELS:
        validator = await blind.person()
        await lent(blind, validator)
        told.add((await _answer(blind, example.id, label, by=validator)).vote)
    assert told == {None}


async def test_a_flag_is_told_as_the_validator_gave_it(blind: Stage) -> None:
    example = await blind.write()
    assert (await vote(blind, example.id, Vote.FLAGGED)).vote is Vote.FLAGGED


async def test_who_withdraws_a_blind_answer_does_not_judge_that_example_again(blind: Stage) -> None:
    example = await blind.write()
    validator = await blind.person()
    await lent(blind, validator)
    cast = await _answer(blind, example.id, "neutral", by=validator)

    await blind.wiring.get(ValidationService).withdraw(cast.id, actor=validator)

    assert await lent(blind, validator) == []
    for label in LABELS:
        with pytest.raises(NotLentError):
            await _answer(blind, example.id, label, by=validator)
    assert (await outcome_of(blind, example.id)).votes == 0
    assert await lent(blind, await blind.person()) == [example.id]


@pytest.mark.parametrize("role", [TaskRole.OWNER, TaskRole.EXPERT])
async def test_who_can_read_the_answers_does_not_judge_blind(blind: Stage, role: TaskRole) -> None:
    example = await blind.write()
    insider = await blind.person()
    await add_member(blind.db, blind.task, insider, role, clock=blind.clock)

    with pytest.raises(AnswersKnownError):
        await lent(blind, insider)
    with pytest.raises(AnswersKnownError):
        await vote(blind, example.id, answer="neutral", by=insider)


@pytest.mark.parametrize("role", [TaskRole.OWNER, TaskRole.EXPERT])
@pytest.mark.parametrize("after", [None, TaskRole.ANNOTATOR])
async def test_who_could_read_the_answers_once_does_not_judge_that_round_blind(
    blind: Stage, role: TaskRole, after: TaskRole | None
) -> None:
    example = await blind.write()
    members = blind.wiring.get(MemberService)
    admin = replace(blind.author, is_admin=True)
    slug = blind.task.slug
    insider, outsider = await blind.person(), await blind.person()
    await add_member(blind.db, blind.task, blind.author, TaskRole.OWNER, clock=blind.clock)
    assert await lent(blind, insider) == [example.id]
    await members.set_role(slug, username=insider.username, role=role, actor=admin)
    if after is None:
        await members.remove(slug, username=insider.username, actor=admin)
    else:
        await members.set_role(slug, username=insider.username, role=after, actor=admin)

    with pytest.raises(AnswersReadError, match=f"round {blind.round_.number} by a role"):
        await lent(blind, insider)
    # What was lent before is no way around.
    with pytest.raises(AnswersReadError):
        await _answer(blind, example.id, "neutral", by=insider)
    await members.set_role(slug, username=outsider.username, role=TaskRole.ANNOTATOR, actor=admin)
    await members.remove(slug, username=outsider.username, actor=admin)
    assert await lent(blind, outsider) == [example.id]


async def test_who_administrated_once_does_not_judge_blind_what_was_open_then(
    blind: Stage,
) -> None:
    example = await blind.write()
    people, former = blind.wiring.get(PeopleService), await blind.person()
    admin = replace(blind.author, is_admin=True)
    for name, is_admin in (
        ((await blind.person()).username, True),
        (former.username, True),
        (former.username, False),
    ):
        await people.administrate(name, UserAdminPatch(is_admin=is_admin), actor=admin)

    with pytest.raises(AnswersReadError):
        await vote(blind, example.id, answer="neutral", by=former)


async def test_a_role_that_ended_before_the_round_opened_closes_nothing(
    database_url: str, tmp_path: Path, clock: HeldClock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock)
    rule = RoundValidation(mode=ValidationMode.BLIND)
    first = await make_stage(wiring, clock, plan=RoundPlan(validation=rule))
    former, admin = await first.person(), replace(first.author, is_admin=True)
    members, slug = wiring.get(MemberService), first.task.slug
    for role in (TaskRole.EXPERT, TaskRole.ANNOTATOR):
        await members.set_role(slug, username=former.username, role=role, actor=admin)
    await wiring.get(RoundService).close_for_budget(first.round_.id, reason="The test closed it.")
    plan = RoundPlan(validation=rule, target_model_ids=first.round_.target_model_ids)
    second = replace(first, round_=await make_round(wiring.db, first.task, plan=plan, clock=clock))
    example = await second.write()

    assert await lent(second, former) == [example.id]
    await wiring.close()


async def test_nobody_votes_on_an_example_of_their_choice(stage: Stage) -> None:
    example = await stage.write()
    accomplice = await stage.person()

    with pytest.raises(NotLentError):
        await _judge(stage, example.id, by=accomplice)

    await lent(stage, accomplice)
    await _judge(stage, example.id, by=accomplice)
    assert (await outcome_of(stage, example.id)).votes == 1


async def test_who_was_lent_nothing_learns_nothing_of_an_examples_state(stage: Stage) -> None:
    """An example whose verdict is reached is refused with the sentence for any other."""
    example = await stage.write()
    for _ in range(3):
        await vote(stage, example.id)
    with pytest.raises(NotLentError):
        await _judge(stage, example.id, by=await stage.person())


async def test_a_lease_that_ran_out_carries_no_vote(stage: Stage, clock: HeldClock) -> None:
    example = await stage.write()
    validator = await stage.person()
    await lent(stage, validator)
    clock.advance(seconds=LEASE_DURATION.total_seconds() + 1)

    with pytest.raises(NotLentError):
        await _judge(stage, example.id, by=validator)

    assert await lent(stage, validator) == [example.id]
    await _judge(stage, example.id, by=validator)


async def test_an_example_passed_over_takes_no_vote_of_who_passed_it_over(stage: Stage) -> None:
    example = await stage.write()
    validator = await stage.person()
    await lent(stage, validator)
    await stage.wiring.get(ValidationService).skip(example.id, actor=validator)
    with pytest.raises(NotLentError):
        await _judge(stage, example.id, by=validator)


async def test_nobody_skips_on_to_an_example_of_their_choice(stage: Stage) -> None:
    for _ in range(FREE_SKIPS + SKIPS_PER_VOTE + 2):
        await stage.write(by=await stage.person())
    validator, service = await stage.person(), stage.wiring.get(ValidationService)

    async def skip_all() -> int:
        skipped = 0
        while True:
            (held, *_) = await lent(stage, validator)
            try:
                await service.skip(held, actor=validator)
            except TooManySkipsError:
                return skipped
            skipped += 1

    assert await skip_all() == FREE_SKIPS
    (held, *_) = await lent(stage, validator)
    await _judge(stage, held, by=validator)
    assert await skip_all() == SKIPS_PER_VOTE
    # Somebody else is not held to what this person did.
    other = await stage.person()
    (held, *_) = await lent(stage, other)
    await service.skip(held, actor=other)


async def test_nobody_reaches_a_chosen_example_of_a_blind_round_by_withdrawing(
    blind: Stage,
) -> None:
    for _ in range(FREE_SKIPS + 2):
        await blind.write(by=await blind.person())
    validator, service = await blind.person(), blind.wiring.get(ValidationService)

    async def answer() -> UUID:
        (held, *_) = await lent(blind, validator)
        body = ValidationCreate(answer={"label": "neutral"})
        return (await service.vote(held, body, actor=validator, key=None)).id

    for _ in range(FREE_SKIPS):
        await service.withdraw(await answer(), actor=validator)
    stands = await answer()
    with pytest.raises(TooManySkipsError):
        await service.withdraw(stands, actor=validator)


async def test_a_slip_is_undone_where_the_answer_was_shown(stage: Stage) -> None:
    example = await stage.write()
    validator = await stage.person()
    cast = await vote(stage, example.id, Vote.INCORRECT, by=validator)
    await stage.wiring.get(ValidationService).withdraw(cast.id, actor=validator)

    again = await _judge(stage, example.id, by=validator)

    assert again.vote is Vote.CORRECT
    assert (await outcome_of(stage, example.id)).votes == 1


async def test_a_lent_example_that_wants_no_vote_any_more_says_so(stage: Stage) -> None:
    example = await stage.write()
    slow = await stage.person()
    await lent(stage, slow)
    for _ in range(3):
        await vote(stage, example.id)
    with pytest.raises(NotWaitingError, match="verdict is reached"):
        await _judge(stage, example.id, by=slow)


async def test_a_token_for_reading_takes_no_leases(stage: Stage) -> None:
    await stage.write()
    reader = replace(await stage.person(), is_read_only=True)
    with pytest.raises(ReadOnlyTokenError):
        await lent(stage, reader)
