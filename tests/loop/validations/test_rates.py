"""How sure a round's error rates are, what they divide by, and when nothing tells."""

from importlib import import_module
from uuid import UUID

from sqlalchemy import text

from dynabench.app.verify import verify
from dynabench.kit.actor import VISITOR
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import error_rates, is_one_person
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.values import Vote
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
