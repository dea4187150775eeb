"""Which recipes fit a task."""

import pytest

from dynabench.loop.training.errors import NoTrainingDataError, RecipeUnknownError
from dynabench.loop.training.rules import (
    choose_recipe,
    fitting_recipes,
    require_learnable,
    summarise,
)
from dynabench.loop.training.values import RecipeName
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

READING = """\
title: Reading
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output:
  - {name: answer}
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
"""
FREE = """\
title: Free
input:
  - {name: question, type: string}
  - {name: answer, type: string}
  - {name: reason, type: string}
output:
  - {name: answer}
  - {name: reason}
model_wrong_metric: {type: exact_match, reference_names: [answer]}
perf_metric: {type: exact_match, reference_name: answer}
"""

FREE_OF_TYPE = """\
input:
  - {name: text, type: string}
  - {name: answer, type: KIND}
output: [{name: answer}]
model_wrong_metric: {type: exact_match, reference_names: [answer]}
perf_metric: {type: exact_match, reference_name: answer}
"""


def test_a_label_is_learnt_by_a_classifier_and_a_span_by_a_reader() -> None:
    nli, reading = load_task_config(NLI_CONFIG), load_task_config(READING)
    assert choose_recipe(nli, None) is RecipeName.TEXT_CLASSIFIER
    assert choose_recipe(nli, "majority") is RecipeName.MAJORITY
    assert choose_recipe(reading, None) is RecipeName.EXTRACTIVE_READER
    assert fitting_recipes(load_task_config(FREE)) == ()


@pytest.mark.parametrize("kind", ["multilabel, labels: [a]", "number", "rating"])
def test_the_most_frequent_answer_is_a_recipe_for_answers_of_many_types(kind: str) -> None:
    config = load_task_config(FREE_OF_TYPE.replace("KIND", kind))
    assert choose_recipe(config, None) is RecipeName.MAJORITY


def test_an_unknown_recipe_is_refused_with_those_that_fit() -> None:
    with pytest.raises(RecipeUnknownError, match="text-classifier, majority"):
        choose_recipe(load_task_config(NLI_CONFIG), "extractive-reader")
    with pytest.raises(RecipeUnknownError):
        choose_recipe(load_task_config(FREE), None)


def test_a_learner_knows_the_texts_and_never_the_answer() -> None:
    nli = summarise(load_task_config(NLI_CONFIG))
    assert (nli.context_names, nli.input_names) == (("premise",), ("hypothesis",))
    assert nli.labels == ("entailment", "neutral", "contradiction")
    assert (nli.answer_name, nli.probability_name) == ("label", "prob")
    reading = summarise(load_task_config(READING))
    assert (reading.reference_name, reading.labels) == ("passage", ())


def test_nothing_and_one_label_cannot_be_learnt() -> None:
    nli = summarise(load_task_config(NLI_CONFIG))
    with pytest.raises(NoTrainingDataError, match="no train items"):
        require_learnable(items=0, answers=(), config=nli)
    with pytest.raises(NoTrainingDataError, match="neutral"):
        require_learnable(items=2, answers=("neutral",), config=nli)
