"""`dynabench model init` and `dynabench model test`: what the server would say, before it does."""

import asyncio
import json
from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.loop.models.checks.service import check_folder
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.values import ModelKind
from dynabench.science.task_config.loader import load_task_config
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.hubs import serving

WRONG = """
def predict(batch):
    print("thinking")
    return [{"label": "perhaps" if len(item["hypothesis"]) < 5 else "neutral"} for item in batch]
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "inference.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    return file


def test_what_init_writes_passes_the_test(command: Command, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"

    made = command("model", "init", folder, "--task", config)
    tested = command("model", "test", folder, "--task", config, "--json")

    assert made.status == 0, made.err
    assert tested.status == 0, tested.err
    assert json.loads(tested.out)["passed"] is True


def test_nothing_is_written_over(command: Command, config: Path, tmp_path: Path) -> None:
    done = command("model", "init", tmp_path, "--task", config)

    assert done.status == 1
    assert "holds files already" in done.err


def server_says(folder: Path) -> list[dict[str, object]]:
    task = load_task_config(CONFIG)
    spec: TargetSpec = spec_for(task, kind=ModelKind.HANDLER, name="Mine", options={})
    report = asyncio.run(check_folder(folder, spec, task, factory=build_target))
    return [
        {"item": one.item, "field": one.field, "problem": one.problem} for one in report.problems
    ]


@pytest.mark.parametrize("source", [WRONG, "def answer(batch): ...", "import nonsense_of_mine"])
def test_a_model_is_rejected_here_for_what_the_server_rejects_it(
    command: Command, config: Path, tmp_path: Path, source: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.py").write_text(source, encoding="utf-8")

    tested = command("model", "test", folder, "--task", config, "--json")

    assert tested.status == 1
    found = json.loads(tested.out)["problems"]
    assert found == server_says(folder)
    assert found
    assert f"would be rejected: {len(found)} problem" in tested.err


def test_a_builder_needs_no_more_of_a_task_than_every_reader_sees(
    owner: Command, config: Path, tmp_path: Path
) -> None:
    assert owner("task", "create", "nli", config, "--activate").status == 0
    folder = tmp_path / "mine"

    made = owner("model", "init", folder, "--task", "nli", "--kind", "onnx")
    tested = owner("model", "test", folder)

    assert made.status == 0, made.err
    assert tested.status == 0, tested.err
    assert "It would be taken: " in tested.out


def test_a_link_in_a_folder_is_refused_as_on_its_way_to_the_server(
    command: Command, config: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    command("model", "init", folder, "--task", config)
    (folder / "weights").symlink_to("/etc")

    tested = command("model", "test", folder, "--task", config)

    assert tested.status == 1
    assert "weights is a link" in tested.out


def test_a_model_on_a_hub_is_fetched_and_looked_at(
    command: Command, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    manifest = "kind: huggingface\noptions: {hub: acme/old}\n"
    (folder / "dynabench.yaml").write_text(manifest, encoding="utf-8")

    with serving({"acme/old": {"config.json": b"{}", "pytorch_model.bin": b"a pickle"}}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub)
        tested = command("model", "test", folder, "--task", config)

    assert tested.status == 1
    assert "field “options”: pytorch_model.bin may hold code" in tested.out


def test_files_are_checked_without_the_server(
    command: Command, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    assert command("model", "init", folder, "--task", config).status == 0
    monkeypatch.setattr("dynabench.app.cli.main.is_server_installed", lambda: False)

    good = command("model", "test", folder, "--task", config)
    (folder / "model.py").write_text("def predict(batch:\n", encoding="utf-8")
    wrong = command("model", "test", folder, "--task", config, "--json")
    (folder / "model.py").unlink()
    missing = command("model", "test", folder, "--task", config, "--kind", "handler")

    assert good.status == 0, good.err
    assert "Skipped, as the server's packages are not here: loading the model" in good.out
    assert "dynabench-platform[server]" in good.err
    assert wrong.status == 1
    told = json.loads(wrong.out)
    assert told["problems"] == ["model.py, line 1: '(' was never closed."]
    assert told["skipped"]
    assert "model.py is missing" in missing.out
