"""The check for duplicates: what an author is told of their own examples and of others'."""

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.app.wiring import Wiring
from dynabench.loop.examples.errors import DuplicateExampleError, NearDuplicateExampleError
from dynabench.loop.examples.rules import Author, compared_text, refuse_duplicates
from dynabench.loop.examples.values import Resemblance
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan
from tests.conftest import HeldClock
from tests.factories.examples import LABELS, Stage, make_stage, unlike_text
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG

_ME, _OTHER, _HERE, _THERE = uuid4(), uuid4(), uuid4(), uuid4()
_AUTHOR = Author(annotator_id=_ME, context_id=_HERE)


def _found(text: str, *, by: UUID = _OTHER, on: UUID = _HERE, is_same: bool = False) -> Resemblance:
    return Resemblance(
        example_id=uuid4(),
        annotator_id=by,
        context_id=on,
        inputs={"hypothesis": text},
        is_same=is_same,
    )


def _refusal(text: str, *candidates: Resemblance) -> NearDuplicateExampleError:
    with pytest.raises(NearDuplicateExampleError) as refused:
        refuse_duplicates({"hypothesis": text}, author=_AUTHOR, candidates=candidates)
    return refused.value


@given(text=st.text(min_size=1), place=st.sampled_from([_HERE, _THERE]))
def test_another_persons_text_is_refused_alike_whatever_its_answer(text: str, place: UUID) -> None:
    same = _refusal(text, _found(text, on=place, is_same=True))
    other = _refusal(text, _found(text, on=place, is_same=False))
    assert (same.message, same.facts) == (other.message, other.facts)
    assert same.facts == {}


def test_a_text_copied_with_look_alike_letters_is_refused() -> None:
    cyrillic = str.maketrans("aceopxy", "\u0430\u0441\u0435\u043e\u0440\u0445\u0443")
    text = "Every copy of a peace accord is kept on paper."
    copied = text.translate(cyrillic)
    assert copied != text
    assert _refusal(copied, _found(text)).facts == {}


def test_an_own_text_is_shown_with_its_id() -> None:
    own = _found("The dog slept on the sofa.", by=_ME, on=_THERE)
    refused = _refusal("The dog slept on the sofa!", own)
    assert refused.facts["resembles"] == str(own.example_id)
    assert "The dog slept" in refused.message


def test_the_very_same_of_ones_own_is_a_duplicate_although_others_wrote_it_too() -> None:
    text = "The dog slept on the sofa."
    own = _found(text, by=_ME, is_same=True)
    with pytest.raises(DuplicateExampleError) as refused:
        refuse_duplicates(
            {"hypothesis": text}, author=_AUTHOR, candidates=[_found(text, is_same=True), own]
        )
    assert refused.value.facts["resembles"] == str(own.example_id)


def _picture(digest: str, *, alt: str) -> dict[str, object]:
    return {"picture": {"media": digest, "alt": alt}}


def test_inputs_without_a_text_are_like_the_very_same_only() -> None:
    one, other = "a" * 64, "b" * 64
    digest = compared_text(_picture(one, alt="x"))
    assert digest == compared_text(_picture(one, alt="y"))
    assert digest != compared_text(_picture(other, alt="x"))
    assert compared_text({}) == ""


async def test_every_label_on_another_persons_text_is_refused_with_one_sentence(
    stage: Stage,
) -> None:
    text = unlike_text()
    await stage.write(text=text, label="neutral")
    reader = await stage.person()
    told = set()
    for label in LABELS:
        with pytest.raises(NearDuplicateExampleError) as refused:
            await stage.write(text=text, label=label, by=reader)
        told.add((refused.value.code, refused.value.message, str(refused.value.facts)))
    assert len(told) == 1
    assert text not in str(told)


async def test_a_copy_of_another_unreleased_round_is_refused_as_within_the_round(
    stage: Stage, clock: HeldClock
) -> None:
    text = unlike_text()
    await stage.write(text=text, label="neutral")
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    earlier = stage.round_
    plan = RoundPlan(target_model_ids=earlier.target_model_ids)
    stage.round_ = await make_round(stage.db, stage.task, plan=plan, clock=clock)
    clock.advance(seconds=6)
    other = await stage.person()
    for copied, label in ((text, "neutral"), (f"{text}!", "entailment")):
        with pytest.raises(NearDuplicateExampleError) as refused:
            await stage.write(text=copied, label=label, by=other)
        assert refused.value.facts == {}
        assert text not in refused.value.message
    with pytest.raises(DuplicateExampleError) as own:
        await stage.write(text=text, label="neutral")
    assert own.value.facts["text"] == text
    with pytest.raises(NearDuplicateExampleError):
        await stage.write(text=text, label="entailment", context=stage.contexts[1])
    async with stage.db.transaction() as session:
        await stage.wiring.get(RoundService).mark_released(session, earlier.id)
    clock.advance(seconds=6)
    assert (await stage.write(text=text, by=other)).predictions


async def test_what_only_people_see_makes_no_copy_another_text(
    wiring: Wiring, clock: HeldClock
) -> None:
    config = NLI_CONFIG.replace(
        "input:\n", "input:\n  - {name: source, type: string, is_shown_to_model: false}\n"
    )
    stage = await make_stage(wiring, clock, config=config)
    text = unlike_text()
    await stage.write(text=text, more={"source": "My own garden."})
    noise = {"source": unlike_text()}
    with pytest.raises(NearDuplicateExampleError):
        await stage.write(text=text, more=noise, by=await stage.person())
    with pytest.raises(DuplicateExampleError):
        await stage.write(text=text, more=noise)
