"""A model is handed in, looked at, and taken back by the command line."""

from pathlib import Path

from tests.app.cli.conftest import CONFIG, Command


def test_a_model_is_submitted_shown_and_deleted(owner: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "nli", config, "--activate").status == 0
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "dynabench.yaml").write_text(
        "task: nli\nkind: onnx\noptions: {labels: [entailment, neutral]}\n", encoding="utf-8"
    )
    (folder / "model.onnx").write_bytes(b"network")

    wrong = owner("model", "submit", folder)
    assert (wrong.status, "labels" in wrong.err) == (1, True)
    taken = owner(
        "model", "submit", "--task", "nli", "--kind", "predictions", "--name", "elsewhere"
    )
    assert taken.status == 0, taken.err
    listed = owner("model", "list", "nli")
    shown = owner("model", "show", "nli/elsewhere")
    assert "elsewhere v1" in listed.out
    assert {"submitted", "no_code", "predictions"} <= set(shown.out.split())
    assert owner("model", "log", "nli/elsewhere").status == 0
    lost = owner("model", "predictions", "nli/elsewhere", "Nowhere", folder / "model.onnx")
    assert (lost.status, "no dataset called “Nowhere”" in lost.err) == (1, True)
    card = tmp_path / "card.yaml"
    card.write_text("intended_use: Research.\nlicence: MIT\n", encoding="utf-8")
    early = owner("model", "publish", "nli/elsewhere", "--card", card)
    assert (early.status, "submitted" in early.err) == (1, True)
    again = owner("model", "retry", "nli/elsewhere")
    assert (again.status, "waits for its files" in again.err) == (1, True)
    nowhere = owner("model", "show", "elsewhere")
    assert (nowhere.status, "TASK/NAME" in nowhere.err) == (1, True)

    assert owner("model", "delete", "nli/elsewhere", "--yes").status == 0
    assert "elsewhere" not in owner("model", "list", "nli").out


def test_a_submission_says_what_it_lacks(command: Command, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def predict(batch): ...", encoding="utf-8")
    no_task = command("model", "submit", tmp_path)
    assert (no_task.status, "--task" in no_task.err) == (1, True)
    no_value = command("model", "submit", "--task", "nli", "--kind", "container", "--option", "x")
    assert (no_value.status, "KEY=VALUE" in no_value.err) == (1, True)
