"""`dynabench task convert`: a translated config, and what could not be carried over."""

from pathlib import Path

from tests.app.cli.conftest import CONFIG, Command

LATER = """\
goal: {type: multioptions, options: [rude, polite], field_name_for_the_model: label}
context: {type: plain-text, field_names_for_the_model: {context: context}}
user_input: [{type: text, field_name_for_the_model: statement}]
cast_output: {rude: 0, polite: 1}
model_output: {model_prediction_label: label}
model_evaluation_metric: {metric_name: exact_match}
perf_metric: {type: accuracy, reference_name: label}
"""


def test_a_later_config_is_written_and_the_rest_told(command: Command, tmp_path: Path) -> None:
    file, out = tmp_path / "later.yaml", tmp_path / "new.yaml"
    file.write_text(LATER, encoding="utf-8")

    done = command("task", "convert", file, "-o", out)

    assert done.status == 0, done.err
    assert done.out == ""
    assert f"{file}:4:1: cast_output" in done.err
    assert "with 1 note." in done.err
    assert command("task", "check", out).status == 0
    refused = command("task", "check", file)
    assert "dynabench task convert" in refused.out


def test_without_a_name_the_config_is_printed_alone(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "later.yaml"
    file.write_text(LATER, encoding="utf-8")

    done = command("task", "convert", file)

    assert done.status == 0
    assert done.out.startswith("context:\n  - name: context\n")


def test_a_config_that_is_read_already_is_handed_on(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(CONFIG, encoding="utf-8")

    done = command("task", "convert", file)

    assert (done.status, done.out) == (0, CONFIG)
    assert "nothing to translate" in done.err


def test_where_nothing_comes_out_the_reasons_are_told(command: Command, tmp_path: Path) -> None:
    file, out = tmp_path / "later.yaml", tmp_path / "new.yaml"
    file.write_text("goal: {type: hologram}\n", encoding="utf-8")

    done = command("task", "convert", file, "-o", out)

    assert done.status == 1
    assert "hologram" in done.err
    assert "No config that can be used came out" in done.err
    assert not out.exists()


def test_the_file_that_is_read_is_not_written_over(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "later.yaml"
    file.write_text(LATER, encoding="utf-8")

    done = command("task", "convert", file, "-o", file)

    assert done.status == 1
    assert file.read_text(encoding="utf-8") == LATER
