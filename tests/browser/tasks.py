"""A small task of one's own, and what its target learns from: quick to train, easily led."""

from dynabench.loop.training.values import LabelledItem

_GOOD = ("good", "lovely", "great", "kind", "bright", "warm")
_BAD = ("bad", "awful", "poor", "cruel", "dull", "cold")
_THINGS = ("soup", "film", "teacher", "room", "journey", "song")

WARNING = "This task shows harsh words about food."
PROMPTS = (
    "A meal in a canteen",
    "A film seen in the rain",
    "A room without windows",
    "A journey by night train",
    "A song from next door",
    "A teacher on the first day",
)


def mood_config(*, title: str = "Mood", warning: str = "") -> str:
    """Return the config of a task with two labels, one of which is the goal."""
    return f"""\
schema_version: 1
title: {title}
description: Does its author speak well of something, or ill of it?
language: en
context:
  - {{name: prompt, display_name: Prompt, type: string}}
input:
  - name: statement
    display_name: Statement
    type: string
    placeholder: Write a statement inspired by the prompt…
    min_length: 3
    max_length: 500
  - name: label
    display_name: Mood
    type: multiclass
    labels: [positive, negative]
    as_goal_message: true
output:
  - {{name: label}}
  - {{name: prob, type: prob, reference_name: label}}
metadata:
  create:
    - name: example_explanation
      display_name: Why is your label right?
      type: string
  validate:
    - name: corrected_label
      display_name: Which label is right?
      type: multiclass
      labels: [positive, negative]
      validated_label_condition: incorrect
    - name: flag_reason
      display_name: What is wrong with this example?
      type: string
      validated_label_condition: flagged
model_wrong_metric: {{type: exact_match, reference_names: [label]}}
perf_metric: {{type: macro_f1, reference_name: label}}
goal_message: Write a statement that people understand and the model does not.
content_warning: "{warning}"
instructions: |
  You see a **prompt**. Write a *statement* with the label shown as your goal.

  - **positive**: its author speaks well of something.
  - **negative**: its author speaks ill of it.
"""


def lessons() -> list[LabelledItem]:
    """Return sentences that teach a target to count friendly and unfriendly words."""
    return [
        LabelledItem(
            context={"prompt": PROMPTS[number % len(PROMPTS)]},
            inputs={"statement": f"The {thing} was {word}."},
            answer={"label": label},
        )
        for number, thing in enumerate(_THINGS)
        for label, words in (("positive", _GOOD), ("negative", _BAD))
        for word in words
    ]
