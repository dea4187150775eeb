"""What the command line says without a server."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from dynabench import __version__
from dynabench.app.cli import main
from dynabench.app.cli import overview as overview_module
from dynabench.app.cli.addresses import is_private, name_of
from dynabench.app.cli.chapters import CHAPTERS, Chapter
from dynabench.engines.signing.key import SigningKey
from tests.app.cli.conftest import CONFIG, Command


def test_the_help_teaches(command: Command) -> None:
    shown = command("--help")

    assert shown.status == 0
    for word in ("task", "round", "export", "login", "up", "dynabench round open nli"):
        assert word in shown.out


@pytest.mark.parametrize(
    "words", [("--help",), ("-h",), (), ("--version",), ("tusk",), ("--tusk",)], ids=str
)
def test_what_needs_no_command_loads_none(words: tuple[str, ...]) -> None:
    program = """
import sys
from dynabench.app.cli.main import run
run(sys.argv[1:])
print(sorted({"typer", "rich", "pydantic", "httpx2", "yaml"} & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(command: Command) -> None:
    assert command("--version").out == f"dynabench {__version__}\n"


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.module)
def test_the_overview_says_of_each_command_what_its_own_help_says(chapter: Chapter) -> None:
    whole: Any = get_command(main.assemble([]))
    for name, summary in chapter.commands.items():
        told = (whole.commands[name].help or "").split("\n\n")[0].replace("\n", " ")
        assert told.replace("`", "").strip() == summary


def test_the_whole_command_line_is_in_the_table() -> None:
    whole: Any = get_command(main.assemble([]))

    assert set(whole.commands) == {name for chapter in CHAPTERS for name in chapter.commands}


@pytest.mark.parametrize("width", [50, 60, 80, 200])
def test_the_overview_fits_the_terminal(width: int) -> None:
    commands = {f"      {command}" for _, command in overview_module._FIRST_STEPS}
    lines = overview_module.overview(width=width).splitlines()

    assert all(len(line) <= width or line in commands for line in lines)


def test_completion_knows_every_command_and_loads_none() -> None:
    program = """
import sys
from dynabench.app.cli.main import run
try:
    run([])
finally:
    print(sorted(name for name in sys.modules if name.startswith("dynabench.client")))
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "_DYNABENCH_COMPLETE": "complete_bash",
            "COMP_WORDS": "dynabench ro",
            "COMP_CWORD": "1",
        },
    )
    assert done.stdout.splitlines() == ["round", "[]"]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.module)
def test_every_command_has_a_help(command: Command, chapter: Chapter) -> None:
    for name in chapter.commands:
        if chapter.module == "replay":
            continue
        assert command(name, "--help").status == 0


def test_a_word_that_is_no_command_is_a_usage_error(command: Command) -> None:
    done = command("tusk")

    assert done.status == 2
    assert "Did you mean task?" in done.err


def test_an_option_that_there_is_not_is_a_usage_error(command: Command) -> None:
    done = command("--verison\x1b[2J")

    assert done.status == 2
    assert "Did you mean --version?" in done.err
    assert "\x1b" not in done.err


def test_a_good_config_is_read_back(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "nli.yaml"
    file.write_text(CONFIG, encoding="utf-8")

    done = command("task", "check", file)

    assert done.status == 0
    assert "The model sees premise, hypothesis and answers label" in done.out


def test_a_config_without_a_gold_answer_is_good_too(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "free.yaml"
    file.write_text(
        "input: [{name: prompt, type: string}]\noutput: [{name: reply, type: string}]\n"
        "model_wrong_metric: {type: ask_user}\nperf_metric: {type: bleu, reference_name: reply}\n"
    )

    assert "answers reply; there is no gold answer." in command("task", "check", file).out


def test_every_problem_of_a_config_is_told_with_its_line(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "nli.yaml"
    file.write_text(CONFIG.replace("labels:", "lables:").replace("accuracy", "acuracy"))

    done = command("task", "check", file)

    assert done.status == 1
    assert f"{file}:6:37: input[1].lables" in done.out
    assert f"{file}:10:15: perf_metric" in done.out
    assert "problems" in done.err

    for_programs = command("task", "check", file, "--json")

    assert for_programs.status == 1
    second = json.loads(for_programs.out)["problems"][1]
    assert (second["line"], second["column"], second["path"]) == (6, 37, "input[1].lables")


def test_a_file_that_is_not_utf_8_is_told_with_its_line(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "nli.yaml"
    file.write_bytes(b"title: good\ndescription: caf\xe9\n")

    done = command("task", "check", file)

    assert done.status == 1
    assert "line 2" in done.err
    assert "UTF-8" in done.err


def test_a_server_that_does_not_run_is_told(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_URL", "http://127.0.0.1:9")
    monkeypatch.setattr("time.sleep", lambda _: None)

    done = command("task", "list")

    assert done.status == 1
    assert "http://127.0.0.1:9" in done.err
    assert "Traceback" not in done.err


def test_damaged_credentials_are_told(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "config" / "dynabench" / "credentials.json"
    file.parent.mkdir(parents=True)
    file.write_text("{", encoding="utf-8")

    done = command("task", "list")

    assert done.status == 1
    assert "dynabench login" in done.err


def test_a_wrong_setting_is_told_by_its_name(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_LOG_LEVEL", "loud")

    done = command("up")

    assert done.status == 1
    assert "DYNABENCH_LOG_LEVEL" in done.err


def test_an_operators_command_says_how_to_install_the_server(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "is_server_installed", lambda: False)

    done = command("up", "--port", "9000")

    assert done.status == 1
    assert "pip install 'dynabench-platform[server]'" in done.err


def test_the_clients_verbs_need_the_base_install_only() -> None:
    program = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sqlalchemy", "fastapi", "numpy", "psycopg", "uvicorn", "orjson"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
from dynabench import __version__
from dynabench.app.cli import main
from dynabench.app.cli import overview as overview_module
from dynabench.app.cli.chapters import CHAPTERS, Chapter
main.is_server_installed = lambda: False
main.assemble([])
sys.exit(main.run(["task", "--help"]) or main.run(["up", "--help"]))
"""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Not installed here" in done.stdout


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:9000", True),
        ("http://127.0.0.1/v2/models/m", True),
        ("http://[::1]:80/", True),
        ("https://10.1.2.3/v1", True),
        ("http://gpu.lan:8000", True),
        ("https://example.org/v1", False),
        ("http://8.8.8.8/", False),
    ],
)
def test_private_addresses_are_known_by_sight(url: str, *, expected: bool) -> None:
    assert is_private(url) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://host/v2/models/nli-large", "nli-large"),
        ("http://host:11434/v1", "host"),
        ("http://host", "host"),
    ],
)
def test_a_model_is_named_after_its_address(url: str, expected: str) -> None:
    assert name_of(url) == expected


def test_no_second_empty_installation_is_started_by_accident(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DYNABENCH_DATABASE_URL", raising=False)

    for words in (("user", "reset-password", "admin"), ("db", "current")):
        done = command(*words)

        assert done.status == 1
        assert f"no installation in {tmp_path / 'home'}" in done.err
        assert "DYNABENCH_HOME" in done.err
    assert not (tmp_path / "home").exists()


def test_a_signed_report_is_checked_without_a_server(command: Command, tmp_path: Path) -> None:
    key = SigningKey(tmp_path / "key.pem")
    file = tmp_path / "report.json"
    document = key.sign({"model": {"name": "mine", "version": 1, "digest": "ab"}})
    file.write_text(json.dumps(document), encoding="utf-8")

    good = command("report", "verify", file, "--key", key.public_text)
    file.write_text(json.dumps(document).replace("mine", "yours"), encoding="utf-8")
    changed = command("report", "verify", file)
    file.write_bytes(b"\xff not JSON")
    garbage = command("report", "verify", file)

    assert (good.status, changed.status, garbage.status) == (0, 1, 1)
    assert "mine v1" in good.out
    assert "changed after it was signed" in changed.err
    assert "no JSON file" in garbage.err
