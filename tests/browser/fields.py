"""A task with a field of every kind that is filled in by hand, in and around its answer."""

STATEMENT = "Ada rode to Bath and was kind."
# The last word is wider than a telephone.
PASSAGE = "وصل القطار إلى حلب في المساء. كان الطقس باردا " + "ب" * 90


# The answer is the mood that the standing target has learnt.
EVERY_FIELD_CONFIG = """\
schema_version: 1
title: {en: Every field, de: Jedes Feld}
description: One field of every kind.
language: en
context:
  - {name: prompt, display_name: Prompt, type: string}
  - {name: passage, display_name: Passage, type: string, language: ar}
input:
  - name: statement
    display_name: {de: Aussage, en: Statement}
    type: string
    min_length: 3
  - name: topics
    display_name: Topics
    type: multilabel
    labels: [travel, food, people]
  - name: names
    display_name: Names
    type: spans
    reference_name: statement
    labels: [person, place]
  - {name: clue, display_name: Clue, type: context_string_selection, reference_name: passage}
  - {name: count, display_name: How many people, type: number, min: 0, max: 20, step: 1}
  - {name: clarity, display_name: Clarity, type: rating, not_applicable: true}
  - name: label
    display_name: Mood
    type: multiclass
    labels: [positive, negative]
    as_goal_message: true
output:
  - {name: label}
  - {name: prob, type: prob, reference_name: label}
metadata:
  create:
    - name: surprise
      display_name: How surprising is that?
      type: rating
      max: 3
      model_wrong_condition: false
    - name: misled_by
      display_name: What misled it
      type: spans
      reference_name: statement
      model_wrong_condition: true
  validate:
    - name: right_label
      display_name: Right mood
      type: multiclass
      labels: [positive, negative]
      validated_label_condition: incorrect
    - name: right_topics
      display_name: Right topics
      type: multilabel
      labels: [travel, food, people]
      validated_label_condition: incorrect
    - name: right_names
      display_name: Right names
      type: spans
      reference_name: statement
      labels: [person, place]
      validated_label_condition: incorrect
    - name: right_count
      display_name: Right number
      type: number
      min: 0
      validated_label_condition: incorrect
    - name: right_clarity
      display_name: Right clarity
      type: rating
      not_applicable: true
      validated_label_condition: incorrect
    - name: remark
      display_name: Remark
      type: string
      validated_label_condition: incorrect
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: macro_f1, reference_name: label}
goal_message: {en: People understand it and the model does not., de: Nur Menschen verstehen es.}
content_warning: {en: Trains are late here., de: Züge sind hier verspätet.}
"""

CONTEXT: dict[str, object] = {"prompt": "A journey", "passage": PASSAGE}
