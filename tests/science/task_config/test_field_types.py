"""The stored form of every type of field that is neither a text nor one choice."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import FieldValueError, UnusableValueError
from tests.science.task_config.conftest import EVERY_TYPE

TAGS = MultilabelType(("red", "green", "blue"))
SPANS = SpansType("text", labels=("who", "where"))
DIGEST = "a" * 64
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "start", "end", "label", "media", "url", "alt", "candidates"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def refused(kind: FieldType, value: object, text: str | None = None) -> str:
    with pytest.raises(UnusableValueError) as caught:
        kind.check(value, context=None if text is None else {"text": text})
    return caught.value.sentence


def turn(**changes: Any) -> dict[str, Any]:
    replies = [{"model": "A", "text": "Yes.", "rating": 4}, {"model": "B", "text": "No."}]
    return {"text": "Is it?", "candidates": replies, "choice": "1", **changes}


def test_labels_are_kept_in_the_order_of_the_config_each_once() -> None:
    assert TAGS.check(["blue", "red", "blue"], context=None) == ["red", "blue"]
    assert TAGS.check([], context=None) == []
    assert TAGS.is_equal(["red", "blue"], ["blue", "red"])
    assert not TAGS.is_equal([], ["red"])
    assert TAGS.text_of(["red", "blue"]) == "red, blue"
    assert refused(TAGS, "red").startswith("It must be a list of labels")
    assert refused(TAGS, [["red"]]) == ("Each of them must be one of red, green, blue, not a list.")


def test_spans_are_sorted_and_unique_and_may_overlap() -> None:
    who = {"text": "ab", "start": 0, "end": 2, "label": "who"}
    where = {"text": "bc", "start": 1, "end": 3, "label": "where"}
    again = {"text": "ab", "start": 0, "end": 2, "label": "where"}
    checked = SPANS.check([where, who, again, who], context={"text": "abc"})
    assert checked == [again, who, where]
    assert SPANS.check([], context={"text": "abc"}) == []
    assert SPANS.text_of(checked) == "ab; ab; bc"
    assert SPANS.is_equal(checked, [who, where, again])
    assert not SPANS.is_equal(checked, [who, where])


def test_a_span_that_does_not_fit_is_refused_with_the_fix() -> None:
    span = {"text": "ab", "start": 0, "end": 2, "label": "who"}
    assert "text reads “cd” from 0 to 2" in refused(SPANS, [span], "cdab")
    assert "must be one of who, where" in refused(SPANS, [{**span, "label": "when"}], "ab")
    assert "exactly the keys text, start, end and label" in refused(SPANS, [{"text": "ab"}], "ab")
    assert refused(SPANS, [span] * 501) == "It marks 501 places; at most 500 can be."
    assert refused(SPANS, span).startswith("It must be a list of spans")
    assert refused(SPANS, ["ab"]).startswith("Each of them must be a span")
    bare = SpansType("text", multiple=False)
    assert "exactly the keys text, start and end" in refused(bare, [span], "ab")
    assert refused(bare, [span, span]) == "It marks 2 places; at most 1 can be."


@given(st.text("ab ", min_size=1), st.data())
def test_any_marked_places_come_back_as_a_set(passage: str, data: st.DataObject) -> None:
    edges = data.draw(st.lists(st.tuples(*[st.integers(0, len(passage))] * 2), max_size=6))
    spans = [
        {"text": passage[start:end], "start": start, "end": end, "label": "who"}
        for start, end in edges
        if passage[start:end].strip()
    ]
    once = SPANS.check(spans, context={"text": passage})
    assert once == SPANS.check(spans[::-1], context={"text": passage})
    assert SPANS.check(once, context={"text": passage}) == once
    assert SPANS.is_equal(once, spans)


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        (NumberType(), 3.0, 3),
        (NumberType(), -0.0, 0),
        (NumberType(step=0.1), 0.30000000000000004, 0.3),
        (NumberType(min=0.5, step=0.25), 1, 1),
        (NumberType(min=1, max=9, step=2), 9, 9),
        (NumberType(step=1), 10**15, 10**15),
        (RatingType(), 5, 5),
        (RatingType(min=0, max=1, step=0.5), 0.5, 0.5),
        (RatingType(not_applicable=True), "not_applicable", "not_applicable"),
    ],
)
def test_a_number_is_put_on_its_step(kind: FieldType, value: object, stored: object) -> None:
    checked = kind.check(value, context=None)
    assert checked == stored
    assert type(checked) is type(stored)
    assert kind.is_equal(checked, stored)
    assert kind.text_of(checked) == str(stored)


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (NumberType(), "3", "It must be a number, not the text “3”."),
        (NumberType(), True, "It must be a number, not the value true."),
        (NumberType(), float("nan"), "It must be a number, not the number nan."),
        (NumberType(), 10**16, "It is beyond 1000000000000000; write a smaller number."),
        (RatingType(), {}, "It must be a number, not a mapping."),
        (NumberType(min=2), 1, "It is 1; write at least 2."),
        (NumberType(max=2), 2.5, "It is 2.5; write at most 2."),
        (
            NumberType(min=1, step=0.5),
            1.3,
            "It is 1.3, which is not a step of 0.5 from 1; write 1 or 1.5.",
        ),
        (RatingType(), "not_applicable", "This question always applies; choose a rating."),
        (RatingType(), 0, "It is 0; write at least 1."),
    ],
)
def test_a_number_off_its_scale_is_refused_with_the_fix(
    kind: FieldType, value: object, said: str
) -> None:
    assert refused(kind, value) == said


@given(st.integers(-1000, 1000), st.sampled_from([0.1, 0.25, 0.001, 3, 7.5]))
def test_every_step_is_accepted_and_stays_as_it_is(count: int, step: float) -> None:
    kind = NumberType(step=step)
    checked = kind.check(count * step, context=None)
    assert kind.check(checked, context=None) == checked
    assert checked == pytest.approx(count * step)


def test_a_number_of_thousands_of_digits_is_named_without_writing_it_out() -> None:
    assert refused(NumberType(), 10**5000).startswith("It is beyond")
    assert refused(TAGS, [10**5000]).endswith("not a very large number.")


def test_a_stored_file_is_its_digest() -> None:
    picture, sound = ImageType(), AudioType()
    stored = {"media": DIGEST, "alt": "A map"}
    assert picture.check(stored, context=None) == stored
    assert picture.check({"media": DIGEST}, context=None) == {"media": DIGEST, "alt": ""}
    assert sound.check({"media": DIGEST}, context=None) == {"media": DIGEST}
    assert picture.is_equal(stored, {"media": DIGEST, "alt": ""})
    assert picture.text_of(stored) == sound.text_of({"media": DIGEST}) == ""


def test_an_address_is_told_from_a_stored_file_and_from_neither() -> None:
    address = {"url": "https://example.org/a.png", "alt": "A map"}
    assert ImageType().is_reference(address)
    assert not ImageType().is_reference({"media": DIGEST})
    assert refused(ImageType(), address) == "It is still an address; upload the picture first."
    assert refused(AudioType(), address).endswith("with the keys media or url, and no others.")
    for url in ("http://example.org/a", "https://" + "a" * 3000, "https://a\n", 3, None):
        assert "begins with https://" in refused(ImageType(), {"url": url})
    for value in (DIGEST, {}, {"media": DIGEST, "url": "https://a"}, {"media": DIGEST, "x": 1}):
        assert refused(ImageType(), value).startswith("It must be a picture")
    assert "SHA-256" in refused(ImageType(), {"media": "A" * 64})
    assert "at most 2000" in refused(ImageType(), {"media": DIGEST, "alt": "x" * 2001})


def test_a_conversation_is_kept_turn_by_turn() -> None:
    kind = ChatType(candidates=2)
    checked = kind.check([turn(model_ids=["1", "2"]), turn(choice="tie")], context=None)
    assert isinstance(checked, list)
    assert checked[0]["candidates"][1] == {"model": "B", "text": "No.", "rating": None}
    assert kind.check(checked, context=None) == checked
    assert kind.text_of(checked) == "Is it?\nIs it?"
    assert kind.is_equal(checked, [turn(), turn()])
    assert not kind.is_equal(checked, [turn()])


def test_a_conversations_id_is_told_from_its_turns() -> None:
    reference = {"chat": "6f1c2d3e-0000-4000-8000-000000000000"}
    assert ChatType().is_reference(reference)
    assert not ChatType().is_reference([])
    assert refused(ChatType(), reference).startswith("It names a conversation")
    for value in ("hi", {"chat": "1"}, {"chat": 1}, {**reference, "x": 1}):
        assert refused(ChatType(), value).startswith("It must be a conversation {chat}")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"text": " "}, "Turn 1: Its text is empty."),
        ({"candidates": []}, "Turn 1: It must have 1 to 2 candidates."),
        ({"candidates": ["Yes."]}, "Turn 1: A candidate must be a mapping with a text, not"),
        ({"candidates": [{"text": "Yes.", "model": "B"}]}, "must be the letter A"),
        ({"candidates": [{"text": "Yes.", "rating": 6}]}, "whole number from 1 to 5"),
        ({"candidates": [{"text": "Yes.", "rating": True}]}, "whole number from 1 to 5"),
        ({"candidates": [{"text": 5}]}, "must be text"),
        ({"choice": "2"}, "Its choice must be one of 0, 1, tie, all_bad, or null."),
        ({"choice": 1}, "Its choice must be one of"),
        ({"model_ids": ["1"]}, "one id for each candidate"),
        ({"note": "x"}, "The keys here are text, candidates, choice, model_ids"),
    ],
)
def test_a_broken_turn_is_named(changes: dict[str, object], said: str) -> None:
    assert said in refused(ChatType(candidates=2), [turn(**changes)])


def test_a_conversation_has_as_many_turns_as_the_config_says() -> None:
    kind = ChatType(min_turns=2, max_turns=3, candidates=2)
    assert refused(kind, [turn()]) == "It has 1 turns; 2 to 3 are allowed."
    assert "Turn 2: It must be a mapping" in refused(kind, [turn(), "x"])


def test_probabilities_about_several_labels_need_not_sum_to_one() -> None:
    kind = ProbType(reference_name="tags", labels=("red", "green"), is_one_of=False)
    assert kind.check({"red": 0.9, "green": 0.8}, context=None) == {"red": 0.9, "green": 0.8}


@given(
    st.sampled_from(
        [TAGS, SPANS, NumberType(step=0.5), RatingType(), ImageType(), AudioType(), ChatType()]
    ),
    JSON,
)
def test_any_value_is_kept_or_refused_with_a_sentence(kind: FieldType, value: object) -> None:
    try:
        checked = kind.check(value, context={"text": "ab"})
    except UnusableValueError as problem:
        checked = None
        sentence = problem.sentence
    else:
        sentence = kind.text_of(checked) + "."
        assert kind.check(checked, context={"text": "ab"}) == checked
        assert kind.is_equal(checked, checked)
    assert sentence.endswith(".")


EVERY = load_task_config(EVERY_TYPE)
GIVEN = st.dictionaries(
    st.sampled_from(
        [one.name for one in (*EVERY.context, *EVERY.input, *EVERY.output)] + ["shot", "fit", ""]
    ),
    JSON | st.just("a") | st.just(["red", "green"]) | st.integers(-3, 3) | st.just([turn()] * 2),
    max_size=8,
)


@given(GIVEN)
def test_whatever_is_given_for_any_field_is_stored_or_refused_by_its_name(
    values: dict[str, object],
) -> None:
    checks: list[Callable[[], dict[str, object]]] = [
        lambda: EVERY.check_context(values),
        lambda: EVERY.check_inputs(values, context={"passage": "ab"}),
        lambda: EVERY.check_answer(values, context={"passage": "ab"}),
        lambda: EVERY.check_prediction(values, context={"passage": "ab"}),
        lambda: EVERY.check_metadata(values, stage="create"),
        lambda: EVERY.check_metadata(values, stage="validate", vote="correct"),
    ]
    for check in checks:
        try:
            stored = check()
        except FieldValueError as error:
            told = error.fields
        else:
            told = {"stored": "."}
            assert json.loads(json.dumps(stored)) == stored
        assert all(sentence.endswith((".", "?")) for sentence in told.values()), told
