"""Votes on conversations that were held with several models."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from dynabench.kit.clock import Clock
from dynabench.loop.chats.schemas import TurnPut
from dynabench.loop.chats.values import Choice
from dynabench.loop.examples.answering.service import is_judged_right
from dynabench.loop.examples.schemas import ExampleCreate
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.values import (
    GoldFrom,
    RoundPlan,
    RoundValidation,
    TargetPolicy,
    ValidationMode,
)
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.schemas import ValidationCreate
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import Verdict
from tests.factories.chats import SIDE_BY_SIDE, ChatStage, make_chat_stage, make_talking_wiring
from tests.factories.people import make_user

_MOODS = (
    SIDE_BY_SIDE.replace(
        "output:", "  - {name: mood, type: multiclass, labels: [glad, sad]}\noutput:"
    )
    .replace("type: string}\nmodel_wrong", "type: string}\n  - {name: mood}\nmodel_wrong")
    .replace("{type: ask_user}", "{type: exact_match, reference_names: [mood]}")
)


@pytest.fixture
async def stage(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[ChatStage]:
    """A round that asks one target, whose conversations two of them hold."""
    wiring = make_talking_wiring(database_url, tmp_path, clock)
    rule = RoundValidation(mode=ValidationMode.BLIND, gold_from=GoldFrom.VALIDATORS, quorum=2)
    plan = RoundPlan(target_policy=TargetPolicy.RANDOM, validation=rule)
    yield await make_chat_stage(
        wiring, clock, config=_MOODS, targets=("glad", "glad-too"), plan=plan
    )
    await wiring.close()


async def _example(stage: ChatStage) -> UUID:
    chat = await stage.begin()
    for number, text in enumerate(("I won.", "Are you glad?"), start=1):
        await stage.say(chat.id, text)
        chosen = TurnPut(choice=Choice.SECOND)
        await stage.chats.choose(chat.id, number, chosen, actor=stage.author)
    body = ExampleCreate(
        context_id=stage.context.id,
        inputs={"dialogue": {"chat": str(chat.id)}},
        answer={"mood": "sad"},
    )
    examples = stage.wiring.get(ExampleService)
    return (await examples.submit(stage.round_.id, body, actor=stage.author, key=None)).id


async def test_validators_are_not_told_which_model_is_which_candidate(stage: ChatStage) -> None:
    example_id = await _example(stage)
    validator = await make_user(stage.db, clock=stage.clock)

    lent = await stage.wiring.get(ValidationService).next_items(
        stage.round_.id, count=1, actor=validator
    )
    dialogue = lent.items[0].inputs["dialogue"]
    assert isinstance(dialogue, list)
    assert [set(turn) for turn in dialogue] == [{"text", "candidates", "choice"}] * 2
    async with stage.db.read() as session:
        kept = await stage.wiring.get(ExampleService).get(session, example_id)
    assert isinstance(kept.inputs["dialogue"], list)
    assert all(len(turn["model_ids"]) == 2 for turn in kept.inputs["dialogue"])


async def test_validators_decide_whether_one_of_several_candidates_was_fooled(
    stage: ChatStage,
) -> None:
    example_id = await _example(stage)
    for _ in range(2):
        validator = await make_user(stage.db, clock=stage.clock)
        validations = stage.wiring.get(ValidationService)
        await validations.next_items(stage.round_.id, count=1, actor=validator)
        await validations.vote(
            example_id, ValidationCreate(answer={"mood": "sad"}), actor=validator, key=None
        )

    outcomes = stage.wiring.get(OutcomeService)
    async with stage.db.read() as session:
        outcome = (await outcomes.get_many(session, [example_id]))[example_id]
        kept = await stage.wiring.get(ExampleService).get(session, example_id)
        assert await outcomes.mismatches(session, [example_id]) == []
    assert (outcome.verdict, outcome.gold, outcome.fooled) == (
        Verdict.CORRECT,
        {"mood": "sad"},
        True,
    )
    assert is_judged_right(kept, config=stage.task.config, policy=TargetPolicy.RANDOM)
