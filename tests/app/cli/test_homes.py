"""What the operator's commands say of a home whose mode was changed after it got rows."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynabench.kit.embedded_postgres import folders
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.migrations.run import upgrade
from tests.app.cli.conftest import Command

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account")


@pytest.fixture
def home(command: Command, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with an embedded database, which the commands mean."""
    del command
    with tempfile.TemporaryDirectory(prefix="dynabench-test-") as name:
        open_folder = Path(name)
        open_folder.chmod(0o711)
        monkeypatch.setattr(folders, "_SYSTEM_FOLDER", open_folder / "system")
        home = open_folder / "home"
        monkeypatch.setenv("DYNABENCH_HOME", str(home))
        monkeypatch.delenv("DYNABENCH_DATABASE_URL", raising=False)
        yield home


@as_root
@pytest.mark.parametrize(
    "words", [("user", "list"), ("backup", "kept"), ("db", "upgrade"), ("doctor", "--json")]
)
def test_in_a_home_that_was_closed_every_command_says_how_to_open_it_and_makes_no_database(
    command: Command, home: Path, words: tuple[str, ...]
) -> None:
    with EmbeddedPostgres(home, for_tests=True) as url:
        upgrade(url)
    home.chmod(0o700)

    done = command(*words)

    told = done.err
    if words[0] == "doctor":
        told = {one["name"]: one for one in json.loads(done.out)["findings"]}["database"]["says"]
    assert (done.status, f"chmod o+x {home}" in told) == (1, True), done
    assert not folders.outer_folder(home).exists()
    home.chmod(0o711)
    again = command("db", "check")
    assert (again.status, "as it should be" in again.out) == (0, True), again.err
