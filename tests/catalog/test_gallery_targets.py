"""The models that gallery tasks start with learn from the starter data."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dynabench.engines.baselines.model_folder import digest
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import TrainedModel, TrainingItem
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.training.rules import choose_recipe, summarise
from dynabench.loop.training.values import STARTER_FILE
from dynabench.science.metrics.registry import metric
from dynabench.science.metrics.values import Answer
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig


def task(name: str) -> tuple[TaskConfig, list[TrainingItem]]:
    folder = CatalogFolder(f"gallery/{name}")
    rows = folder.place.joinpath(STARTER_FILE).read_text(encoding="utf-8").splitlines()
    items = [
        TrainingItem(context=row["context"], inputs=row["inputs"], answer=row["answer"])
        for row in map(json.loads, rows)
    ]
    return load_task_config(folder.config()), items


def fit(config: TaskConfig, items: Sequence[TrainingItem]) -> TrainedModel:
    return train(choose_recipe(config, None), items, config=summarise(config))


def parts(items: Sequence[TrainingItem]) -> list[tuple[list[TrainingItem], list[TrainingItem]]]:
    """Hold the items of every fifth context out, in five ways."""
    contexts = list(dict.fromkeys(json.dumps(dict(item.context)) for item in items))
    split = []
    for first in range(5):
        held = set(contexts[first::5])
        split.append(
            (
                [item for item in items if json.dumps(dict(item.context)) not in held],
                [item for item in items if json.dumps(dict(item.context)) in held],
            )
        )
    return split


def as_is(value: object) -> Answer:
    assert isinstance(value, str)
    return value


def as_set(value: object) -> Answer:
    assert isinstance(value, list)
    return frozenset((one["start"], one["end"], one["label"]) for one in value)


def score(
    config: TaskConfig,
    items: Sequence[TrainingItem],
    answers: Sequence[object],
    read: Callable[[object], Answer],
) -> float:
    (name,) = config.gold_names
    gold = [read(item.answer[name]) for item in items]
    found = metric(config.perf_metrics[0].name)(gold, [read(answer) for answer in answers])
    assert found.value is not None
    return found.value


@pytest.mark.parametrize(
    ("name", "read", "margin"),
    [
        ("hate-targets", as_set, 0.1),
        ("sentiment-arabic", as_is, 0.2),
        ("translation-spanish", as_is, 0.3),
    ],
)
def test_a_first_model_answers_contexts_it_has_not_seen_better_than_one_answer_to_all(
    name: str, read: Callable[[object], Answer], margin: float
) -> None:
    config, items = task(name)
    (gold,) = config.gold_names
    held: list[TrainingItem] = []
    learnt: list[object] = []
    always: list[object] = []
    for seen, asked in parts(items):
        answers = fit(config, seen).predict([item.model_input() for item in asked])
        usual = Counter(json.dumps(item.answer[gold]) for item in seen).most_common(1)[0][0]
        held += asked
        learnt += [config.check_prediction(one)[gold] for one in answers]
        always += [json.loads(usual)] * len(asked)
    assert score(config, held, learnt, read) > score(config, held, always, read) + margin


@pytest.mark.parametrize("name", ["hate-targets", "sentiment-arabic", "translation-spanish"])
def test_a_first_model_is_the_same_whenever_it_is_trained(name: str, tmp_path: Path) -> None:
    config, items = task(name)
    for folder in ("first", "second"):
        fit(config, items).save(tmp_path / folder)
    assert digest(tmp_path / "first") == digest(tmp_path / "second")
