"""The reader's answers are exact spans, whatever the passage and the question."""

import json
import math
import statistics
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.baselines.extractive_reader import best_span, candidates_in, log_odds
from dynabench.engines.baselines.passages import QUESTION_TYPES, question_of, stem_of, tokens_of
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import TrainedModel, TrainingItem
from tests.engines.baselines.patterns import READING, readings

TRAIN = Path(__file__).parents[3] / "dynabench" / "catalog" / "tasks" / "qa" / "train.jsonl"


@pytest.fixture(scope="module")
def reader() -> TrainedModel:
    return train("extractive-reader", readings(80), config=READING)


TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["Anna", "went", "to", "1921", "Rome", ".", ",", "the", "%", "$", "İ", "ǅ", "-"]
    ),
    max_size=40,
).map(" ".join)


@given(passage=TEXTS, question=TEXTS)
def test_an_answer_is_always_a_span_of_the_passage(
    reader: TrainedModel, passage: str, question: str
) -> None:
    (output,) = reader.predict([{"passage": passage, "question": question}])
    answer, probability = output["answer"], output["prob"]
    assert isinstance(answer, dict)
    assert passage[answer["start"] : answer["end"]] == answer["text"]
    assert isinstance(probability, float)
    assert 0 <= probability <= 1


@given(TEXTS)
def test_tokens_stand_where_they_say(text: str) -> None:
    tokens = tokens_of(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(
        first.end <= second.start and second.sentence - first.sentence in {0, 1}
        for first, second in pairwise(tokens)
    )


def test_no_candidate_crosses_a_sentence() -> None:
    tokens, candidates, _kind = candidates_in("Anna ran. Tom hid behind the barn.", "Who hid?")
    assert all(
        tokens[first].sentence == tokens[last].sentence
        for first, last in zip(candidates.first, candidates.last, strict=True)
    )
    assert candidates.figures.shape[0] == len(candidates.first) > 5


@pytest.mark.parametrize(
    ("question", "kind", "asked_for"),
    [
        ("Who built it?", "who", ""),
        ("To whom was it sold?", "who", ""),
        ("How many boats came?", "how many", "boat"),
        ("How old was the bell?", "how long", ""),
        ("In what year did it open?", "when", ""),
        ("Which town did she leave?", "which", "town"),
        ("Name the founder.", "other", ""),
        ("", "other", ""),
    ],
)
def test_a_question_is_read(question: str, kind: str, asked_for: str) -> None:
    read = question_of(question)
    assert (read.kind, read.asked_for) == (kind, asked_for)
    assert read.kind in QUESTION_TYPES


@pytest.mark.parametrize(
    ("first", "second"),
    [("keeps", "keeping"), ("stopped", "stop"), ("making", "make"), ("city\u2019s", "city")],
)
def test_endings_do_not_hide_a_word(first: str, second: str) -> None:
    assert stem_of(first) == stem_of(second)


def test_twins_share_their_probability() -> None:
    _tokens, candidates, kind = candidates_in("The lamp is red.", "What is red?")
    weights = candidates.figures[:1] * 0
    _best, share = best_span(candidates, weights.repeat(1 + len(QUESTION_TYPES), axis=0), kind=kind)
    assert 0 < share <= 1


@given(st.floats(0, 1))
def test_log_odds_are_finite(share: float) -> None:
    assert math.isfinite(log_odds(share))


def test_plain_text_answers_teach_as_spans_do() -> None:
    items = [
        TrainingItem(
            context=item.context,
            inputs=item.inputs,
            # The pattern's answers are objects.
            answer={"answer": item.answer["answer"]["text"]},  # type: ignore[index]
        )
        for item in readings(80)
    ]
    model = train("extractive-reader", items, config=READING)
    item = readings(1, seed=7)[0]
    assert model.predict([item.model_input()])[0]["answer"] == item.answer["answer"]


def token_f1(first: str, second: str) -> float:
    left, right = Counter(first.lower().split()), Counter(second.lower().split())
    shared = sum((left & right).values())
    return 2 * shared / (left.total() + right.total())


def test_starter_data_teaches_far_more_than_chance() -> None:
    rows = [json.loads(line) for line in TRAIN.read_text("utf-8").splitlines()]
    passages = list(dict.fromkeys(row["context"]["passage"] for row in rows))
    held = set(passages[::5])
    items = [
        (
            row["context"]["passage"] in held,
            TrainingItem(context=row["context"], inputs=row["inputs"], answer=row["answer"]),
        )
        for row in rows
    ]
    model = train(
        "extractive-reader", [item for is_held, item in items if not is_held], config=READING
    )
    scores, sure = [], []
    for item in (item for is_held, item in items if is_held):
        (output,) = model.predict([item.model_input()])
        answer, gold = output["answer"], item.answer["answer"]
        assert isinstance(answer, dict)
        assert isinstance(gold, dict)
        assert isinstance(output["prob"], float)
        scores.append(token_f1(answer["text"], gold["text"]))
        sure.append(output["prob"])
    # A span drawn at random among the candidates reaches 0.05.
    assert statistics.mean(scores) > 0.3
    assert abs(statistics.mean(sure) - statistics.mean(scores)) < 0.2
