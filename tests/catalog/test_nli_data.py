"""The data of the core task `nli` is whole, balanced and free of repeats."""

import itertools
from collections import Counter
from importlib.resources import files
from typing import Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = files("dynabench.catalog").joinpath("tasks", "nli")
DEMO_ROUNDS = ("demo_round1.jsonl", "demo_round2.jsonl")
LABELS = ("entailment", "neutral", "contradiction")
NEAR_DUPLICATE = 0.7


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Premise(Strict):
    premise: str


class Hypothesis(Strict):
    hypothesis: str


class Answer(Strict):
    label: Literal["entailment", "neutral", "contradiction"]


class StarterContext(Strict):
    context: Premise
    tag: str
    metadata: dict[str, str]


class TrainItem(Strict):
    uid: str
    context: Premise
    inputs: Hypothesis
    answer: Answer


class DemoItem(Strict):
    context_index: int
    inputs: Hypothesis
    answer: Answer


def lines(name: str) -> list[str]:
    return FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()


def contexts() -> list[StarterContext]:
    return [StarterContext.model_validate_json(line) for line in lines("contexts.jsonl")]


def train() -> list[TrainItem]:
    return [TrainItem.model_validate_json(line) for line in lines("train.jsonl")]


def demo(name: str) -> list[DemoItem]:
    return [DemoItem.model_validate_json(line) for line in lines(name)]


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


def shares(labels: list[str]) -> dict[str, float]:
    counted = Counter(labels)
    return {label: counted[label] / len(labels) for label in LABELS}


def test_the_config_is_yaml_with_short_instructions() -> None:
    config = yaml.safe_load(FOLDER.joinpath("task.yaml").read_text(encoding="utf-8"))
    assert config["schema_version"] == 1
    assert config["input"][1]["labels"] == list(LABELS)
    assert len(config["instructions"].split()) <= 350


def test_there_is_enough_of_everything() -> None:
    assert len(contexts()) >= 60
    assert len(train()) >= 450
    for name in DEMO_ROUNDS:
        assert len(demo(name)) >= 48


def test_premises_to_write_about_have_one_to_four_sentences_worth_of_words() -> None:
    for starter in contexts():
        assert 25 <= len(starter.context.premise.split()) <= 70, starter.context.premise


def test_premises_come_from_many_genres() -> None:
    assert len({starter.tag for starter in contexts()}) >= 8


def test_no_text_is_empty_or_padded() -> None:
    texts = [starter.context.premise for starter in contexts()]
    texts += [starter.tag for starter in contexts()]
    texts += [text for item in train() for text in (item.context.premise, item.inputs.hypothesis)]
    texts += [item.inputs.hypothesis for name in DEMO_ROUNDS for item in demo(name)]
    for text in texts:
        assert text
        assert text == text.strip()
        assert "  " not in text


def test_hypotheses_fit_the_field() -> None:
    hypotheses = [item.inputs.hypothesis for item in train()]
    hypotheses += [item.inputs.hypothesis for name in DEMO_ROUNDS for item in demo(name)]
    assert max(map(len, hypotheses)) <= 400


def test_training_labels_are_balanced() -> None:
    for label, share in shares([item.answer.label for item in train()]).items():
        assert 0.28 <= share <= 0.38, label


@pytest.mark.parametrize("name", DEMO_ROUNDS)
def test_demo_labels_are_balanced(name: str) -> None:
    for label, share in shares([item.answer.label for item in demo(name)]).items():
        assert 0.28 <= share <= 0.38, label


def test_training_uids_are_unique() -> None:
    uids = [item.uid for item in train()]
    assert len(set(uids)) == len(uids)
    assert all(uid.startswith("nli-train-") for uid in uids)


def test_training_premises_carry_more_than_one_label() -> None:
    labels: dict[str, set[str]] = {}
    for item in train():
        labels.setdefault(item.context.premise, set()).add(item.answer.label)
    assert all(len(found) > 1 for found in labels.values())


def test_premises_of_training_and_contexts_are_disjoint_and_distinct() -> None:
    premises = [starter.context.premise for starter in contexts()]
    premises += sorted({item.context.premise for item in train()})
    assert near_duplicates(premises) == []


def test_hypotheses_are_distinct_within_and_across_training_and_both_rounds() -> None:
    hypotheses = [item.inputs.hypothesis for item in train()]
    hypotheses += [item.inputs.hypothesis for name in DEMO_ROUNDS for item in demo(name)]
    assert near_duplicates(hypotheses) == []


@pytest.mark.parametrize("name", DEMO_ROUNDS)
def test_demo_items_are_spread_over_existing_contexts(name: str) -> None:
    uses = Counter(item.context_index for item in demo(name))
    assert set(uses) <= set(range(len(contexts())))
    assert len(uses) >= 24
    assert max(uses.values()) <= 3
