"""Folders as they are handed in: lifted, looked at, and given a model.py where they need one."""

import builtins
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dynabench.engines.inference.protocol import TargetKind, TargetSpec
from dynabench.engines.runners.errors import RunnerNotInstalledError, UnusableModelError
from dynabench.engines.runners.installed import require_runner
from dynabench.engines.runners.options import read_options
from dynabench.engines.runners.preparing import (
    prepare_folder,
    prepare_handler,
    prepare_huggingface,
)
from dynabench.science.task_config.loader import load_task_config

CONFIG = load_task_config(
    (Path(__file__).parents[3] / "dynabench/catalog/tasks/nli/task.yaml").read_text("utf-8")
)
LABELS = ("entailment", "neutral", "contradiction")


def spec(kind: TargetKind, **options: object) -> TargetSpec:
    return TargetSpec(
        kind=kind, name="Mine", input_names=(), output_names=("label",), options=options
    )


def lay_out(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def id2label(*names: str) -> str:
    return json.dumps({"id2label": dict(enumerate(names))})


def test_a_folder_one_level_too_deep_is_lifted(tmp_path: Path) -> None:
    lay_out(tmp_path, mine__model_py="def predict(batch): ...", mine__mine__data_txt="x")
    (tmp_path / "__MACOSX").mkdir()

    prepare_folder(tmp_path, spec("handler"), CONFIG)

    assert names_in(tmp_path) == {"model.py", "mine/data.txt"}


def test_a_folder_of_any_name_is_lifted(tmp_path: Path) -> None:
    lay_out(tmp_path / ".lifted" / ".lifted", data_txt="x")
    lay_out(tmp_path / ".lifted", model_py="def predict(batch): ...")
    prepare_folder(tmp_path, spec("handler"), CONFIG)
    assert names_in(tmp_path) == {"model.py", ".lifted/data.txt"}


@pytest.mark.parametrize(
    "line",
    [
        'pip; python_version ~= "abc"',
        'pip; "a" < "b"',
        'pip; "x" in extras',
        f"pip; {'(' * 900}os_name == 'x'{')' * 900}",
    ],
)
def test_a_requirement_that_nobody_can_read_is_told(tmp_path: Path, line: str) -> None:
    lay_out(tmp_path, model_py="def predict(batch): ...", requirements_txt=line)
    with pytest.raises(UnusableModelError, match="Line 1"):
        prepare_folder(tmp_path, spec("handler"), CONFIG)


def test_a_label_s_number_may_be_of_any_length(tmp_path: Path) -> None:
    names = json.dumps({"id2label": {"1" * 5_000: "yes"}})
    lay_out(tmp_path, model_onnx="", tokenizer_json="{}", config_json=names)
    with pytest.raises(UnusableModelError, match="in which order"):
        prepare_folder(tmp_path, spec("onnx"), CONFIG)


def test_an_onnx_folder_gets_a_model_that_knows_its_labels(tmp_path: Path) -> None:
    lay_out(tmp_path, model_onnx="network", tokenizer_json="{}")
    chosen = list(reversed(LABELS))

    for _ in range(2):
        prepare_folder(tmp_path, spec("onnx", labels=chosen), CONFIG)

    assert json.loads((tmp_path / "runner.json").read_text("utf-8"))["labels"] == chosen
    compile((tmp_path / "model.py").read_text("utf-8"), "model.py", "exec")


def test_labels_of_a_model_s_own_config_are_taken_by_name(tmp_path: Path) -> None:
    names = [label.upper() for label in reversed(LABELS)]
    lay_out(tmp_path, model_onnx="network", tokenizer_json="{}", config_json=id2label(*names))

    prepare_folder(tmp_path, spec("onnx"), CONFIG)

    told = json.loads((tmp_path / "runner.json").read_text("utf-8"))
    assert told["labels"] == list(reversed(LABELS))


@pytest.mark.parametrize(
    ("kind", "files", "field", "words"),
    [
        ("handler", {"readme_md": ""}, "model.py", "has no model.py"),
        ("onnx", {"tokenizer_json": "{}"}, "model.onnx", "no model.onnx"),
        ("onnx", {"model_onnx": ""}, "tokenizer.json", "no tokenizer.json"),
        ("onnx", {"model_onnx": "", "tokenizer_json": "{"}, "tokenizer.json", "not JSON"),
        ("onnx", {"model_onnx": "", "tokenizer_json": "{}"}, "labels", "in which order"),
        (
            "onnx",
            {"model_onnx": "", "tokenizer_json": "{}", "config_json": id2label("LABEL_0")},
            "labels",
            "'LABEL_0' is none of the task's",
        ),
        (
            "onnx",
            {"model_onnx": "", "tokenizer_json": "{}", "model_py": ""},
            "model.py",
            "hand the folder in as a handler",
        ),
    ],
)
def test_a_folder_that_cannot_be_run_says_which_file_and_why(
    tmp_path: Path, kind: TargetKind, files: Mapping[str, str], field: str, words: str
) -> None:
    lay_out(tmp_path, **files)

    with pytest.raises(UnusableModelError) as caught:
        prepare_folder(tmp_path, spec(kind), CONFIG)

    assert words in caught.value.fields[field]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (["pytorch_model.bin", "model.safetensors"], "pytorch_model.bin may hold code"),
        (["deep/nested.pkl", "model.safetensors"], "deep/nested.pkl may hold code"),
        (["readme.md"], "no weights"),
    ],
)
def test_weights_that_can_hold_code_are_refused(
    tmp_path: Path, weights: list[str], words: str
) -> None:
    options = read_options("huggingface", {}, config=CONFIG)
    assert options is not None
    lay_out(tmp_path, config_json=id2label(*LABELS))
    for name in weights:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")

    with pytest.raises(UnusableModelError, match=words):
        prepare_huggingface(tmp_path, options)


def test_labels_can_be_mapped_by_the_builder(tmp_path: Path) -> None:
    labels = dict(zip(("LABEL_0", "LABEL_1", "LABEL_2"), LABELS, strict=True))
    options = read_options("huggingface", {"labels": labels}, config=CONFIG)
    assert options is not None
    lay_out(tmp_path, config_json=id2label(*labels))
    (tmp_path / "model.safetensors").write_bytes(b"x")
    (tmp_path / "training_args.bin").write_bytes(b"nothing reads it")

    prepare_huggingface(tmp_path, options)

    assert json.loads((tmp_path / "runner.json").read_text("utf-8"))["labels"] == labels


def test_what_is_not_installed_is_said_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dynabench.engines.runners.installed.find_spec", lambda _: None)

    with pytest.raises(RunnerNotInstalledError, match=r"onnxruntime.*dynabench-platform\[onnx\]"):
        require_runner("onnx")
    require_runner("handler")


def test_no_source_is_compiled_outside_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        pytest.fail("A few bytes can keep the compiler busy for minutes.")

    (tmp_path / "model.py").write_text(f"{'.'.join(['a'] * 40_000)}\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "compile", refuse)
        prepare_handler(tmp_path)


def test_a_source_that_is_too_large_is_refused_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def predict(batch): return batch\n", encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "large.py").write_text("#" * 102_401, encoding="utf-8")

    with pytest.raises(UnusableModelError) as refused:
        prepare_handler(tmp_path)

    sentence = "parts/large.py must be a file of at most 100 KiB."
    assert refused.value.fields == {"parts/large.py": sentence}
