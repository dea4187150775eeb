"""Scores and their intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.evaluations.runs.rules import measure as measure_tally
from dynabench.loop.evaluations.runs.rules import measure_tags
from dynabench.loop.evaluations.runs.tallies.rules import SplitTally
from dynabench.loop.evaluations.values import MetricScore
from dynabench.science.metrics.registry import Resources
from dynabench.science.metrics.sp_bleu import SentencePieceMissingError
from dynabench.science.statistics.clusters import FEWEST_CONTEXTS
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig
from tests.factories.datasets import make_item

FIELDS = """
context: [{name: passage, type: string}]
input:
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
  - {name: tags, type: multilabel, labels: [rude, kind, odd]}
  - {name: reply, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output: [{name: label}, {name: tags}, {name: reply}, {name: answer}, {name: more, type: string}]
"""


def scored_by(*metrics: tuple[str, str]) -> TaskConfig:
    entries = [f"  - {{type: {name}, reference_name: {field}}}" for name, field in metrics]
    return load_task_config("\n".join([FIELDS, "perf_metric:", *entries]))


ACCURACY = scored_by(("accuracy", "label"))
MACRO_F1 = scored_by(("macro_f1", "label"))
BOTH = scored_by(("macro_f1", "label"), ("accuracy", "label"))
LABELS = ("entailment", "neutral", "contradiction")

Outputs = Mapping[str, object]


def tally(
    config: TaskConfig,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    resources: Resources | None = None,
    *,
    block: int = 7,
) -> tuple[SplitTally, list[float | None]]:
    """Add items up as a run does, some at a time."""
    found = SplitTally(config, resources or Resources())
    scores = []
    for start in range(0, len(items), block):
        part = items[start : start + block]
        scores += found.add(
            gold=[item.gold for item in part],
            outputs=outputs[start : start + block],
            contexts=[item.context_digest for item in part],
            tags=[item.tags for item in part],
        )
    return found, scores


def measure(
    config: TaskConfig, split: Split, items: Sequence[DatasetItem], outputs: Sequence[Outputs]
) -> list[MetricScore]:
    return measure_tally(tally(config, items, outputs)[0], split)


def item_scores(
    config: TaskConfig,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    resources: Resources | None = None,
) -> list[float | None]:
    return tally(config, items, outputs, resources)[1]


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
    (score,) = measure(ACCURACY, Split.TEST, items, outputs)
    assert score.value is not None
    # One context says nothing of others, and what has a width of 0 is no interval.
    assert (score.low is None) == (len({context for *_, context in answers}) == 1)
    if score.low is not None and score.high is not None:
        assert 0 <= score.low <= score.value <= score.high <= 1
        assert score.low < score.high
    assert score.value == pytest.approx(
        sum(gold == said for gold, said, _ in answers) / len(answers)
    )


def test_the_first_metric_is_principal_and_each_has_its_interval() -> None:
    items = [make_item(number, label=LABELS[number % 3]) for number in range(60)]
    outputs = [{"label": "neutral" if number % 2 else "entailment"} for number in range(60)]
    macro, accuracy = measure(BOTH, Split.DEV, items, outputs)
    assert (macro.metric, macro.is_principal, macro.items) == ("macro_f1", True, 60)
    assert not accuracy.is_principal
    assert macro.low is not None
    assert macro.high is not None
    assert macro.value is not None
    assert macro.low < macro.value < macro.high


def test_the_same_predictions_give_the_same_bootstrap_interval() -> None:
    items = [make_item(number, label=LABELS[number % 3]) for number in range(30)]
    outputs = [{"label": LABELS[number % 2]} for number in range(30)]
    assert measure(MACRO_F1, Split.TEST, items, outputs) == measure(
        MACRO_F1, Split.TEST, items, outputs
    )


@pytest.mark.parametrize("said", ["neutral", "contradiction"])
def test_five_answers_that_are_all_alike_have_no_interval_of_no_width(said: str) -> None:
    items = [make_item(number, context=number, label="neutral") for number in range(5)]
    (score,) = measure(MACRO_F1, Split.TEST, items, [{"label": said}] * 5)
    assert score.value == float(said == "neutral")
    assert (score.low, score.high) == (None, None)


@pytest.mark.parametrize("contexts", [10, 20])
def test_macro_f1_over_few_contexts_is_covered(contexts: int) -> None:
    random = np.random.default_rng(contexts)
    # Of three labels alike in number and in how often they are hit, F1 is the share of hits.
    hits, trials = 0, 150
    for _ in range(trials):
        gold = [LABELS[number % 3] for number in range(6 * contexts)]
        own = random.beta(0.7 * 9, 0.3 * 9, contexts)
        items = [make_item(n, label=one, context=n % contexts) for n, one in enumerate(gold)]
        outputs = [
            {"label": one if random.random() < own[n % contexts] else random.choice(LABELS)}
            for n, one in enumerate(gold)
        ]
        (score,) = measure(MACRO_F1, Split.TEST, items, outputs)
        assert score.low is not None
        assert score.high is not None
        hits += score.low <= 0.7 + 0.3 / 3 <= score.high
    assert hits / trials >= 0.91


@pytest.mark.parametrize("name", ["macro_f1", "matthews"])
@pytest.mark.parametrize("rare", [9, 10])
def test_a_label_in_few_contexts_leaves_what_it_sets_without_an_interval(
    name: str, rare: int
) -> None:
    # The rare label is right twice in each of its contexts.
    gold = ["contradiction"] * 2 * rare + ["neutral"] * 100
    items = [make_item(n, label=one, context=n // 2) for n, one in enumerate(gold)]
    outputs = [{"label": "neutral" if n % 5 == 1 else one} for n, one in enumerate(gold)]

    (score,) = measure(scored_by((name, "label")), Split.TEST, items, outputs)

    assert score.value is not None
    assert (score.low is not None) == (score.high is not None) == (rare >= FEWEST_CONTEXTS)


def test_a_label_that_is_said_and_right_nowhere_leaves_macro_f1_without_an_interval() -> None:
    gold = ["neutral"] * 100 + ["entailment"] * 100
    items = [make_item(n, label=one, context=n) for n, one in enumerate(gold)]
    outputs = [{"label": "contradiction" if n % 100 == 7 else gold[n]} for n in range(200)]

    (score,) = measure(MACRO_F1, Split.TEST, items, outputs)
    (matthews,) = measure(scored_by(("matthews", "label")), Split.TEST, items, [{}] * 200)

    assert score.value == pytest.approx(2 / 3, abs=0.01)
    assert (score.low, score.high) == (None, None)
    # No answer is no label.
    assert matthews.value == 0.0


def test_a_correlation_that_next_to_all_draws_share_has_no_interval_of_no_width() -> None:
    gold = ["contradiction"] * 12 + ["neutral"] * 3_000
    items = [make_item(n, label=one, context=n) for n, one in enumerate(gold)]
    outputs = [{"label": one} for one in gold]

    (score,) = measure(scored_by(("matthews", "label")), Split.TEST, items, outputs)

    assert (score.value, score.low, score.high) == (1.0, None, None)


@pytest.mark.parametrize(("largest", "least", "most"), [(5, 0.1, 0.35), (120, 0.4, 1.0)])
def test_contexts_of_unequal_sizes_say_less_of_a_whole_set(
    largest: int, least: float, most: float
) -> None:
    contexts = [*[0] * largest, *[1 + n % 19 for n in range(95)]]
    items = [
        replace(make_item(n, context=place), gold={"reply": "a b c d"})
        for n, place in enumerate(contexts)
    ]
    outputs = [{"reply": "a b" if place % 2 else "a b c d"} for place in contexts]

    (score,) = measure(scored_by(("wer", "reply")), Split.TEST, items, outputs)

    assert score.low is not None
    assert score.high is not None
    assert least < score.high - score.low < most


def test_one_context_says_nothing_of_the_spread() -> None:
    items = [make_item(number, context=0) for number in range(4)]
    (score,) = measure(MACRO_F1, Split.TEST, items, [{"label": "neutral"}] * 4)
    assert (score.value, score.low, score.high) == (1.0, None, None)


def test_what_no_dataset_has_the_answers_of_is_not_scored() -> None:
    items = [make_item(1)]
    config = scored_by(("chrf", "more"), ("accuracy", "label"))
    (score,) = measure(config, Split.TEST, items, [{"label": "neutral"}])
    assert (score.metric, score.value, score.is_principal) == ("accuracy", 1.0, False)
    assert item_scores(config, items, [{"label": "neutral"}]) == [None]


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf_pp", "wer", "matthews"])
def test_metrics_of_the_whole_set_have_intervals_around_them(name: str) -> None:
    said = ("the old bridge was closed", "the bridge was open again", "nobody knows")
    field = "label" if name == "matthews" else "reply"
    items = [
        replace(
            make_item(n, label=LABELS[n % 3], context=n // 2),
            gold={"label": LABELS[n % 3], "reply": said[n % 3]},
        )
        for n in range(40)
    ]
    outputs = [{"label": LABELS[n % 2], "reply": said[n % 2]} for n in range(40)]
    (score,) = measure(scored_by((name, field)), Split.TEST, items, outputs)
    assert score.value is not None
    assert score.low is not None
    assert score.high is not None
    assert -1 <= score.low < score.value < score.high


def test_an_interval_leaves_out_draws_on_which_nothing_is_defined() -> None:
    items = [replace(make_item(n, context=n), gold={"reply": "a b" if n else ""}) for n in range(3)]
    (score,) = measure(scored_by(("wer", "reply")), Split.TEST, items, [{"reply": "a"}] * 3)
    assert score.value == pytest.approx(0.75)
    empty = [replace(one, gold={"reply": ""}) for one in items]
    (none,) = measure(scored_by(("wer", "reply")), Split.TEST, empty, [{"reply": "a"}] * 3)
    assert (none.value, none.low, none.high, none.items) == (None, None, None, 3)


def test_labels_of_an_item_are_no_alternatives() -> None:
    item = replace(make_item(1), gold={"tags": ["rude", "odd"]})
    tags = scored_by(("accuracy", "tags"))
    assert item_scores(tags, [item], [{"tags": ["odd", "rude"]}]) == [1.0]
    assert item_scores(tags, [item], [{"tags": ["odd"]}]) == [0.0]
    assert item_scores(tags, [replace(item, gold={"tags": []})], [{"tags": []}]) == [1.0]


def test_without_its_model_spbleu_is_no_other_metric() -> None:
    config = scored_by(("sp_bleu", "reply"))
    item = replace(make_item(1), gold={"reply": "a"})
    for resources in (None, Resources(), Resources(sentencepiece=b"no model")):
        with pytest.raises(SentencePieceMissingError, match="sp_bleu cannot be computed"):
            item_scores(config, [item], [{"reply": "a"}], resources)


def test_one_of_several_acceptable_answers_is_a_hit() -> None:
    item = replace(make_item(1), gold={"label": ["neutral", "entailment"]})
    assert item_scores(ACCURACY, [item], [{"label": "entailment"}]) == [1.0]
    assert item_scores(ACCURACY, [item], [{}]) == [0.0]


def test_a_selection_counts_by_its_text() -> None:
    item = replace(make_item(1), gold={"answer": {"text": "the bridge", "start": 0, "end": 10}})
    said = {"answer": {"text": "bridge", "start": 4, "end": 10}}
    assert item_scores(scored_by(("squad_f1", "answer")), [item], [said]) == [1.0]


def test_a_metric_that_stands_twice_counts_once() -> None:
    twice = scored_by(("accuracy", "label"), ("accuracy", "label"))
    found = measure(twice, Split.TEST, [make_item(1)], [{"label": "neutral"}])
    assert len(found) == 1


@settings(max_examples=20)
@given(answers=answers, block=st.integers(1, 60))
def test_a_tag_s_scores_are_those_of_its_items_alone(
    answers: list[tuple[str, str | None, int]], block: int
) -> None:
    config = scored_by(("accuracy", "label"), ("macro_f1", "label"), ("matthews", "label"))
    items = [
        replace(make_item(number, label=gold, context=context), tags=(("even", "odd")[number % 2],))
        for number, (gold, _, context) in enumerate(answers)
    ]
    outputs = [{} if said is None else {"label": said} for _, said, _ in answers]
    together, _ = tally(config, items, outputs, block=block)
    for start, tag in enumerate(("even", "odd")):
        alone = measure(config, Split.TEST, items[start::2], outputs[start::2])
        found = [one for one in measure_tags(together, Split.TEST) if one.tag == tag]
        assert [(one.metric, one.items) for one in found] == [
            (one.metric, one.items) for one in alone if one.items
        ][: len(found)]
        for one, other in zip(found, alone, strict=bool(items[start::2])):
            assert one.value == pytest.approx(other.value)
            if one.metric == "accuracy":
                assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_the_quick_way_to_accuracy_finds_what_the_metric_finds() -> None:
    item = make_item(1)
    several = replace(item, gold={"label": ["neutral", "entailment"]})
    for items in ([item, item], [item, several]):
        said = [{"label": "entailment"}, {"label": "neutral"}]
        assert item_scores(ACCURACY, items, said) == [
            0.0 if one is item and output != {"label": "neutral"} else 1.0
            for one, output in zip(items, said, strict=True)
        ]
