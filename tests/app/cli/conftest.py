"""The command line against a whole server, in a home folder of the test's own."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog

from dynabench.app.cli.main import run
from dynabench.kit.asking import asking
from tests.factories.live_servers import live_server

CONFIG = """\
title: Inference
context:
  - {name: premise, type: string}
input:
  - {name: hypothesis, type: string}
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
output:
  - {name: label}
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Command = Callable[..., Done]


@pytest.fixture
def _log_as_before() -> Iterator[None]:
    """Take back where the operator's commands let log lines go: a stream that closes."""
    root = logging.getLogger()
    handlers, level, config = [*root.handlers], root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**config)


@pytest.fixture
def command(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    _log_as_before: None,
) -> Command:
    """Run `dynabench` with the given words, knowing nothing of the machine's own sign-ins."""
    for name in ("DYNABENCH_URL", "DYNABENCH_API_KEY", "DYNABENCH_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("DYNABENCH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERMINAL_WIDTH", "200")

    def carry_out(*words: object) -> Done:
        capfd.readouterr()
        status = run([str(word) for word in words])
        printed = capfd.readouterr()
        assert asking.get() is None, "what a command notes of who asks ends with it"
        return Done(status=status, out=printed.out, err=printed.err)

    return carry_out


@pytest.fixture
def server_url(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A running server; the operator's commands reach its database."""
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    with live_server(database_url=database_url, home=tmp_path / "home") as url:
        yield url


@pytest.fixture
def owner(command: Command, server_url: str) -> Command:
    """The command line, signed in as an administrator."""
    made = command("user", "create", "ada", "--admin")
    assert made.status == 0, made.err
    done = command("login", server_url, "-u", "ada", "--password", made.out.strip())
    assert done.status == 0, done.err
    return command
