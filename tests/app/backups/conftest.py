"""An installation that was played, and is backed up and brought back by the command line."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dynabench.app.assembly.people import address_key
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.db.dumps import connected, row_counts
from dynabench.kit.settings import Settings
from dynabench.migrations import run as migrations
from tests.app.cli.conftest import Command, _log_as_before, command
from tests.migrations.test_landed import DUMPS, restore

__all__ = ["_log_as_before", "command"]


@dataclass(frozen=True)
class Installation:
    """A database with a played round, and a home with files and keys."""

    url: str
    home: Path
    blobs: FolderBlobStore

    @property
    def settings(self) -> Settings:
        return Settings(database_url=self.url, home=self.home, database_pool_size=5)

    def counts(self) -> dict[str, int]:
        with connected(self.url, name="test") as connection:
            return row_counts(connection)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the embedded server's account can pass through; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="dynabench-test-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture
def played(
    empty_database_url: str, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Installation:
    """The newest dump of a played installation with some files; the commands reach it."""
    restore(empty_database_url, DUMPS[-1])
    migrations.upgrade(empty_database_url)
    home = open_folder / "old"
    address_key(home)
    (home / "admin-password").write_text("secret\n", encoding="utf-8")
    blobs = FolderBlobStore(home / "blobs")
    for number in range(20):
        blobs.put(f"file {number}".encode() * 1000)
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", empty_database_url)
    return Installation(empty_database_url, home, blobs)


Go = Callable[..., None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, command: Command) -> Go:
    """Have the commands mean another home, and another database or the embedded one."""
    del command

    def go(home: Path, url: str | None = None) -> None:
        monkeypatch.setenv("DYNABENCH_HOME", str(home))
        if url is None:
            monkeypatch.delenv("DYNABENCH_DATABASE_URL", raising=False)
        else:
            monkeypatch.setenv("DYNABENCH_DATABASE_URL", url)

    return go


@pytest.fixture
def backup(played: Installation, command: Command, at: Go, open_folder: Path) -> Path:
    """A backup of the played installation."""
    at(played.home, played.url)
    done = command("backup", open_folder / "kept")
    assert done.status == 0, done.err
    return open_folder / "kept"
