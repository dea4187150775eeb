"""The data of the core task `sentiment` is whole, balanced and free of repeats."""

import itertools
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = files("dynabench.catalog").joinpath("tasks", "sentiment")
DEMO_ROUNDS = ("demo_round1.jsonl", "demo_round2.jsonl")
LABELS = ("positive", "negative", "neutral")
NEAR_DUPLICATE = 0.7


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Prompt(Strict):
    prompt: str


class Inputs(Strict):
    statement: str


class Answer(Strict):
    label: Literal["positive", "negative", "neutral"]


class StarterContext(Strict):
    context: Prompt
    tag: str
    metadata: dict[str, str]


class TrainItem(Strict):
    uid: str
    context: Prompt
    inputs: Inputs
    answer: Answer


class DemoItem(Strict):
    context_index: int
    inputs: Inputs
    answer: Answer


def lines(name: str) -> list[str]:
    return FOLDER.joinpath(name).read_text(encoding="utf-8").splitlines()


def contexts() -> list[StarterContext]:
    return [StarterContext.model_validate_json(line) for line in lines("contexts.jsonl")]


def train() -> list[TrainItem]:
    return [TrainItem.model_validate_json(line) for line in lines("train.jsonl")]


def demo(name: str) -> list[DemoItem]:
    return [DemoItem.model_validate_json(line) for line in lines(name)]


def statements() -> list[str]:
    written = [item.inputs.statement for item in train()]
    return written + [item.inputs.statement for name in DEMO_ROUNDS for item in demo(name)]


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


def share(label: str, labels: Sequence[str]) -> float:
    return labels.count(label) / len(labels)


def test_the_config_is_yaml_with_short_instructions_and_a_warning() -> None:
    config = yaml.safe_load(FOLDER.joinpath("task.yaml").read_text(encoding="utf-8"))
    assert config["schema_version"] == 1
    assert config["input"][1]["labels"] == list(LABELS)
    assert config["content_warning"].strip()
    assert len(config["instructions"].split()) <= 350


def test_there_is_enough_of_everything() -> None:
    assert len(contexts()) >= 60
    assert len(train()) >= 500
    for name in DEMO_ROUNDS:
        assert len(demo(name)) >= 48


def test_contexts_come_from_many_walks_of_life() -> None:
    tags = Counter(starter.tag for starter in contexts())
    assert len(tags) >= 10
    assert max(tags.values()) <= len(contexts()) / 4


def test_no_text_is_empty_or_padded() -> None:
    texts = [text for starter in contexts() for text in (starter.context.prompt, starter.tag)]
    texts += [item.context.prompt for item in train()]
    for text in texts + statements():
        assert text
        assert text == text.strip()
        assert "  " not in text


def test_statements_fit_the_field_and_vary_in_length() -> None:
    lengths = [len(statement) for statement in statements()]
    assert 3 <= min(lengths) <= 30
    assert 120 <= max(lengths) <= 500


@pytest.mark.parametrize("label", LABELS)
def test_training_labels_are_balanced(label: str) -> None:
    assert 0.3 <= share(label, [item.answer.label for item in train()]) <= 0.37


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("name", DEMO_ROUNDS)
def test_demo_labels_are_balanced(name: str, label: str) -> None:
    assert 0.25 <= share(label, [item.answer.label for item in demo(name)]) <= 0.4


def test_training_uids_count_upwards_from_one() -> None:
    expected = [f"sentiment-train-{number:04d}" for number in range(1, len(train()) + 1)]
    assert [item.uid for item in train()] == expected


def test_training_prompts_carry_more_than_one_label() -> None:
    labels: dict[str, set[str]] = {}
    for item in train():
        labels.setdefault(item.context.prompt, set()).add(item.answer.label)
    assert [prompt for prompt, found in labels.items() if len(found) == 1] == []


def test_prompts_of_training_and_contexts_are_disjoint_and_distinct() -> None:
    prompts = [starter.context.prompt for starter in contexts()]
    prompts += sorted({item.context.prompt for item in train()})
    assert near_duplicates(prompts) == []


def test_statements_are_distinct_within_and_across_training_and_both_rounds() -> None:
    assert near_duplicates(statements()) == []


@pytest.mark.parametrize("name", DEMO_ROUNDS)
def test_demo_items_are_spread_over_existing_contexts(name: str) -> None:
    uses = Counter(item.context_index for item in demo(name))
    assert set(uses) <= set(range(len(contexts())))
    assert len(uses) >= 24
    assert max(uses.values()) <= 3
