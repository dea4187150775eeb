"""Sentences that remember what they say, from the rule that makes them to the wire."""

import copy

from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import Field

from dynabench.kit.sentences import Phrase, Sentence, TellingModel, Told, follow, recall

LEFT = Phrase(
    "cakes.left", "{count} cakes are left of {kinds}.", one="One cake is left of {kinds}."
)
WHY = Phrase("cakes.why", "There is no cake: {reasons}")
EATEN = Phrase("cakes.eaten", "{who} has eaten it.")


class Cakes(TellingModel):
    reason: str | None
    reason_told: Told | None = None
    notes: list[str] = Field(default_factory=list)
    notes_told: list[Told | None] = Field(default_factory=list)


def test_a_shape_keeps_what_its_sentences_say_and_a_client_reads_it_back() -> None:
    made = Cakes(
        reason=LEFT.say(count=1, kinds=["plum", "nut"]), notes=[EATEN.say(who="Ada"), "Oh."]
    )
    assert made.reason == "One cake is left of plum and nut."
    assert type(made.reason) is str
    assert made.reason_told == Told(
        code="cakes.left", values={"count": 1, "kinds": ["plum", "nut"]}
    )
    assert made.notes_told == [Told(code="cakes.eaten", values={"who": "Ada"}), None]
    assert Cakes.model_validate_json(made.model_dump_json()) == made
    assert Cakes.model_validate({"reason": "Who knows."}).reason_told is None


def test_a_sentence_may_hold_sentences() -> None:
    said = WHY.say(reasons=follow(EATEN.say(who="Ada"), EATEN.say(who="Ben")))
    assert said == "There is no cake: Ada has eaten it. Ben has eaten it."
    ada, ben = ({"code": "cakes.eaten", "values": {"who": who}} for who in ("Ada", "Ben"))
    assert said.told.values["reasons"] == {
        "code": "sentences.then",
        "values": {"first": ada, "second": ben},
    }


def test_a_copy_says_the_same() -> None:
    said = EATEN.say(who="Ada")
    copied = copy.deepcopy(said)
    assert copied == said
    assert copied.told == said.told


def test_what_is_changed_is_text_alone() -> None:
    assert not isinstance(EATEN.say(who="Ada") + "!", Sentence)


@given(st.text(min_size=1))
def test_a_stored_text_is_recognised_by_its_phrase(who: str) -> None:
    assume(not isinstance(recall(who, [LEFT, EATEN]), Sentence))
    kept = recall(str(EATEN.say(who=who)), [LEFT, EATEN])
    assert isinstance(kept, Sentence)
    named = int(who) if who.isascii() and who.isdigit() else who
    assert kept.told == Told(code="cakes.eaten", values={"who": named})
    assert recall(f"({who})", [LEFT, EATEN]) == f"({who})"
    assert recall(None, [EATEN]) is None


def test_a_stored_text_may_hold_another_one() -> None:
    kept = recall("There is no cake: Ada has eaten it.", [WHY, EATEN])
    assert isinstance(kept, Sentence)
    assert kept.told == WHY.say(reasons=EATEN.say(who="Ada")).told
