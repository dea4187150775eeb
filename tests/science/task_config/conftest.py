"""Two small configs: a choice among labels, and words marked in a passage."""

import pytest

from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

NLI = """\
title: {en: Inference, de: Folgerung}
goal_message: Write something that fools the model.
context:
  - name: premise
    type: string
    placeholder: Enter context...
input:
  - name: hypothesis
    type: string
    max_length: 40
  - name: label
    display_name: Relation
    type: multiclass
    labels: [entailed, neutral, contradictory]
    as_goal_message: true
output:
  - name: label
  - name: prob
    type: prob
    reference_name: label
metadata:
  create:
    - name: example_explanation
      type: string
    - name: model_explanation_right
      type: string
      model_wrong_condition: false
    - name: model_explanation_wrong
      type: string
      model_wrong_condition: true
  validate:
    - name: corrected_label
      type: multiclass
      labels: [entailed, neutral, contradictory]
      placeholder: Enter corrected label
      validated_label_condition: incorrect
    - name: flag_reason
      type: string
      validated_label_condition: flagged
    - name: thoughts
      type: string
model_wrong_metric:
  type: exact_match
  reference_names: [label]
perf_metric:
  type: macro_f1
  reference_name: label
delta_metrics:
  - type: fairness
  - type: robustness
    perturb_fields: [hypothesis]
    transforms: [typos]
aggregation_metric:
  type: dynascore
  default_weights: {macro_f1: 4, fairness: 0.5}
"""

QA = """\
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string, min_length: 5}
  - {name: answer, type: context_string_selection, reference_name: passage}
output:
  - name: answer
  - {name: confidence, type: prob, single_prob: true}
metadata:
  validate:
    - name: corrected_answer
      type: context_string_selection
      reference_name: passage
      validated_label_condition: incorrect
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.5}
perf_metric:
  - {type: squad_f1, reference_name: answer}
  - {type: exact_match, reference_name: answer}
"""

ASK = """\
input: [{name: prompt, type: string}]
output: [{name: reply, type: string}]
model_wrong_metric: {type: ask_user}
perf_metric: {type: bleu, reference_name: reply}
"""

EVERY_TYPE = """\
title: {en: All, ar: الكل}
language: en
context:
  - {name: passage, type: string, language: ar, multiline: true}
  - {name: picture, type: image, max_bytes: 1000000, media_types: [image/png]}
  - {name: sound, type: audio}
input:
  - {name: question, type: string, placeholder: {en: Ask, es: Pregunta}}
  - {name: talk, type: chat, min_turns: 2, max_turns: 4, candidates: 2, rating: true}
  - {name: marks, type: spans, reference_name: question, labels: [who], multiple: false}
  - {name: tags, type: multilabel, labels: [red, green]}
  - {name: weight, type: number, min: 0, max: 1, step: 0.1}
  - {name: mood, type: rating, min: -2, max: 2, step: 1, not_applicable: true}
output:
  - {name: reply, type: string}
  - name: tags
  - {name: tag_probs, type: prob, reference_name: tags}
  - {name: places, type: spans, reference_name: passage}
metadata:
  create:
    - {name: shot, type: image, model_wrong_condition: true}
  validate:
    - {name: fit, type: rating, validated_label_condition: correct}
model_wrong_metric:
  type: rubric
  judge: strict
  criteria:
    - {name: kind, text: It is kind.}
    - {name: "true", text: It is true.}
perf_metric: {type: accuracy, reference_name: tags}
"""


@pytest.fixture(scope="session")
def nli() -> TaskConfig:
    return load_task_config(NLI)


@pytest.fixture(scope="session")
def qa() -> TaskConfig:
    return load_task_config(QA)


@pytest.fixture(scope="session")
def ask() -> TaskConfig:
    return load_task_config(ASK)


@pytest.fixture(scope="session")
def good_texts() -> tuple[str, ...]:
    return (NLI, QA, ASK, EVERY_TYPE)
