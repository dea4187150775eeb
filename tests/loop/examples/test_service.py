import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.assignments.schemas import NextContextRequest
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.examples.errors import (
    BudgetSpentError,
    ContrastInvalidError,
    ExampleStateError,
    NearDuplicateExampleError,
    RoundNotOpenError,
    TriesSpentError,
)
from dynabench.loop.examples.repository import ExampleRepository
from dynabench.loop.examples.schemas import ExamplePatch, ExampleRead, FlagCreate
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.errors import RoundReleasedError
from dynabench.loop.rounds.rules import pick_targets
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundBudget, RoundPlan, RoundStatus, TargetPolicy
from dynabench.loop.validations.folds.service import FoldService
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage, make_wiring, unlike_text
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG
from tests.factories.validations import outcome_of, vote

ASKING = NLI_CONFIG.replace("{type: exact_match, reference_names: [label]}", "{type: ask_user}")

EXPLAINED = NLI_CONFIG + "metadata: {create: [{name: why, type: string}]}\n"
EXPLAINED_TWICE = EXPLAINED.replace("}]", "}, {name: how, type: string}]")


def key_of(stage: Stage, key: str) -> RequestKey:
    return RequestKey.of(actor_id=stage.author.user_id, route="submit", key=key, body=b"same")


async def stored(stage: Stage) -> int:
    async with stage.db.read() as session:
        return await ExampleRepository(session).count(stage.round_.id)


async def status_of(stage: Stage) -> RoundStatus:
    await stage.wiring.get(FoldService).catch_up()
    return (await stage.wiring.get(RoundService).get(stage.round_.id)).status


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("wrong-label", "models.target_answer_invalid"),
        ("wrong-type", "models.target_answer_invalid"),
        ("silent", "models.target_answer_invalid"),
        ("dead", "models.target_unavailable"),
        ("hanging", "models.target_timeout"),
    ],
)
async def test_a_target_that_fails_makes_the_attempt_fail_and_nothing_is_stored(
    wiring: Wiring, clock: HeldClock, target: str, code: str
) -> None:
    stage = await make_stage(
        wiring,
        clock,
        targets=["parrot", target],
        plan=RoundPlan(target_policy=TargetPolicy.ANY_FOOLED),
    )

    with pytest.raises(DynabenchError) as failed:
        await stage.write()

    assert failed.value.code == code
    assert "Your text is kept" in failed.value.message
    assert failed.value.fields == {}
    assert await stored(stage) == 0


@pytest.mark.parametrize(
    ("policy", "targets", "outcome"),
    [
        (TargetPolicy.ANY_FOOLED, ["parrot", "stubborn"], "fooled"),
        (TargetPolicy.ALL_FOOLED, ["parrot", "stubborn"], "not fooled"),
        (TargetPolicy.MAJORITY, ["parrot", "stubborn"], "not fooled"),
        (TargetPolicy.MAJORITY, ["parrot", "parrot-2", "stubborn"], "fooled"),
        (TargetPolicy.ALL_FOOLED, ["parrot", "parrot-2"], "fooled"),
        (TargetPolicy.ANY_FOOLED, ["stubborn", "silent-no-more"], "fooled"),
    ],
)
async def test_the_policy_says_how_many_targets_must_fall_for_it(
    wiring: Wiring, clock: HeldClock, policy: TargetPolicy, targets: list[str], outcome: str
) -> None:
    stage = await make_stage(wiring, clock, targets=targets, plan=RoundPlan(target_policy=policy))

    example = await stage.write(fooling=True)

    assert example.fooled is (outcome == "fooled")
    assert [found.model_name for found in example.predictions] == targets
    assert [found.is_wrong for found in example.predictions] == [
        name != "stubborn" for name in targets
    ]


async def test_a_random_target_is_drawn_from_the_seed_and_recorded(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(target_policy=TargetPolicy.RANDOM, seed=11, max_tries=50)
    stage = await make_stage(wiring, clock, targets=["parrot", "stubborn"], plan=plan)
    assert stage.author.user_id is not None

    written = [await stage.write() for _ in range(12)]

    asked = [example.predictions[0].model_id for example in written]
    assert asked == [
        pick_targets(
            stage.round_,
            context_id=stage.contexts[0].id,
            annotator_id=stage.author.user_id,
            attempt_number=number,
        )[0].model_id
        for number in range(1, 13)
    ]
    assert len(set(asked)) == 2
    assert all(len(example.predictions) == 1 for example in written)


async def test_two_people_who_submit_the_same_text_at_once_store_it_once(stage: Stage) -> None:
    text = unlike_text()
    people = [await stage.person() for _ in range(5)]

    results = await asyncio.gather(
        *(stage.write(by=person, text=text) for person in people), return_exceptions=True
    )

    assert Counter(type(one) for one in results) == {ExampleRead: 1, NearDuplicateExampleError: 4}
    assert await stored(stage) == 1


async def test_two_people_who_submit_alike_texts_at_once_store_one(stage: Stage) -> None:
    text = unlike_text()
    people = [await stage.person() for _ in range(4)]

    results = await asyncio.gather(
        *(
            stage.write(by=person, text=f"{text} no{'o' * number}")
            for number, person in enumerate(people)
        ),
        return_exceptions=True,
    )

    assert Counter(type(one) for one in results) == {ExampleRead: 1, NearDuplicateExampleError: 3}
    assert await stored(stage) == 1


async def test_the_last_try_cannot_be_used_twice_by_two_clicks_at_once(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, plan=RoundPlan(max_tries=3))
    await stage.write()

    results = await asyncio.gather(*(stage.write() for _ in range(6)), return_exceptions=True)

    assert Counter(type(one) for one in results) == {ExampleRead: 2, TriesSpentError: 4}
    assert await stored(stage) == 3


async def test_a_double_click_that_arrives_at_once_is_one_example(stage: Stage) -> None:
    text, key = unlike_text(), key_of(stage, "double")

    results = await asyncio.gather(*(stage.write(text=text, key=key) for _ in range(4)))

    assert len({one.id for one in results}) == 1
    assert await stored(stage) == 1


async def test_a_round_with_one_connection_serves_many_at_once(
    database_url: str, tmp_path: Path, clock: HeldClock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock, pool_size=1)
    stage = await make_stage(wiring, clock, contexts=4)
    people = [await stage.person() for _ in range(4)]
    assignments = wiring.get(AssignmentService)

    lent = await asyncio.gather(
        *(
            assignments.next_context(stage.round_.id, NextContextRequest(), actor=person)
            for person in people
        )
    )

    assert len(lent) == 4
    await wiring.close()


async def test_a_contrast_pair_names_an_own_example_of_the_round(stage: Stage) -> None:
    own = await stage.write()
    others = await stage.write(by=await stage.person())

    pair = await stage.write(contrast_of=own.id)

    assert pair.contrast_of == own.id
    for wrong in (others.id, uuid4()):
        with pytest.raises(ContrastInvalidError) as refused:
            await stage.write(contrast_of=wrong)
        assert list(refused.value.fields) == ["contrast_of"]


async def test_a_contrast_pair_is_of_one_round(stage: Stage) -> None:
    earlier = await stage.write()
    rounds = stage.wiring.get(RoundService)
    await rounds.close_for_budget(stage.round_.id, reason="Enough.")
    plan = RoundPlan(target_model_ids=stage.round_.target_model_ids)
    later = replace(stage, round_=await make_round(stage.db, stage.task, plan=plan))

    with pytest.raises(ContrastInvalidError):
        await later.write(contrast_of=earlier.id)


async def test_the_author_says_later_whether_the_model_was_fooled(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, config=ASKING)
    examples = wiring.get(ExampleService)
    example = await stage.write()
    assert example.fooled is None

    said = await examples.change(
        example.id, ExamplePatch(user_says_fooled=True), actor=stage.author
    )

    assert said.fooled is True
    assert [found.is_wrong for found in said.predictions] == [True]
    await wiring.get(FoldService).catch_up()
    assert (await outcome_of(stage, example.id)).fooled is True
    with pytest.raises(ExampleStateError, match="already said"):
        await examples.change(example.id, ExamplePatch(user_says_fooled=False), actor=stage.author)


async def test_where_the_rule_decides_the_author_is_not_asked(stage: Stage) -> None:
    example = await stage.write()
    with pytest.raises(ExampleStateError, match="the server decides"):
        await stage.wiring.get(ExampleService).change(
            example.id, ExamplePatch(user_says_fooled=True), actor=stage.author
        )


async def test_a_round_closes_when_it_has_its_examples(wiring: Wiring, clock: HeldClock) -> None:
    plan = RoundPlan(budget=RoundBudget(examples=2))
    stage = await make_stage(wiring, clock, plan=plan)
    await stage.write()
    assert await status_of(stage) is RoundStatus.OPEN

    await stage.write()

    assert await status_of(stage) is RoundStatus.CLOSED
    with pytest.raises(RoundNotOpenError):
        await stage.write()


async def test_a_round_closes_when_enough_fooling_examples_are_verified(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(budget=RoundBudget(validated_fooling=1))
    stage = await make_stage(wiring, clock, plan=plan)
    example = await stage.write()
    for _ in range(2):
        await vote(stage, example.id)
    assert await status_of(stage) is RoundStatus.OPEN

    await vote(stage, example.id)

    assert await status_of(stage) is RoundStatus.CLOSED


async def test_a_round_closes_when_its_days_are_over(wiring: Wiring, clock: HeldClock) -> None:
    stage = await make_stage(wiring, clock, plan=RoundPlan(budget=RoundBudget(days=2)))
    await stage.write()
    clock.advance(days=2)

    with pytest.raises(BudgetSpentError):
        await stage.write()

    assert await status_of(stage) is RoundStatus.CLOSED
    assert await stored(stage) == 1


async def test_an_example_cannot_be_retracted_twice(stage: Stage) -> None:
    examples, example = stage.wiring.get(ExampleService), await stage.write()
    await examples.retract(example.id, actor=stage.author)
    with pytest.raises(ExampleStateError, match="already retracted"):
        await examples.retract(example.id, actor=stage.author)


async def test_explanations_that_arrive_at_once_are_all_kept(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, config=EXPLAINED_TWICE)
    example = await stage.write()
    examples = stage.wiring.get(ExampleService)
    said: list[dict[str, object]] = [{"why": "It says too little."}, {"how": "By leaving out."}]

    await asyncio.gather(
        *(
            examples.change(example.id, ExamplePatch(explanations=one), actor=stage.author)
            for one in said
        )
    )

    read = await examples.read(example.id, actor=stage.author)
    assert read.explanations == said[0] | said[1]


async def test_an_author_who_says_two_things_at_once_is_heard_once(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, config=ASKING)
    example = await stage.write()
    examples = stage.wiring.get(ExampleService)

    heard = await asyncio.gather(
        *(
            examples.change(example.id, ExamplePatch(user_says_fooled=word), actor=stage.author)
            for word in (True, False, True, False)
        ),
        return_exceptions=True,
    )

    refused = [one for one in heard if isinstance(one, ExampleStateError)]
    assert len(refused) == len(heard) - 1
    said = [one.fooled for one in heard if isinstance(one, ExampleRead)]
    assert [(await examples.read(example.id, actor=stage.author)).fooled] == said


async def test_nothing_of_a_released_round_is_taken_back_flagged_or_explained(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, config=EXPLAINED)
    example = await stage.write()
    await stage.release()
    examples = stage.wiring.get(ExampleService)
    explanation = ExamplePatch(explanations={"why": "It says too little."})

    for changing in (
        examples.retract(example.id, actor=stage.author),
        examples.flag(example.id, FlagCreate(reason="Its context is cut."), actor=stage.author),
        examples.change(example.id, explanation, actor=stage.author),
    ):
        with pytest.raises(RoundReleasedError, match="nothing in it changes any more"):
            await changing
    read = await examples.read(example.id, actor=stage.author)
    assert (read.retracted_at, read.flagged_at, read.explanations) == (None, None, {})


async def test_the_authors_word_comes_too_late_for_a_released_round(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_stage(wiring, clock, config=ASKING)
    example = await stage.write()
    await stage.release()
    examples = stage.wiring.get(ExampleService)

    with pytest.raises(RoundReleasedError):
        await examples.change(example.id, ExamplePatch(user_says_fooled=True), actor=stage.author)
    assert (await examples.read(example.id, actor=stage.author)).fooled is None
