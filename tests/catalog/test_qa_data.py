"""The data of the core task `qa` is whole, exact to the character and free of repeats."""

import itertools
from collections import Counter
from importlib.resources import files

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = files("dynabench.catalog").joinpath("tasks", "qa")
DEMO_ROUNDS = ("demo_round1.jsonl", "demo_round2.jsonl")
NEAR_DUPLICATE = 0.7
QUESTION_WORDS = ("who", "what", "when", "where", "how", "why", "which")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Passage(Strict):
    passage: str


class Question(Strict):
    question: str


class Span(Strict):
    text: str
    start: int
    end: int


class Answer(Strict):
    answer: Span


class StarterContext(Strict):
    context: Passage
    tag: str
    metadata: dict[str, str]


class TrainItem(Strict):
    uid: str
    context: Passage
    inputs: Question
    answer: Answer


class DemoItem(Strict):
    context_index: int
    inputs: Question
    answer: Answer


def lines(name: str) -> list[str]:
    return FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()


def contexts() -> list[StarterContext]:
    return [StarterContext.model_validate_json(line) for line in lines("contexts.jsonl")]


def train() -> list[TrainItem]:
    return [TrainItem.model_validate_json(line) for line in lines("train.jsonl")]


def demo(name: str) -> list[DemoItem]:
    return [DemoItem.model_validate_json(line) for line in lines(name)]


def answered() -> list[tuple[str, str, Span]]:
    """Every (passage, question, span) of training and of both demo rounds."""
    starters = contexts()
    rows = [(item.context.passage, item.inputs.question, item.answer.answer) for item in train()]
    rows += [
        (starters[item.context_index].context.passage, item.inputs.question, item.answer.answer)
        for name in DEMO_ROUNDS
        for item in demo(name)
    ]
    return rows


def squeeze(text: str) -> str:
    spaced = "".join(char if char.isalnum() else " " for char in text.casefold())
    return " ".join(spaced.split())


def shingles(text: str) -> frozenset[str]:
    squeezed = squeeze(text)
    return frozenset(squeezed[at : at + 5] for at in range(max(1, len(squeezed) - 4)))


def near_duplicates(texts: list[str]) -> list[tuple[str, str]]:
    cut = [(text, shingles(text)) for text in texts]
    return [
        (one, other)
        for (one, left), (other, right) in itertools.combinations(cut, 2)
        if len(left & right) >= NEAR_DUPLICATE * len(left | right)
    ]


def test_the_config_is_yaml_with_short_instructions() -> None:
    config = yaml.safe_load(FOLDER.joinpath("task.yaml").read_text(encoding="utf-8"))
    assert config["schema_version"] == 1
    assert config["input"][1]["reference_name"] == config["context"][0]["name"]
    assert len(config["instructions"].split()) <= 350


def test_there_is_enough_of_everything() -> None:
    assert len(contexts()) >= 60
    assert len(train()) >= 320
    assert len({item.context.passage for item in train()}) >= 80
    for name in DEMO_ROUNDS:
        assert len(demo(name)) >= 48


def test_passages_to_write_about_have_the_length_of_a_paragraph() -> None:
    for starter in contexts():
        assert 70 <= len(starter.context.passage.split()) <= 140, starter.context.passage


def test_passages_come_from_many_genres() -> None:
    assert len({starter.tag for starter in contexts()}) >= 8


def test_no_text_is_empty_or_padded() -> None:
    texts = [starter.context.passage for starter in contexts()]
    texts += [starter.tag for starter in contexts()]
    texts += [text for passage, question, _ in answered() for text in (passage, question)]
    for text in texts:
        assert text
        assert text == text.strip()
        assert "  " not in text


def test_every_question_is_one_and_fits_the_field() -> None:
    for _, question, _ in answered():
        assert question.endswith("?"), question
        assert len(question) <= 400


def test_offsets_are_exact() -> None:
    for passage, question, span in answered():
        assert passage[span.start : span.end] == span.text, question


def test_answers_are_short_and_begin_and_end_at_words() -> None:
    for passage, question, span in answered():
        around = passage[max(0, span.start - 1) : span.start] + passage[span.end : span.end + 1]
        assert span.text == span.text.strip()
        assert not any(char.isalnum() for char in around), question
        assert 1 <= len(span.text.split()) <= 12, question


def test_no_question_gives_its_answer_away() -> None:
    for _, question, span in answered():
        assert f" {squeeze(span.text)} " not in f" {squeeze(question)} ", question


def test_training_asks_every_kind_of_question() -> None:
    first_words = Counter(squeeze(item.inputs.question).split()[0] for item in train())
    for word in QUESTION_WORDS:
        assert first_words[word] >= 10, word


def test_training_uids_are_unique() -> None:
    uids = [item.uid for item in train()]
    assert len(set(uids)) == len(uids)
    assert all(uid.startswith("qa-train-") for uid in uids)


def test_passages_of_training_and_contexts_are_disjoint_and_distinct() -> None:
    passages = [starter.context.passage for starter in contexts()]
    passages += sorted({item.context.passage for item in train()})
    assert near_duplicates(passages) == []


def test_questions_are_distinct_within_and_across_training_and_both_rounds() -> None:
    assert near_duplicates([question for _, question, _ in answered()]) == []


@pytest.mark.parametrize("name", DEMO_ROUNDS)
def test_demo_items_are_spread_over_existing_contexts(name: str) -> None:
    uses = Counter(item.context_index for item in demo(name))
    assert set(uses) <= set(range(len(contexts())))
    assert len(uses) >= 24
    assert max(uses.values()) <= 3
