"""The options of models that a runner of ours loads: what is left out is found in the task."""

from pathlib import Path

import pytest

from dynabench.engines.inference.errors import TargetSpecError
from dynabench.engines.inference.protocol import TargetKind
from dynabench.engines.runners.options import Pipeline, RunnerOptions, read_options
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

CATALOG = Path(__file__).parents[3] / "dynabench" / "catalog"


def config_of(name: str) -> TaskConfig:
    (path,) = CATALOG.glob(f"*/{name}/task.yaml")
    return load_task_config(path.read_text(encoding="utf-8"))


def read(task: str, kind: TargetKind, **options: object) -> RunnerOptions:
    found = read_options(kind, options, config=config_of(task))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("task", "pipeline", "inputs"),
    [
        ("nli", Pipeline.TEXT_CLASSIFICATION, ("premise", "hypothesis")),
        ("qa", Pipeline.QUESTION_ANSWERING, ("question", "passage")),
        ("hate-targets", Pipeline.TAGGING, ("statement",)),
        ("translation-spanish", Pipeline.TEXT2TEXT_GENERATION, ("situation", "sentence")),
        ("red-team-assistant", Pipeline.TEXT_GENERATION, ("scene", "instructions")),
    ],
)
def test_what_a_model_reads_and_does_follows_from_the_task(
    task: str, pipeline: Pipeline, inputs: tuple[str, ...]
) -> None:
    found = read(task, "huggingface")

    assert (found.pipeline, found.inputs) == (pipeline, inputs)


@pytest.mark.parametrize(
    ("task", "kind", "options", "field", "words"),
    [
        ("nli", "onnx", {"label": []}, "label", "Did you mean labels?"),
        ("nli", "onnx", {"labels": ["neutral"]}, "labels", "each label once"),
        ("nli", "onnx", {"inputs": ["label"]}, "inputs", "no text that models see"),
        ("nli", "onnx", {"max_length": 1}, "max_length", "from 8 to"),
        ("nli", "onnx", {"hub": "a/b"}, "hub", "no such option"),
        ("nli", "huggingface", {"labels": {"A": "maybe"}}, "labels", "no label of the task"),
        ("nli", "huggingface", {"pipeline": "question-answering"}, "pipeline", "needs text-cl"),
        ("nli", "huggingface", {"prompt": "Say yes."}, "prompt", "{premise}, {hypothesis}"),
        ("translation-spanish", "onnx", {}, "pipeline", "Hand in a handler"),
        ("spoken-tones", "huggingface", {}, "inputs", "shows no text"),
    ],
)
def test_a_wrong_option_is_named_with_what_it_must_be(
    task: str, kind: TargetKind, options: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(TargetSpecError) as caught:
        read(task, kind, **options)

    assert words in caught.value.fields[field]


def test_a_handler_has_no_options_but_those_of_who_runs_it() -> None:
    config = config_of("nli")
    ours = {"folder": "/somewhere", "isolation": "sandbox"}

    assert read_options("handler", ours, config=config) is None
    with pytest.raises(TargetSpecError):
        read_options("handler", {"max_length": 9}, config=config)
