"""The tutorial's commands, as they stand in the document, from a YAML file to a table."""

import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from dynabench import DynabenchClient
from tests.app.cli.conftest import Command
from tests.examples.test_oip_server import load_server
from tests.factories.live_servers import live_server

DOCUMENT = Path(__file__).parents[3] / "docs" / "how-to" / "from-yaml-to-paper.md"
PASSWORD = "correct horse battery"
WRITTEN = (
    ("Hand me that ladder at once.", "I take your ladder.", "Ladder. Now."),
    ("Get off my foot, clumsy.", "Are you blind?", "Watch where you walk, fool."),
    ("I will not come on Monday.", "Tomorrow you work alone.", "Do my shift and be quiet."),
)
TARGET = "http://127.0.0.1:9000"


@pytest.fixture
def server_url(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A running server whose targets are asked where they are."""
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    with live_server(database_url=database_url, home=tmp_path / "home", factory=None) as url:
        yield url


def _block(text: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@contextmanager
def _own_model() -> Iterator[str]:
    """Serve the example with the tutorial's fields; it takes everything for polite."""
    module = load_server()
    module.INPUTS = ["situation", "request"]  # type: ignore[attr-defined]
    module.answer = lambda _: {"label": "polite"}  # type: ignore[attr-defined]
    with ThreadingHTTPServer(("127.0.0.1", 0), module.Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextmanager
def _worker() -> Iterator[None]:
    """Run a worker of the installation, as `dynabench worker` does."""
    words = [sys.executable, "-m", "dynabench.app.cli.main", "worker"]
    # Our own command.
    with subprocess.Popen(words, env=dict(os.environ)) as process:  # noqa: S603
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=60)


def _write_and_judge(url: str) -> None:
    """Do what the tutorial leaves to people: three of them write, and each judges another."""
    people = [DynabenchClient("", base_url=url) for _ in WRITTEN]
    for number, (person, texts) in enumerate(zip(people, WRITTEN, strict=True)):
        person.account.sign_up(f"person-{number}", PASSWORD)
        for text in texts:
            lent = person.rounds.next_context("politeness")
            person.examples.submit(
                "politeness",
                context_id=lent.context,
                inputs={"request": text},
                answer={"label": "impolite"},
            )
    for person in people:
        for item in person.votes.next("politeness", count=5).items:
            person.votes.cast(item.example_id, vote="correct")
        person.close()


def test_the_tutorial_goes_from_yaml_to_a_table(
    owner: Command, server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text(encoding="utf-8")
    Path("politeness.yaml").write_text(_block(text, "yaml"), encoding="utf-8")
    Path("situations.csv").write_text(_block(text, "csv"), encoding="utf-8")
    commands = re.findall(r"^\$ dynabench (.+)$", text, re.MULTILINE)
    assert len(commands) > 12

    with _own_model() as model, _worker():
        for typed in commands:
            if typed.startswith("round show"):
                _write_and_judge(server_url)
            done = owner(*shlex.split(typed.replace(TARGET, model)))
            assert done.status == 0, (typed, done.err)

    table = Path("board.tex").read_text(encoding="utf-8")
    assert "\\caption{Politeness. politeness; weights: " in table
    assert "\\label{tab:politeness}" in table
    assert list(tmp_path.glob("*.zip"))
