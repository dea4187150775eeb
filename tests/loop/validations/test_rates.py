"""How sure a round's error rates are, what they divide by, and when nothing tells."""

from dataclasses import replace
from importlib import import_module
from uuid import UUID

import pytest
from sqlalchemy import text

from dynabench.app.verify import verify
from dynabench.kit.actor import VISITOR
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import alone, error_rates, is_one_person, votes_missing
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.values import Vote
from dynabench.science.statistics.rates import Rate, wilson
from tests.factories.examples import Stage
from tests.factories.validations import vote

revision = import_module("dynabench.migrations.versions.0009_flagged_are_counted")

_TEN = Tally(collected=10, fooled=3, verified_fooled=2)
_NOTHING = Tally(retracted=1)


def test_few_people_who_differ_give_a_wide_interval() -> None:
    found = error_rates([Tally(collected=20, fooled=one) for one in (0, 2, 14)])

    interval = found.model_error_rate.interval
    assert interval is not None
    assert interval.method == "beta_binomial"
    # Wilson's interval of 16 of 60 is 17 to 39 %: people are three, not sixty.
    assert interval.high - interval.low > 0.4
    assert found.macro_model_error_rate is not None


def test_one_person_gives_no_interval() -> None:
    found = error_rates([_TEN, _NOTHING])

    assert found.model_error_rate.rate.value == 0.3
    assert found.model_error_rate.interval is None
    assert found.validated_model_error_rate.interval is None
    assert is_one_person([_TEN, _NOTHING])
    assert not is_one_person([_TEN, _TEN])
    assert not is_one_person([_NOTHING])


def test_what_waits_for_votes_may_still_be_verified_or_not() -> None:
    """Half a round's votes say nothing of the other half: the interval holds both ends."""
    people = [Tally(collected=40, fooled=20, verified_fooled=2, pending=16)] * 10
    settled = [
        replace(one, verified_fooled=found, pending=0) for one in people for found in (2, 18)
    ]

    found = error_rates(people).validated_model_error_rate

    assert found.rate == Rate(20, 400)
    assert found.interval is not None
    for none_or_all in (settled[::2], settled[1::2]):
        after = error_rates(none_or_all).validated_model_error_rate.interval
        assert after is not None
        assert found.interval.low <= after.low
        assert after.high <= found.interval.high


def test_only_missing_votes_can_change_a_rate() -> None:
    # Three fooled and one of them is verified, so no more than two of the four may follow.
    assert votes_missing(Tally(collected=9, fooled=3, verified_fooled=1, pending=4)) == 2
    assert votes_missing(Tally(collected=9, fooled=3, verified_fooled=1, disputed=2)) == 0
    # Where validators make the gold, nobody knows yet whether these fooled.
    undecided = Tally(collected=9, undecided=5, pending=3)
    assert votes_missing(undecided) == 3
    interval = error_rates([undecided] * 5).model_error_rate.interval
    assert interval is not None
    assert interval.high > 3 / 9
    one = alone(Rate(1, 9), highest=Rate(4, 9))
    assert one.interval is not None
    assert one.interval.high == pytest.approx(wilson_high(Rate(4, 9)))


def wilson_high(rate: Rate) -> float:
    found = wilson(rate)
    assert found is not None
    return found.high


def test_people_unknown_give_no_interval() -> None:
    found = error_rates([_TEN, _TEN], people_are_known=False)

    assert found.model_error_rate.rate.value == 0.3
    assert found.model_error_rate.interval is None
    assert found.macro_model_error_rate is None


async def test_what_validators_flag_stays_in_the_whole(stage: Stage) -> None:
    """Only what fools is validated: leaving flagged examples out would raise vMER."""
    flagged = await stage.write(by=await stage.person())
    right = await stage.write(by=await stage.person())
    taken_back = await stage.write()
    for _ in range(2):
        await stage.write(fooling=False, by=await stage.person())
    for _ in range(3):
        for example in (flagged, right, taken_back):
            await vote(stage, example.id, Vote.CORRECT if example is right else Vote.FLAGGED)
    await stage.wiring.get(ExampleService).retract(taken_back.id, actor=stage.author)

    rates = await stage.wiring.get(ErrorRateService).of_round(stage.round_.id, actor=VISITOR)

    assert (rates.collected, rates.fooled, rates.verified_fooled) == (5, 2, 1)
    assert (rates.flagged, rates.retracted, rates.pending) == (2, 0, 0)
    assert rates.model_error_rate.value == 2 / 5
    assert rates.validated_model_error_rate.value == 1 / 5
    assert await verify(stage.wiring) == []
    assert sum((await recounted(stage)).values(), start=Tally()).collected == 5


async def recounted(stage: Stage) -> dict[UUID, Tally]:
    async with stage.db.read() as session:
        return await stage.wiring.get(FoldService).recounted(session, stage.round_.id)


async def test_counts_kept_before_flagged_ones_counted_are_brought_up(stage: Stage) -> None:
    flagged = await stage.write()
    for _ in range(3):
        await vote(stage, flagged.id, Vote.FLAGGED)
    assert await verify(stage.wiring) == []
    async with stage.db.transaction() as session:
        await session.execute(text(revision.MOVED.format(sign="-")))
    assert len(await verify(stage.wiring)) == 1

    async with stage.db.transaction() as session:
        await session.execute(text(revision.MOVED.format(sign="+")))

    assert await verify(stage.wiring) == []
