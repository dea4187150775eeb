"""Metrics over gold answers and predictions."""

import math
from collections.abc import Sequence

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef
from sklearn.preprocessing import MultiLabelBinarizer

from dynabench.science.metrics.answers import as_answer, as_gold
from dynabench.science.metrics.kinds import METRIC_KINDS, Direction, Subject
from dynabench.science.metrics.registry import METRICS, VALUE_OF, metric
from dynabench.science.metrics.sp_bleu import sp_bleu
from dynabench.science.metrics.values import Answer, Gold, Metric, MetricResult, sum_counts
from dynabench.science.metrics.vqa_accuracy import vqa_normalise

LABELS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1, max_size=30
)
SETS = st.frozensets(st.sampled_from("abcd"), max_size=4)
WORDS = ("the", "old", "bridge", "was", "closed", "on", "Monday", ",", "again", ".")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
TRANSLATIONS = st.lists(
    st.tuples(st.lists(SENTENCE, min_size=1, max_size=3), SENTENCE), min_size=1, max_size=8
)


def score_words(gold: Sequence[Gold], said: Sequence[Answer | None]) -> MetricResult:
    return sp_bleu(gold, said, pieces=str)


ALL = [*METRICS.items(), ("sp_bleu", score_words)]


@given(LABELS)
def test_metrics_of_labels_are_those_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    assert metric("accuracy")(gold, said).value == pytest.approx(accuracy_score(gold, said))
    expected = f1_score(gold, said, average="macro", zero_division=0.0)
    assert metric("macro_f1")(gold, said).value == pytest.approx(expected)
    correlation = 0.0
    if len({*gold, *said}) > 1:
        correlation = matthews_corrcoef(gold, said)
    assert metric("matthews")(gold, said).value == pytest.approx(correlation)


@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=20))
def test_several_labels_are_scored_as_scikit_learn_scores_them(
    pairs: list[tuple[frozenset[str], frozenset[str]]],
) -> None:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    occurring = sorted(frozenset().union(*gold, *said))
    result = metric("macro_f1")(gold, said)
    if not occurring:
        assert result.value is None
        return
    table = MultiLabelBinarizer(classes=occurring)
    right, given_ = table.fit_transform(gold), table.transform(said)
    expected = f1_score(right, given_, average="macro", zero_division=0.0)
    assert result.value == pytest.approx(expected)
    assert metric("accuracy")(gold, said).value == pytest.approx(accuracy_score(right, given_))


@settings(max_examples=40)
@given(TRANSLATIONS)
def test_translations_are_scored_as_sacrebleu_scores_them(
    pairs: list[tuple[list[str], str]],
) -> None:
    gold: list[Gold] = [references for references, _ in pairs]
    said = [one for _, one in pairs]
    # Where there are fewer references the first stands again, which changes nothing.
    streams = [[refs[min(n, len(refs) - 1)] for refs, _ in pairs] for n in range(3)]
    for name, scorer in (
        ("bleu", BLEU(force=True)),
        ("chrf", CHRF()),
        ("chrf_pp", CHRF(word_order=2)),
    ):
        result = metric(name)(gold, said)
        expected = scorer.corpus_score(said, streams).score / 100
        assert result.value == pytest.approx(min(expected, 1.0), abs=1e-9)
        alone = BLEU(effective_order=True) if name == "bleu" else scorer
        first = alone.sentence_score(said[0], pairs[0][0]).score / 100
        assert result.per_item[0] == pytest.approx(min(first, 1.0), abs=1e-9)


@given(st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=8))
def test_word_errors_are_those_of_jiwer(pairs: list[tuple[str, str]]) -> None:
    gold, said = [one for one, _ in pairs], [other for _, other in pairs]
    result = metric("wer")(gold, said)
    assert result.value == pytest.approx(jiwer.wer(gold, said))
    assert result.per_item[0] == pytest.approx(max(0.0, 1 - float(jiwer.wer(gold[0], said[0]))))


@given(
    people=st.lists(
        st.sampled_from(["2", "two", "The 2!", "three", "no"]), min_size=1, max_size=12
    ),
    said=st.sampled_from(["2", "Two", "no.", "five"]),
)
def test_vqa_accuracy_is_the_mean_over_each_answer_left_out(people: list[str], said: str) -> None:
    normal = [vqa_normalise(one) for one in people]
    scores = []
    for left_out in range(len(people)):
        others = normal[:left_out] + normal[left_out + 1 :]
        enough = min(3, len(others))
        equal = others.count(vqa_normalise(said))
        scores.append(min(equal / enough, 1) if others else float(normal[0] == vqa_normalise(said)))
    assert metric("vqa_accuracy")([people], [said]).value == pytest.approx(np.mean(scores))


@pytest.mark.parametrize(
    ("answer", "normal"),
    [
        ("A dog", "dog"),
        ("None", "0"),
        ("1,000", "1000"),
        ("3.5", "3.5"),
        ("Mr. Smith", "mr smith"),
        ("black/white", "black white"),
        ("black / white", "black white"),
        ("dont know", "don't know"),
        ("somebodyd", "somebody'd"),
        ("its", "its"),
        ("yes\n", "yes"),
        ("", ""),
    ],
)
def test_vqa_answers_are_normalised_as_published(answer: str, normal: str) -> None:
    assert vqa_normalise(answer) == normal


@pytest.mark.parametrize(("name", "measured"), ALL, ids=[name for name, _ in ALL])
def test_no_items_are_none(name: str, measured: Metric) -> None:
    result = measured([], [])
    assert (result.value, result.n, result.per_item) == (None, 0, ())
    assert name not in VALUE_OF or VALUE_OF[name]({}) is None


@pytest.mark.parametrize(("name", "measured"), ALL, ids=[name for name, _ in ALL])
def test_the_right_answer_is_the_best_and_none_the_worst(name: str, measured: Metric) -> None:
    gold: list[Gold] = ["yes it is all right", ["no it is not so"] * 2]
    best, worst = (0.0, 1.0) if name == "wer" else (1.0, 0.0)
    right = measured(gold, ["yes it is all right", "no it is not so"])
    assert right.value == pytest.approx(best)
    assert right.per_item == (1.0, 1.0)
    wrong = measured(gold, [None, None])
    assert wrong.value == pytest.approx(worst)
    assert wrong.per_item == (0.0, 0.0)
    assert measured(gold, ["yes it is all right", None]).per_item == (1.0, 0.0)


@settings(max_examples=20)
@pytest.mark.parametrize(("name", "measured"), ALL, ids=[name for name, _ in ALL])
@given(pairs=TRANSLATIONS, seed=st.randoms())
def test_the_order_of_items_says_nothing_and_their_counts_say_all(
    name: str, measured: Metric, pairs: list[tuple[list[str], str]], seed: object
) -> None:
    del seed
    gold, said = [references for references, _ in pairs], [one for _, one in pairs]
    result = measured(gold, said)
    turned = measured(gold[::-1], said[::-1])
    assert turned.value == pytest.approx(result.value)
    assert turned.per_item == pytest.approx(result.per_item[::-1])
    assert all(0 <= one <= 1 for one in result.per_item)
    if name in VALUE_OF:
        again = VALUE_OF[name](sum_counts(result.counts))
        assert again == pytest.approx(result.value)
    else:
        assert result.value == pytest.approx(np.mean(result.per_item))
    assert name == "wer" or (result.value is not None and -1 <= result.value <= 1)


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
    assert metric("wer")(gold, ["a bridge"]).value == 0.0


def test_of_a_selection_the_text_counts() -> None:
    chosen: Answer = {"text": "the bridge", "start": 0, "end": 10}
    assert metric("exact_match")([chosen], ["bridge"]).value == 1.0
    assert metric("squad_f1")(["bridge"], [chosen]).value == 1.0


def test_labels_spans_and_numbers_are_compared_by_what_they_are() -> None:
    one = {"text": "x", "start": 0, "end": 1, "label": "group"}
    other = {"text": "y", "start": 4, "end": 5}
    for name in ("accuracy", "exact_match"):
        same = metric(name)([as_gold("spans", [one, other])], [as_answer("spans", [other, one])])
        assert same.value == 1.0
        named = {**one, "label": "person"}
        assert metric(name)([as_gold("spans", [one])], [as_answer("spans", [named])]).value == 0.0
        assert metric(name)([as_gold("multilabel", [])], [as_answer("multilabel", [])]).value == 1
        either = as_gold("multilabel", [["a"], ["a", "b"]])
        assert metric(name)([either], [as_answer("multilabel", ["b", "a"])]).value == 1.0
        assert metric(name)([as_gold("number", 0.3)], [as_answer("number", 3 * 0.1)]).value == 1.0
        assert metric(name)([as_gold("rating", 3)], [as_answer("rating", 3.0)]).value == 1.0
        assert metric(name)([3], [as_answer("rating", "not_applicable")]).value == 0.0
    assert as_answer("string", None) == "None"


def test_an_error_rate_may_exceed_1_and_is_turned_round_for_the_board() -> None:
    wer = metric("wer")(["one"], ["one two three four"])
    assert (wer.value, wer.per_item) == (3.0, (0.0,))
    assert METRIC_KINDS["wer"].as_good(3.0) == 0.0
    assert METRIC_KINDS["bleu"].as_good(0.25) == 0.25
    assert [one.name for one in METRIC_KINDS.values() if one.direction is Direction.LOWER] == [
        "wer"
    ]


def test_right_answers_without_words_have_no_error_rate() -> None:
    result = metric("wer")([""], ["well"])
    assert (result.value, result.per_item) == (None, (0.0,))
    assert metric("wer")(["", "a b"], ["", "a"]).value == pytest.approx(0.5)


def test_bleu_of_everything_together_is_no_mean() -> None:
    gold: list[Gold] = ["the old bridge was closed again", "on Monday"]
    result = metric("bleu")(gold, ["the old bridge was closed again", "on Tuesday"])
    assert result.value is not None
    assert not math.isclose(result.value, sum(result.per_item) / 2)


def test_every_metric_of_predictions_is_computed() -> None:
    of_predictions = {
        name for name, one in METRIC_KINDS.items() if one.subject is Subject.PREDICTIONS
    }
    assert of_predictions == {*METRICS, "sp_bleu"}
    assert set(VALUE_OF) <= of_predictions
    for name in ("preference", "dataperf_f1", "loss"):
        with pytest.raises(ValueError, match="no metric"):
            metric(name)
