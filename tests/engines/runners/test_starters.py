"""What `dynabench model init` writes answers its task validly before anybody changed it."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.protocol import TargetKind
from dynabench.engines.runners.manifest import ManifestError, read_card, read_manifest
from dynabench.engines.runners.starters.files import starter_files
from dynabench.engines.runners.starters.values import Starter
from dynabench.loop.models.checks.service import check_folder
from dynabench.loop.models.checks.values import CheckReport
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

CATALOG = Path(__file__).parents[3] / "dynabench" / "catalog"
TASKS = {path.parent.name: path for path in CATALOG.glob("*/*/task.yaml")}
EVERY_TYPE = load_task_config(
    """
context: [{name: 'text', type: string}]
input:
  - {name: tone, type: multiclass, labels: ["it's", 'say "no"', plain]}
  - {name: topics, type: multilabel, labels: [a, b]}
  - {name: worth, type: number, min: 3, max: 9}
  - {name: stars, type: rating}
output:
  - {name: tone}
  - {name: topics}
  - {name: worth}
  - {name: stars}
  - {name: prob, type: prob, reference_name: tone}
  - {name: places, type: spans, reference_name: text}
  - {name: words, type: context_string_selection, reference_name: text}
  - {name: reply, type: string, min_length: 60, max_length: 70}
model_wrong_metric: {type: exact_match, reference_names: [tone]}
perf_metric: {type: accuracy, reference_name: tone}
"""
)


def write(folder: Path, task: str, config: TaskConfig, kind: TargetKind) -> None:
    for name, content in starter_files(Starter(task=task, config=config, kind=kind)).items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


async def checked(folder: Path, config: TaskConfig) -> CheckReport:
    manifest = read_manifest(folder)
    kind = ModelKind(manifest.kind or "")
    spec = spec_for(config, kind=kind, name="Mine", options=manifest.options)
    return await check_folder(folder, spec, config, factory=build_target)


def config_of(task: str) -> TaskConfig:
    return load_task_config(TASKS[task].read_text(encoding="utf-8"))


@pytest.mark.parametrize("task", sorted(TASKS))
async def test_a_handler_passes_for_every_task_of_the_catalogue(task: str, tmp_path: Path) -> None:
    config = config_of(task)
    write(tmp_path, task, config, "handler")

    report = await checked(tmp_path, config)

    assert report.has_passed, report.log
    assert read_manifest(tmp_path).task == task


async def test_a_handler_passes_for_every_type_of_field(tmp_path: Path) -> None:
    write(tmp_path, "odd", EVERY_TYPE, "handler")

    report = await checked(tmp_path, EVERY_TYPE)

    assert report.has_passed, report.log


@pytest.mark.parametrize("task", ["nli", "qa", "hate-speech", "sentiment-arabic"])
async def test_an_onnx_folder_passes_where_labels_or_words_of_a_passage_are_asked(
    task: str, tmp_path: Path
) -> None:
    config = config_of(task)
    write(tmp_path, task, config, "onnx")

    report = await checked(tmp_path, config)

    assert report.has_passed, report.log
    assert report.warnings == (), "a batch answers as each alone"


async def test_scores_are_read_in_the_order_that_the_builder_named(tmp_path: Path) -> None:
    config = config_of("nli")
    write(tmp_path, "nli", config, "onnx")
    labels = ["contradiction", "entailment", "neutral"]
    spec = spec_for(config, kind=ModelKind.ONNX, name="Mine", options={"labels": labels})
    await check_folder(tmp_path, spec, config, factory=build_target)
    target = build_target(replace(spec, options={"folder": str(tmp_path)}))

    (answer,) = await target.predict([{"premise": "A dog.", "hypothesis": "A cat."}])
    await target.close()

    # The starter's network gives its first label most, its last least.
    assert answer.outputs["label"] == "contradiction"
    assert answer.probabilities is not None
    assert list(answer.probabilities) == labels
    assert list(answer.probabilities.values()) == sorted(answer.probabilities.values())[::-1]


def test_an_image_s_files_hold_the_worker_that_the_server_speaks_to(tmp_path: Path) -> None:
    write(tmp_path, "nli", config_of("nli"), "container")

    worker = (tmp_path / "dynabench_worker.py").read_text("utf-8")
    assert "def main(" in worker
    assert "dynabench_worker.py" in (tmp_path / "Dockerfile").read_text("utf-8")


def test_a_title_cannot_put_code_into_a_model(tmp_path: Path) -> None:
    document = yaml.safe_load(TASKS["nli"].read_text(encoding="utf-8"))
    document["title"] = 'x"""\nimport os\nos.abort()\n'
    config = load_task_config(yaml.safe_dump(document))

    write(tmp_path, "nli", config, "handler")

    source = (tmp_path / "model.py").read_text("utf-8")
    assert [line for line in source.splitlines() if "abort" in line] == [
        '# Task: x""" import os os.abort()'
    ]


def test_a_card_without_words_is_no_card(tmp_path: Path) -> None:
    write(tmp_path, "nli", config_of("nli"), "handler")
    assert read_card(tmp_path) is None

    (tmp_path / "card.yaml").write_text("licence: MIT\nethics: ''\n")
    assert read_card(tmp_path) == {"licence": "MIT"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kinds: onnx", "kinds is not known"),
        ("options: [1]", "options must map"),
        ("name: 3", "name must be a text"),
        ("- a", "must map keys"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_wrong_manifest_says_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "dynabench.yaml").write_text(text)

    with pytest.raises(ManifestError, match=words):
        read_manifest(tmp_path)
