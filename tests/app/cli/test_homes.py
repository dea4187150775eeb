"""What the operator's commands say of a home that is no usual one, and what they leave in it."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynabench.app.backups.places import is_taken
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.embedded_postgres import folders
from dynabench.kit.embedded_postgres.embedded import OWNER_LOCK, EmbeddedPostgres
from dynabench.migrations.run import upgrade
from tests.app.cli.conftest import Command
from tests.migrations.test_landed import DUMPS, restore

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


@pytest.mark.parametrize(
    "words", [("user", "list"), ("db", "upgrade"), ("up", "--port", "1"), ("doctor",)]
)
def test_a_home_that_was_set_up_and_has_lost_its_database_begins_no_empty_one(
    command: Command, home: Path, words: tuple[str, ...]
) -> None:
    home.mkdir()
    (home / "admin-password").write_text("kept")

    done = command(*words)

    told = "".join((done.err + done.out).split())
    assert (done.status, str(folders.outer_folder(home)) in told) == (1, True), done
    assert [path.name for path in home.iterdir() if path.is_dir()] == []


def test_the_doctor_leaves_nothing_in_a_home_without_an_installation(
    command: Command, home: Path
) -> None:
    home.mkdir(mode=0o711)
    # What a start leaves that was stopped before there was a database.
    (home / OWNER_LOCK).touch()

    done = command("doctor", "--json")

    found = {one["name"]: one for one in json.loads(done.out)["findings"]}
    assert "no installation" in found["database"]["says"]
    assert [one.name for one in home.iterdir()] == [OWNER_LOCK]
    assert not folders.outer_folder(home).exists()
    assert "no installation" in command("user", "list").err


def test_a_folder_of_files_without_files_is_no_installation(home: Path) -> None:
    store = FolderBlobStore(home / "blobs")
    store.delete(store.put(b"gone again"))
    assert (home / "blobs").is_dir()

    assert not is_taken(home)
    store.put(b"kept")
    assert is_taken(home)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("user", "list"), "dynabench db upgrade"),
        (("task", "export", "nli", "--out", "nli.zip"), "dynabench db upgrade"),
        (("db", "verify"), "dynabench db upgrade"),
        (("db", "check"), "dynabench db upgrade"),
        (("db", "current"), "database 0001"),
        (("db", "url"), "postgresql://"),
    ],
)
def test_on_an_older_schema_a_command_works_or_says_how_to_bring_it_up_to_date(
    command: Command,
    empty_database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: tuple[str, ...],
    says: str,
) -> None:
    restore(empty_database_url, DUMPS[0])
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", empty_database_url)
    monkeypatch.chdir(tmp_path)

    done = command(*words)

    is_refused = says == "dynabench db upgrade"
    assert (done.status, says in (done.err if is_refused else done.out)) == (int(is_refused), True)
    assert "Traceback" not in done.err


def test_an_older_schema_is_backed_up(
    command: Command, empty_database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    restore(empty_database_url, DUMPS[0])
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", empty_database_url)

    done = command("backup", tmp_path / "kept")

    assert (done.status, "The backup is in" in done.out) == (0, True), done.err
