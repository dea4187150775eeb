"""Configs as they were written for the original platform load as they stand."""

import pytest

from dynabench.science.task_config.elements import FoolingRule
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import TaskConfigError

EXPLANATIONS = """\
metadata:
  create:
  - display_name: why it is right
    name: example_explanation
    placeholder: Say why your example is right
    type: string
  - display_name: about the model
    model_wrong_condition: false
    name: model_explanation_right
    type: string
  - display_name: about the model
    model_wrong_condition: true
    name: model_explanation_wrong
    type: string
  validate:
  - labels: [rude, polite]
    name: corrected_label
    placeholder: The right label
    type: multiclass
    validated_label_condition: incorrect
  - name: flag_reason
    type: string
    validated_label_condition: flagged
  - name: validator_example_explanation
    type: string
    validated_label_condition: correct
  - name: validator_model_explanation
    type: string
"""

LABELLING = f"""\
aggregation_metric:
  type: dynascore
  default_weights:
    macro_f1: 4
    fairness: 0
    robustness: 1.5
    examples_per_second: 1
    memory_utilization: 1
content_warning: This holds rude words! If you do not want
  to see them, take another task.
context:
- name: context
  placeholder: Where it is said
  type: string
delta_metrics:
- type: fairness
- type: robustness
input:
- name: statement
  placeholder: Your statement
  type: string
- as_goal_message: true
  labels:
  - rude
  - polite
  name: label
  type: multiclass
{EXPLANATIONS}model_wrong_metric:
  reference_names:
  - label
  type: exact_match
output:
- name: label
- name: prob
  reference_name: label
  type: prob
perf_metric:
  reference_name: label
  type: macro_f1
"""

READING = """\
aggregation_metric: {type: dynascore}
context: [{name: context, placeholder: A passage, type: string}]
goal_message: ask something and mark the answer, such that the
  model errs.
input:
- {name: question, placeholder: Your question, type: string}
- {name: answer, reference_name: context, type: context_string_selection}
metadata:
  validate:
  - name: corrected_answer
    reference_name: context
    type: context_string_selection
    validated_label_condition: incorrect
model_wrong_metric: {reference_name: answer, threshold: 0.4, type: string_f1}
output:
- {name: answer}
- {name: conf, reference_name: answer, single_prob: true, type: prob}
perf_metric: {reference_name: answer, type: squad_f1}
"""

TRANSLATION = """\
aggregation_metric: {type: dynascore}
context:
- {name: sourceLanguage, placeholder: From, type: string}
- {name: targetLanguage, placeholder: To, type: string}
delta_metrics: []
input:
- {name: sourceText, placeholder: Text, type: string}
- {name: translatedText, placeholder: Its translation, type: string}
metadata: {create: [], validate: []}
model_wrong_metric: {type: ask_user}
output: [{name: translatedText, placeholder: Its translation, type: string}]
perf_metric: {reference_name: translatedText, type: sp_bleu}
"""

PICTURES = """\
aggregation_metric: {type: dynascore}
context: [{display_name: picture, name: image, type: image}]
input: [{name: question, placeholder: Your question, type: string}]
metadata:
  create:
  - {display_name: answer, model_wrong_condition: true, name: target_answer, type: string}
  validate:
  - labels: ['yes', 'no']
    name: is_question_valid
    placeholder: Can it be answered?
    type: multiclass
    validated_label_condition: incorrect
model_wrong_metric: {type: ask_user}
output: [{name: answer, placeholder: The answer, type: string}]
perf_metric: {reference_name: answer, type: vqa_accuracy}
"""

SELECTION = """\
aggregation_metric: {type: dynascore}
goal_message: give a picture and its labels.
input:
- {display_name: picture, name: image, type: image}
- {labels: [Kite, Kettle, Key], name: labels, type: multilabel}
output: [{name: labels}]
perf_metric: {reference_name: labels, type: dataperf_f1}
train_file_metric:
  reference_name: labels
  seeds: 5
  test_labels: [Kite, Kettle, Key]
  type: dataperf
"""


@pytest.mark.parametrize("text", [LABELLING, READING, TRANSLATION, PICTURES, SELECTION])
def test_a_classic_config_loads_as_it_stands(text: str) -> None:
    config = load_task_config(text)
    assert config.model_output_names
    assert config.aggregation_metric.name == "dynascore"


def test_labelling_keeps_its_goal_conditions_and_weights() -> None:
    config = load_task_config(LABELLING)
    assert config.gold_names == ("label",)
    assert config.model_input_names == ("context", "statement")
    assert [one.model_wrong for one in config.create_metadata] == [None, False, True]
    assert [one.vote for one in config.validate_metadata] == [
        "incorrect",
        "flagged",
        "correct",
        None,
    ]
    assert config.aggregation_metric.default_weights["fairness"] == 0
    assert [one.name for one in config.delta_metrics] == ["fairness", "robustness"]
    assert config.text(config.content_warning) == (
        "This holds rude words! If you do not want to see them, take another task."
    )


def test_without_a_rule_the_author_is_asked() -> None:
    config = load_task_config(SELECTION)
    assert config.model_wrong_metric.rule is FoolingRule.ASK_USER
    assert config.context == ()
    assert config.train_file_metric is not None
    assert config.train_file_metric.reference_name == "labels"
    assert config.train_file_metric.labels == ("Kite", "Kettle", "Key")


@pytest.mark.parametrize(
    ("text", "path", "shape"),
    [
        ("goal: {type: plain-text, text: go}\nperf_metric: {type: accuracy}", "goal", "later"),
        ("title: A\nuser_input: [{type: text}]", "user_input", "later"),
        ("title: A\nmodel_output: {model_prediction_label: a}", "model_output", "later"),
        (
            "input: [{name: a, type: string, constructor_args: {}}]\noutput: [{name: a}]",
            "input[0].constructor_args",
            "earliest",
        ),
    ],
)
def test_other_shapes_are_told_how_to_be_translated(text: str, path: str, shape: str) -> None:
    with pytest.raises(TaskConfigError) as caught:
        load_task_config(text)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert f"the {shape} Dynabench shape" in problem.message
    assert "dynabench task convert" in (problem.suggestion or "")


def test_a_key_of_the_later_shape_in_a_classic_config_is_an_unknown_key() -> None:
    with pytest.raises(TaskConfigError) as caught:
        load_task_config(LABELLING + "model_output: {model_prediction_label: label}\n")
    assert [one.path for one in caught.value.problems] == ["model_output"]
