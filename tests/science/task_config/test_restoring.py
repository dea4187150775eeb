"""A task as readers see it is enough to check a model against it."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import TaskConfigError
from dynabench.science.task_config.public import describe_config
from dynabench.science.task_config.restoring import restore_config

CATALOG = Path(__file__).parents[3] / "dynabench" / "catalog"
FILES = sorted(CATALOG.glob("*/*/task.yaml"), key=lambda path: path.parent.name)


def types_of(fields: Iterable[Field]) -> list[tuple[str, FieldType]]:
    return [(one.name, one.type) for one in fields]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.parent.name)
def test_a_description_gives_back_what_models_are_asked_and_answer(file: Path) -> None:
    config = load_task_config(file.read_text(encoding="utf-8"))

    restored = restore_config(json.loads(json.dumps(describe_config(config))))

    assert types_of(restored.context) == types_of(config.context)
    assert types_of(restored.input) == types_of(config.input)
    assert types_of(restored.output) == types_of(config.output)
    assert restored.model_wrong_metric == config.model_wrong_metric
    assert restored.perf_metrics == config.perf_metrics


@pytest.mark.parametrize("garbage", [{}, {"input": 3}, {"input": [None], "output": "label"}])
def test_what_is_no_description_is_refused(garbage: dict[str, object]) -> None:
    with pytest.raises(TaskConfigError):
        restore_config(garbage)
