"""Values are checked against their fields, and every wrong one is named with the fix."""

from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

PASSAGE = "The 🛶 ferry stopped when the bridge opened."


def wrong_fields(check: Callable[[], object]) -> dict[str, str]:
    with pytest.raises(FieldValueError) as caught:
        check()
    str(caught.value).encode()
    return caught.value.fields


def test_good_values_come_back_as_typed(nli: TaskConfig) -> None:
    assert nli.check_context({"premise": " A \n"}) == {"premise": " A \n"}
    assert nli.check_inputs({"hypothesis": "cafe\u0301"}) == {"hypothesis": "cafe\u0301"}
    assert nli.check_answer({"label": "neutral"}) == {"label": "neutral"}


def test_all_wrong_fields_are_named_at_once(nli: TaskConfig) -> None:
    wrong = wrong_fields(lambda: nli.check_inputs({"hypothsis": "x", "label": "neutral", "zz": 1}))
    assert wrong == {
        "inputs.hypothesis": "It is missing; fill it in.",
        "inputs.hypothsis": "There is no such field. Did you mean “hypothesis”?",
        "inputs.label": "It is the answer; give it under answer.",
        "inputs.zz": "There is no such field. Known are: hypothesis.",
    }


def test_the_input_is_not_the_answer(nli: TaskConfig) -> None:
    wrong = wrong_fields(lambda: nli.check_answer({"hypothesis": "x", "label": "entailment"}))
    assert wrong["answer.hypothesis"] == "It is part of the input; give it under inputs."
    assert wrong["answer.label"] == (
        "It must be one of entailed, neutral, contradictory, not the text “entailment”."
    )


@pytest.mark.parametrize("values", [None, 3, ["a"], "text"])
def test_what_is_no_mapping_is_named(nli: TaskConfig, values: object) -> None:
    wrong = wrong_fields(lambda: nli.check_inputs(cast("dict[str, object]", values)))
    assert wrong["inputs"].startswith("It must map field names to values, not ")


def test_of_very_many_unknown_fields_only_the_first_are_told(ask: TaskConfig) -> None:
    assert len(wrong_fields(lambda: ask.check_context({f"x{n}": 1 for n in range(10_000)}))) == 50


def test_nothing_is_known_where_nothing_is_asked(ask: TaskConfig) -> None:
    wrong = wrong_fields(lambda: ask.check_context({"a": 1}))
    assert wrong == {"context.a": "There is no such field."}
    assert ask.check_context({}) == {}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "It is empty; write something."),
        (" \n\t ", "It is empty; write something."),
        ("x" * 41, "It has 41 characters; at most 40 are allowed."),
        (12, "It must be text, not the number 12."),
        (True, "It must be text, not the value true."),
        (["a"], "It must be text, not a list."),
        ([], "It must be text, not an empty list."),
        ({}, "It must be text, not a mapping."),
        (object(), "It must be text, not something else."),
        ("a\x00", "It holds a NUL character (U+0000) at position 2; remove it."),
        ("a\r\n", "It holds a carriage return (U+000D) at position 2; remove it."),
        ("\x85", "It holds a control character (U+0085) at position 1; remove it."),
        ("\x7f", "It holds a control character (U+007F) at position 1; remove it."),
        ("\ud83d", "It holds half of a character (U+D83D) at position 1; remove it."),
        ("x" * 10_000_000, "It has 10000000 characters; at most 20000 are allowed."),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_with_the_fix(
    nli: TaskConfig, value: object, said: str
) -> None:
    assert wrong_fields(lambda: nli.check_inputs({"hypothesis": value})) == {
        "inputs.hypothesis": said
    }


def test_a_text_can_be_too_short(qa: TaskConfig) -> None:
    wrong = wrong_fields(lambda: qa.check_inputs({"question": " a? "}))
    assert wrong == {"inputs.question": "It has 2 characters; write at least 5."}
    wrong = wrong_fields(lambda: qa.check_inputs({"question": "a"}))
    assert wrong == {"inputs.question": "It has 1 character; write at least 5."}


def test_a_text_may_be_empty_where_the_config_says_so() -> None:
    assert StringType(min_length=0).check("  ", context=None) == "  "


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=50))
def test_a_text_is_kept_as_typed(text: str) -> None:
    if text.strip():
        assert StringType().check(text, context=None) == text


def test_texts_are_the_same_answer_after_nfc_and_trim() -> None:
    kind = StringType()
    assert kind.is_equal("caf\u00e9", " cafe\u0301\n")
    assert not kind.is_equal("a", "A")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "It must be a selection {text, start, end}, not the number 3."),
        ({"text": "ferry"}, "A selection has exactly the keys text, start and end."),
        (
            {"text": "ferry", "start": 6, "end": 11, "x": 1},
            "A selection has exactly the keys text, start and end.",
        ),
        ({"text": 3, "start": 6, "end": 11}, "It must be text, not the number 3."),
        (
            {"text": "ferry", "start": "6", "end": 11},
            "The key start must be a whole number from 0, not the text “6”.",
        ),
        (
            {"text": "ferry", "start": -6, "end": -1},
            "The key start must be a whole number from 0, not the number -6.",
        ),
        (
            {"text": "ferry", "start": True, "end": 6},
            "The key start must be a whole number from 0, not the value true.",
        ),
        (
            {"text": "ferry", "start": 6, "end": 12},
            (
                "The selection from 6 to 12 does not fit its text, which has 5 characters; "
                "select at least one word."
            ),
        ),
        (
            {"text": " ", "start": 5, "end": 6},
            (
                "The selection from 5 to 6 does not fit its text, which has 1 character; "
                "select at least one word."
            ),
        ),
        (
            {"text": "ferry", "start": 600, "end": 605},
            "The selection ends at 605, but passage has only 43 characters; select again.",
        ),
        (
            {"text": "ferry", "start": 7, "end": 12},
            (
                "passage reads “erry ” from 7 to 12, not “ferry”; "
                "count in characters (code points) and select again."
            ),
        ),
        ("boat", "These words do not stand in passage; select them there."),
        ("", "It is empty; select some words of passage."),
        ("a\x00", "It holds a NUL character (U+0000) at position 2; remove it."),
    ],
)
def test_a_selection_that_does_not_fit_is_refused_with_the_fix(
    qa: TaskConfig, value: object, said: str
) -> None:
    wrong = wrong_fields(lambda: qa.check_answer({"answer": value}, context={"passage": PASSAGE}))
    assert wrong == {"answer.answer": said}


def test_a_selection_counts_code_points(qa: TaskConfig) -> None:
    chosen = {"text": "🛶 ferry", "start": 4, "end": 11}
    context = {"passage": PASSAGE}
    assert qa.check_answer({"answer": chosen}, context=context) == {"answer": chosen}
    assert qa.check_answer({"answer": "🛶 ferry"}, context=context) == {"answer": chosen}


def test_selections_of_the_same_words_are_the_same_answer(qa: TaskConfig) -> None:
    kind = qa.field("answer").type
    assert kind.is_equal({"text": "The ferry", "start": 0, "end": 9}, "ferry")
    assert not kind.is_equal("ferry", "bridge")


def test_without_its_context_a_selection_is_checked_as_far_as_can_be(qa: TaskConfig) -> None:
    chosen = {"text": "ferry", "start": 600, "end": 605}
    assert qa.check_answer({"answer": chosen}) == {"answer": chosen}
    assert qa.check_answer({"answer": "ferry"}) == {
        "answer": {"text": "ferry", "start": 0, "end": 5}
    }


@given(st.text("ab ", min_size=1), st.data())
def test_every_slice_with_a_word_can_be_selected(passage: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(passage) - 1))
    end = data.draw(st.integers(start + 1, len(passage)))
    text = passage[start:end]
    if text.strip():
        chosen = {"text": text, "start": start, "end": end}
        assert SelectionType("passage").check(chosen, context={"passage": passage}) == chosen


def test_a_prediction_is_checked_field_by_field(nli: TaskConfig) -> None:
    checked = nli.check_prediction(
        {"label": "neutral", "prob": {"neutral": 0.75, "entailed": 0.25}, "extra": 1}
    )
    assert checked == {
        "label": "neutral",
        "prob": {"entailed": 0.25, "neutral": 0.75, "contradictory": 0},
    }
    assert nli.probabilities_of(checked) == checked["prob"]
    assert nli.probabilities_of(nli.check_prediction({"label": "neutral"})) is None


def test_one_probability_is_a_number(qa: TaskConfig, ask: TaskConfig) -> None:
    checked = qa.check_prediction(
        {"answer": "ferry", "confidence": 1}, context={"passage": PASSAGE}
    )
    assert checked["answer"] == {"text": "ferry", "start": 6, "end": 11}
    assert qa.probabilities_of(checked) == 1.0
    assert ask.probabilities_of({"reply": "x"}) is None


def test_a_missing_output_field_is_named(nli: TaskConfig) -> None:
    wrong = wrong_fields(lambda: nli.check_prediction({"labels": "neutral"}))
    assert wrong == {"outputs.label": "The model gave no such field. It gave “labels” instead."}
    wrong = wrong_fields(lambda: nli.check_prediction({}))
    assert wrong == {"outputs.label": "The model gave no such field."}


NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([0.5, 0.5], "It must map labels to probabilities, not a list."),
        ({"maybe": 1}, "“maybe” is not a label; the labels are entailed, neutral, contradictory."),
        ({"neutral": 0.9}, "The probabilities sum to 0.9; they must sum to 1."),
        ({"neutral": 1.0002}, "The probability of neutral is 1.0002; it must be from 0 to 1."),
        ({"neutral": -0.1}, "The probability of neutral is -0.1; it must be from 0 to 1."),
        (
            {"neutral": NAN},
            "The probability of neutral must be a number from 0 to 1, not the number nan.",
        ),
        (
            {"neutral": "1"},
            "The probability of neutral must be a number from 0 to 1, not the text “1”.",
        ),
        (
            {"neutral": True},
            "The probability of neutral must be a number from 0 to 1, not the value true.",
        ),
    ],
)
def test_wrong_probabilities_are_named(nli: TaskConfig, value: object, said: str) -> None:
    wrong = wrong_fields(lambda: nli.check_prediction({"label": "neutral", "prob": value}))
    assert wrong == {"outputs.prob": said}


def test_probabilities_may_miss_1_by_a_little(nli: TaskConfig) -> None:
    given_ = {"entailed": 0.33335, "neutral": 0.33335, "contradictory": 0.33335}
    assert nli.check_prediction({"label": "neutral", "prob": given_})["prob"] == given_


def test_no_choice_and_no_probability_is_text() -> None:
    assert MulticlassType(("a", "b")).text_of("a") == "a"
    assert MulticlassType(("a", "b")).is_equal("a", "a")
    assert ProbType(single_prob=True).text_of(0.5) == ""
    assert ProbType(single_prob=True).is_equal(0.5, 0.5)


def test_explanations_are_optional_and_follow_their_conditions(nli: TaskConfig) -> None:
    values = {"example_explanation": "so", "model_explanation_wrong": "  "}
    assert nli.check_metadata(values, stage="create", model_wrong=False) == {
        "example_explanation": "so"
    }
    given_ = {"model_explanation_wrong": "so"}
    assert nli.check_metadata(given_, stage="create", model_wrong=True) == given_
    assert nli.check_metadata(given_, stage="create") == given_
    wrong = wrong_fields(lambda: nli.check_metadata(given_, stage="create", model_wrong=False))
    assert "only when the model was wrong" in wrong["metadata.model_explanation_wrong"]
    given_ = {"model_explanation_right": "so"}
    wrong = wrong_fields(lambda: nli.check_metadata(given_, stage="create", model_wrong=True))
    assert "when the model was right" in wrong["metadata.model_explanation_right"]


def test_a_validators_explanations_follow_the_vote(nli: TaskConfig, qa: TaskConfig) -> None:
    given_ = {"corrected_label": "neutral", "thoughts": "hm"}
    assert nli.check_metadata(given_, stage="validate", vote="incorrect") == given_
    assert nli.check_metadata(given_, stage="validate") == given_
    wrong = wrong_fields(
        lambda: nli.check_metadata({**given_, "reason": "x"}, stage="validate", vote="correct")
    )
    assert wrong == {
        "metadata.corrected_label": "It is asked only when the vote is incorrect; leave it out.",
        "metadata.reason": "There is no such field. Did you mean “flag_reason”?",
    }
    flagged = {"flag_reason": "spam"}
    wrong = wrong_fields(lambda: nli.check_metadata(flagged, stage="validate", vote="correct"))
    assert "when the example is flagged" in wrong["metadata.flag_reason"]
    corrected = qa.check_metadata(
        {"corrected_answer": "ferry"}, stage="validate", context={"passage": PASSAGE}
    )
    assert corrected == {"corrected_answer": {"text": "ferry", "start": 6, "end": 11}}


def test_a_page_is_told_what_is_asked(nli: TaskConfig) -> None:
    asked = nli.metadata_fields("create", model_wrong=True)
    assert [one.name for one in asked] == ["example_explanation", "model_explanation_wrong"]
    asked = nli.metadata_fields("validate", vote="flagged")
    assert [one.name for one in asked] == ["flag_reason", "thoughts"]
    assert [one.name for one in nli.metadata_fields("validate")] == ["thoughts"]
