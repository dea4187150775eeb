"""Metrics over gold answers and predictions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from dynabench.science.metrics.registry import METRICS, metric
from dynabench.science.metrics.values import Answer, Gold

LABELS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1, max_size=30
)


@given(LABELS)
def test_accuracy_and_macro_f1_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    assert metric("accuracy")(gold, said).value == pytest.approx(accuracy_score(gold, said))
    expected = f1_score(gold, said, average="macro", zero_division=0.0)
    assert metric("macro_f1")(gold, said).value == pytest.approx(expected)


@pytest.mark.parametrize("name", list(METRICS))
def test_no_items_are_none(name: str) -> None:
    result = metric(name)([], [])
    assert (result.value, result.n, result.per_item) == (None, 0, ())


@pytest.mark.parametrize("name", list(METRICS))
def test_the_right_answer_scores_1_and_none_scores_0(name: str) -> None:
    gold: list[Gold] = ["yes", ["no", "never"]]
    assert metric(name)(gold, ["yes", "never"]).value == 1.0
    assert metric(name)(gold, [None, None]).value == 0.0
    assert metric(name)(gold, ["yes", None]).per_item == (1.0, 0.0)


@pytest.mark.parametrize("name", list(METRICS))
def test_each_item_has_one_prediction_and_a_gold_answer(name: str) -> None:
    with pytest.raises(ValueError, match="as many predictions"):
        metric(name)(["a"], [])
    with pytest.raises(ValueError, match="at least one acceptable"):
        metric(name)([[]], ["a"])


def test_the_best_acceptable_answer_counts() -> None:
    gold: list[Gold] = [["the old bridge", "a bridge"]]
    assert metric("squad_f1")(gold, ["bridge"]).value == 1.0
    assert metric("squad_f1")(gold, ["old stone"]).value == pytest.approx(0.5)
    assert metric("exact_match")(gold, ["The Bridge."]).value == 1.0
    assert metric("accuracy")(gold, ["bridge"]).value == 0.0


def test_of_a_selection_the_text_counts() -> None:
    chosen: Answer = {"text": "the bridge", "start": 0, "end": 10}
    assert metric("exact_match")([chosen], ["bridge"]).value == 1.0
    assert metric("squad_f1")(["bridge"], [chosen]).value == 1.0


def test_an_unknown_metric_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="not computed"):
        metric("bleu")
