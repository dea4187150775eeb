"""What the later and the earliest shape become, and what is said of the rest."""

import json

import pytest

from dynabench.science.task_config.conversion.convert import Conversion, convert
from dynabench.science.task_config.conversion.shapes import Shape
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

LABELLING = """\
aggregation_metric:
  type: dynascore
content_warning: "Rude: words - and 100 %!"
goal:
  type: multioptions
  options: [rude, polite]
  field_name_for_the_model: label
context:
  type: plain-text
  field_names_for_the_model: {context: premise}
user_input:
- type: text
  placeholder: Your statement
  field_name_for_the_model: hypothesis
- type: radio-button-options
  instructions: How sure are you?
  options: ["1", "2", 3]
  field_name_for_the_model: how sure
  metadata: true
model_input: {context: premise, statement: hypothesis}
response_fields: {input_by_user: hypothesis}
required_fields: [label]
cast_output: {rude: 0, polite: 1}
delta_metrics: [{type: fairness}, {type: robustness, perturb_fields: [hypothesis]}]
metadata:
  validate:
  - name: corrected
    type: multiclass
    labels: [rude, polite]
    validated_label_condition: incorrect
output:
- name: label
- {name: prob, reference_name: label, type: prob}
model_output: {model_prediction_label: label}
model_evaluation_metric: {metric_name: exact_match}
perf_metric: {reference_name: label, type: macro_f1}
creation_samples_title: "Find what fools it"
"""

READING = """\
goal: {type: plain-text, text: "Ask, then mark the answer."}
goal_message: Ask.
context:
  type: selectable-text
  field_names_for_the_model: {context: context, answer: label}
user_input: [{type: text, placeholder: Your question, field_name_for_the_model: question}]
model_input: {question: question, context: context}
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
output: [{name: answer}, {name: conf, type: prob, single_prob: true}]
perf_metric: {type: squad_f1, reference_name: answer}
model_output: {model_prediction_label: answer}
"""

TALKING = """\
context:
  type: evaluate-texts-generative
  generative_context:
    is_generative: true
    type: assistants
    artifacts:
      number_of_samples: 6
      num_interactions_chatbot: 12
      options_slider: [worst, best]
      providers: {one: {model_name: small}}
      general_instruction: Talk with it
      user_input:
        type: radio-button-options
        options: [free, guided]
        instructions: What kind of talk?
        field_name_for_the_model: category
  field_names_for_the_model: {best_answer: best_answer}
user_input:
- type: simple-slider
  instructions: All in all
  options_slider: ["1", "7"]
  field_name_for_the_model: overall
  show_na_checkbox: true
  metadata: true
- type: multioptions
  instructions: What was it about?
  options: [sport, work, food]
  field_name_for_the_model: topics
"""

TAGGING = """\
context:
  type: select-multiple-text-multiple-tags
  generative_context:
    is_generative: false
    artifacts:
      tags: [{display_label: Deutsch, back_label: de}, {display_label: fr, back_label: fr}]
user_input: []
perf_metric: {type: exact_match, reference_name: spans}
model_output: {model_prediction_label: spans}
model_evaluation_metric: {metric_name: exact_match}
"""

EARLIEST = """\
{"model_wrong_metric": {"type": "exact_match", "constructor_args": {"reference_names": ["label"]}},
 "aggregation_metric": {"type": "dynascore", "constructor_args": {}},
 "perf_metric": {"type": "macro_f1", "constructor_args": {"reference_name": "label"}},
 "delta_metrics": [{"type": "fairness", "constructor_args": {}}],
 "context": [{"name": "context", "type": "string",
              "constructor_args": {"placeholder": "Where it is said"}}],
 "input": [{"name": "statement", "type": "string", "constructor_args": {}},
           {"name": "label", "type": "target_label",
            "constructor_args": {"labels": ["rude", "polite"]}}],
 "output": [{"name": "label", "type": "target_label",
             "constructor_args": {"labels": ["rude", "polite"]}},
            {"name": "prob", "type": "multiclass_probs",
             "constructor_args": {"reference_name": "label"}}],
 "metadata": {"create": [], "validate": []}}
"""


def loaded(conversion: Conversion) -> TaskConfig:
    assert conversion.config_text is not None, [str(note) for note in conversion.notes]
    return load_task_config(conversion.config_text)


def told(conversion: Conversion) -> dict[str, str]:
    return {note.path: str(note) for note in conversion.notes}


def test_a_goal_with_options_becomes_the_answer() -> None:
    config = loaded(convert(LABELLING))
    assert config.gold_names == ("label",)
    assert config.model_input_names == ("premise", "hypothesis")
    assert config.gold_fields[0].type == MulticlassType(("rude", "polite"), as_goal_message=True)
    assert config.text(config.content_warning) == "Rude: words - and 100 %!"
    assert config.text(config.description) == "Find what fools it"
    assert config.written_fields[0].placeholder == "Your statement"
    assert [one.name for one in config.create_metadata] == ["how_sure"]
    assert [one.name for one in config.validate_metadata] == ["corrected"]
    assert config.delta_metrics[1].perturb_fields == ("hypothesis",)


def test_what_could_not_be_carried_over_is_told_with_its_place() -> None:
    notes = told(convert(LABELLING))
    assert set(notes) == {
        "context.field_names_for_the_model",
        "user_input[1].field_name_for_the_model",
        "user_input[1].options[2]",
        "model_input.context",
        "model_input.statement",
        "required_fields",
        "cast_output",
    }
    assert "line 10" in notes["context.field_names_for_the_model"]
    assert "“rude” for “0”" in notes["cast_output"]
    assert "also hypothesis" in notes["required_fields"]


def test_an_answer_with_two_names_gets_one() -> None:
    conversion = convert(READING)
    config = loaded(conversion)
    assert config.gold_names == ("answer",)
    assert [one.name for one in config.input] == ["question", "answer"]
    assert config.text(config.goal_message) == "Ask, then mark the answer."
    assert config.model_wrong_metric.threshold == 0.4
    assert set(told(conversion)) == {"goal.text", "model_output"}


def test_what_refers_to_a_renamed_answer_follows_it() -> None:
    text = LABELLING.replace("model_prediction_label: label", "model_prediction_label: verdict")
    config = loaded(convert(text.replace("- name: label\n", "")))
    assert config.gold_names == ("verdict",)
    assert config.model_wrong_metric.reference_names == ("verdict",)
    assert config.perf_metrics[0].reference_name == "verdict"
    assert [one.name for one in config.output] == ["verdict", "prob"]


def test_a_chat_has_one_reply_under_the_model_s_own_name() -> None:
    config = loaded(convert(TALKING + "model_output: {model_prediction_label: said}\n"))
    assert [one.name for one in config.output] == ["said"]


def test_several_assistants_become_a_chat() -> None:
    conversion = convert(TALKING)
    config = loaded(conversion)
    (chat,) = [one.type for one in config.input if isinstance(one.type, ChatType)]
    assert (chat.candidates, chat.max_turns, chat.rating, chat.reply_name) == (4, 12, True, "reply")
    assert [one.name for one in config.input] == ["category", "chat", "topics"]
    assert config.create_metadata[0].field.type.describe()["max"] == 7
    notes = told(conversion)
    assert "Register these models" in notes["context.generative_context.artifacts.providers"]
    assert "4 is written" in notes["context.generative_context.artifacts.number_of_samples"]


def test_tags_become_spans() -> None:
    conversion = convert(TAGGING)
    config = loaded(conversion)
    (field,) = config.input
    assert isinstance(field.type, SpansType)
    assert field.type.labels == ("de", "fr")
    assert config.gold_names == ("spans",)
    assert "by characters" in told(conversion)["context"]


def test_the_earliest_shape_is_flattened() -> None:
    conversion = convert(EARLIEST)
    config = loaded(conversion)
    assert conversion.shape is Shape.EARLIEST
    assert conversion.notes == ()
    assert config.gold_fields[0].type == MulticlassType(("rude", "polite"), as_goal_message=True)
    assert config.context[0].placeholder == "Where it is said"


def test_the_targets_of_the_earliest_shape_are_answers() -> None:
    data = json.loads(EARLIEST)
    data["target"] = [data["input"].pop()]
    config = loaded(convert(json.dumps(data)))
    assert config.gold_names == ("label",)


def test_a_classic_config_stays_as_it_is() -> None:
    text = "# mine\ninput: [{name: a, type: strng}]\n"
    assert convert(text) == Conversion(Shape.CLASSIC, text)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("text", ["x:string"]),
        ("input-with-instructions", ["x:string"]),
        ("audio", ["x:audio"]),
        ("multioptions", ["x:multilabel"]),
        ("multioptions-with-instructions", ["x:multilabel"]),
        ("radio-button-options", ["x:multiclass"]),
        ("select-multiple-images", ["x:multilabel"]),
        ("basic-input-select-option-with-instructions", ["x:string", "x_choice:multiclass"]),
        ("basic-input-with-slider", ["x:string", "x_degree:rating"]),
        ("select-option-with-slider", ["x:multiclass", "x_degree:rating"]),
        ("simple-slider", ["x:rating"]),
        ("multi-slider-selection", ["x_1:rating", "x_2:rating"]),
    ],
)
def test_each_kind_of_input_has_its_fields(kind: str, expected: list[str]) -> None:
    config = loaded(
        convert(
            "context: {type: plain-text}\n"
            f"user_input: [{{type: {kind}, field_name_for_the_model: x, options: [a, b],"
            " instructions: Say it, instruction: A tooltip}]\n"
            "model_output: {model_prediction_label: reply}\n"
        )
    )
    assert [f"{one.name}:{one.type.type_name}" for one in config.input] == expected
    assert config.context[0].name == "context"


@pytest.mark.parametrize(
    ("kind", "context", "written"),
    [
        ("plain-text", ["shown:string"], []),
        ("zoom_image", ["shown:image"], []),
        ("audio", ["shown:audio"], []),
        ("modify-original-text", ["question:string", "context:string"], ["shown:string"]),
        ("describe-image", [], ["image:image", "description:string"]),
        ("chat-with-instructions", ["shown:string"], ["chat:chat"]),
    ],
)
def test_each_kind_of_context_has_its_fields(
    kind: str, context: list[str], written: list[str]
) -> None:
    config = loaded(
        convert(
            f"context: {{type: {kind}, field_names_for_the_model: {{context: shown}}}}\n"
            "user_input: [{type: text, field_name_for_the_model: said}]\n"
            "output: [{name: reply, type: string}]\n"
            "perf_metric: {type: bleu, reference_name: reply}\n"
        )
    )
    assert [f"{one.name}:{one.type.type_name}" for one in config.context] == context
    assert [f"{one.name}:{one.type.type_name}" for one in config.input] == [*written, "said:string"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("goal: {type: plain-text}", "The key “input” is missing"),
        ("context: {type: select-multiple-images-generative}", "have no counterpart here"),
        ("context: {type: &a x}", "Anchors"),
        ("user_input: [", "This is not YAML"),
        ("user_input: [{type: text}]", "no field_name_for_the_model"),
        ("user_input: [{type: hologram, field_name_for_the_model: x}]", "“hologram”"),
        ("user_input: [{type: multioptions, field_name_for_the_model: x}]", "at least two options"),
    ],
)
def test_where_nothing_usable_comes_out_the_notes_say_why(text: str, said: str) -> None:
    conversion = convert(text)
    assert conversion.config_text is None
    assert any(said in str(note) for note in conversion.notes), conversion.notes
