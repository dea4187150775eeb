"""Scores and their intervals."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.rules import item_scores
from dynabench.loop.evaluations.runs.rules import measure
from dynabench.science.task_config.elements import PerfMetric
from tests.factories.datasets import make_item

ACCURACY = PerfMetric("accuracy", "label")
MACRO_F1 = PerfMetric("macro_f1", "label")
LABELS = ("entailment", "neutral", "contradiction")

answers = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from([*LABELS, None]), st.integers(0, 5)),
    min_size=1,
    max_size=60,
)


@given(answers=answers)
def test_every_score_lies_in_its_interval_and_from_0_to_1(
    answers: list[tuple[str, str | None, int]],
) -> None:
    items = [
        make_item(number, label=gold, context=context)
        for number, (gold, _, context) in enumerate(answers)
    ]
    outputs = [{} if said is None else {"label": said} for _, said, _ in answers]
    (score,) = measure([ACCURACY], Split.TEST, items, outputs)
    assert score.value is not None
    assert score.low is not None
    assert score.high is not None
    assert 0 <= score.low <= score.high <= 1
    assert score.low <= score.value + 0.35
    assert score.value == pytest.approx(
        sum(gold == said for gold, said, _ in answers) / len(answers)
    )


def test_the_first_metric_is_principal_and_each_has_its_interval() -> None:
    items = [make_item(number, label=LABELS[number % 3]) for number in range(60)]
    outputs = [{"label": "neutral" if number % 2 else "entailment"} for number in range(60)]
    macro, accuracy = measure([MACRO_F1, ACCURACY], Split.DEV, items, outputs)
    assert (macro.metric, macro.is_principal, macro.items) == ("macro_f1", True, 60)
    assert not accuracy.is_principal
    assert macro.low is not None
    assert macro.high is not None
    assert macro.value is not None
    assert macro.low < macro.value < macro.high


def test_the_same_predictions_give_the_same_bootstrap_interval() -> None:
    items = [make_item(number, label=LABELS[number % 3]) for number in range(30)]
    outputs = [{"label": LABELS[number % 2]} for number in range(30)]
    assert measure([MACRO_F1], Split.TEST, items, outputs) == measure(
        [MACRO_F1], Split.TEST, items, outputs
    )


def test_one_context_says_nothing_of_the_spread() -> None:
    items = [make_item(number, context=0) for number in range(4)]
    (score,) = measure([MACRO_F1], Split.TEST, items, [{"label": "neutral"}] * 4)
    assert (score.value, score.low, score.high) == (1.0, None, None)


def test_a_metric_of_a_later_version_has_no_value() -> None:
    items = [make_item(1)]
    (score,) = measure([PerfMetric("chrf", "label")], Split.TEST, items, [{"label": "neutral"}])
    assert (score.value, score.low, score.items) == (None, None, 1)
    assert item_scores([PerfMetric("chrf", "label")], items, [{"label": "neutral"}]) == [None]


def test_one_of_several_acceptable_answers_is_a_hit() -> None:
    item = replace(make_item(1), gold={"label": ["neutral", "entailment"]})
    assert item_scores([ACCURACY], [item], [{"label": "entailment"}]) == [1.0]
    assert item_scores([ACCURACY], [item], [{}]) == [0.0]


def test_a_selection_counts_by_its_text() -> None:
    item = replace(make_item(1), gold={"answer": {"text": "the bridge", "start": 0, "end": 10}})
    said = {"answer": {"text": "bridge", "start": 4, "end": 10}}
    assert item_scores([PerfMetric("squad_f1", "answer")], [item], [said]) == [1.0]


def test_a_metric_that_stands_twice_counts_once() -> None:
    found = measure([ACCURACY, ACCURACY], Split.TEST, [make_item(1)], [{"label": "neutral"}])
    assert len(found) == 1
