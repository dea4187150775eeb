"""Texts of rounds that are judged blind and not released: no model answers what is like them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.kit.actor import VISITOR
from dynabench.kit.wire import Values
from dynabench.loop.datasets.withheld.service import WithheldTexts
from dynabench.loop.examples.errors import DuplicateExampleError, TextWithheldError
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import TryCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan, RoundValidation, ValidationMode
from tests.conftest import HeldClock
from tests.factories.contexts import make_context
from tests.factories.datasets import make_example
from tests.factories.examples import Stage, make_stage, make_wiring, unlike_text
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG

_BLIND = RoundPlan(validation=RoundValidation(mode=ValidationMode.BLIND))
_CONFIG = NLI_CONFIG.replace(
    "  - {name: premise, type: string}\n",
    "  - {name: premise, type: string}\n"
    "  - {name: picture, type: image}\n"
    "  - {name: note, type: string, is_shown_to_model: false}\n",
)


@pytest.fixture
async def stage(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Stage]:
    wiring = make_wiring(database_url, tmp_path, clock)
    yield await make_stage(wiring, clock, plan=_BLIND)
    await wiring.close()


async def _next_round(stage: Stage, clock: HeldClock) -> None:
    """Close the round and open another one."""
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    plan = RoundPlan(target_model_ids=stage.round_.target_model_ids)
    stage.round_ = await make_round(stage.db, stage.task, plan=plan, clock=clock)
    clock.advance(seconds=6)


async def test_a_later_round_s_attempts_are_kept_from_others_texts(
    stage: Stage, clock: HeldClock
) -> None:
    text = unlike_text()
    await stage.write(text=text)
    await _next_round(stage, clock)
    other = await stage.person()
    for copied in (text, f"{text}!"):
        with pytest.raises(TextWithheldError) as refused:
            await stage.write(text=copied, by=other)
        assert refused.value.facts == {}
    await stage.write(by=other)


async def test_an_author_s_own_text_is_judged_as_within_its_round(
    stage: Stage, clock: HeldClock
) -> None:
    text = unlike_text()
    await stage.write(text=text, label="neutral")
    await _next_round(stage, clock)
    with pytest.raises(DuplicateExampleError):
        await stage.write(text=text, label="neutral")
    assert (await stage.write(text=text, label="entailment")).predictions


async def test_a_round_s_own_texts_are_left_to_the_check_for_copies(stage: Stage) -> None:
    text = unlike_text()
    await stage.write(text=text, label="neutral")
    assert (await stage.write(text=text, label="entailment")).predictions
    with pytest.raises(TextWithheldError):
        await stage.wiring.get(SandboxService).try_out(
            stage.task.slug,
            TryCreate.model_validate(
                {
                    "context_id": stage.contexts[0].id,
                    "inputs": {"hypothesis": text},
                    "answer": {"label": "neutral"},
                }
            ),
            actor=VISITOR,
        )


def _about(picture: str, *, alt: str = "", note: str = "Look up.") -> Values:
    return {"premise": "A dog.", "picture": {"media": picture * 64, "alt": alt}, "note": note}


async def test_about_a_picture_nothing_else_of_the_context_makes_a_text_answerable(
    database_url: str, tmp_path: Path, clock: HeldClock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock)
    stage = await make_stage(wiring, clock, plan=_BLIND, config=_CONFIG, contexts=0)
    context = await make_context(stage.db, stage.task, content=_about("a"), clock=clock)
    text = unlike_text()
    await make_example(
        stage.db,
        stage.round_,
        context_id=context.id,
        author=stage.author,
        answer={"label": "neutral"},
        inputs={"hypothesis": text},
        clock=clock,
    )
    withheld = WithheldTexts(db=stage.db, clock=clock)
    found = [
        await withheld.is_withheld(
            stage.task.id, config=stage.task.config, context=one, inputs={"hypothesis": text}
        )
        for one in (
            _about("a"),
            _about("a", note=unlike_text()),
            _about("a", alt="A dog"),
            _about("b"),
        )
    ]
    assert found == [True, True, True, False]
    await wiring.close()
