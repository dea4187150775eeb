"""What works with a home or a folder keeps others from it, and they are told."""

import fcntl
import io
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from dynabench.app.backups import making, places
from dynabench.app.backups.errors import FolderTakenError, RestoreUnfinishedError
from dynabench.app.backups.unfinished import in_use
from dynabench.kit.embedded_postgres.embedded import GUESTS_LOCK, OWNER_LOCK
from tests.app.backups.conftest import Go, Installation
from tests.app.backups.test_restoring import empty
from tests.app.cli.conftest import Command
from tests.factories.live_servers import free_port, wait_until


def test_a_home_is_not_replaced_while_a_server_with_its_own_database_uses_it(
    played: Installation,
    backup: Path,
    command: Command,
    at: Go,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port = free_port()
    monkeypatch.setenv("DYNABENCH_PORT", str(port))
    at(played.home, played.url)
    with subprocess.Popen([sys.executable, "-m", "dynabench.app.server"]) as server:
        try:
            wait_until(lambda: is_healthy(port), seconds=90)
            empty(database_url)
            at(played.home, database_url)
            monkeypatch.setattr(sys, "stdin", io.StringIO("old\n"))
            refused = command("restore", backup, "--replace")
        finally:
            server.terminate()

    assert (refused.status, "Stop it first" in refused.err) == (1, True), refused.err
    assert (played.home / "admin-password").is_file()
    monkeypatch.setattr(sys, "stdin", io.StringIO("old\n"))
    done = command("restore", backup, "--replace")
    assert (done.status, "before-restore-" in done.out) == (0, True), done.err


def test_where_an_old_database_outside_of_the_home_lies_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setattr(places, "outer_folder", lambda _: tmp_path / "elsewhere")
    for folder in (home / "blobs", tmp_path / "elsewhere"):
        folder.mkdir(parents=True)

    with places.prepared_home(home, may_replace=True) as aside:
        assert aside is not None

    kept = places.kept_cluster(home, aside)
    assert kept is not None
    assert (kept.name, kept.is_dir()) == (f"elsewhere.{aside.name}", True)


def test_a_server_does_not_start_in_a_home_while_it_is_restored(tmp_path: Path) -> None:
    with in_use(tmp_path), in_use(tmp_path):
        pass

    (tmp_path / "blobs").mkdir()
    with places.prepared_home(tmp_path, may_replace=True), pytest.raises(RestoreUnfinishedError):
        in_use(tmp_path).__enter__()


def test_the_second_of_two_backups_to_one_folder_is_refused_and_leaves_nothing(
    played: Installation, command: Command, at: Go, open_folder: Path
) -> None:
    kept, aside = open_folder / "kept", open_folder / "kept.unfinished"
    with making._written_beside(kept) as first:
        (first / "first").touch()
        at(played.home, played.url)
        under_way = command("backup", kept)
        assert (under_way.status, "Another process is writing" in under_way.err) == (1, True)
    assert (kept / "first").is_file()
    (kept / "first").unlink()

    with pytest.raises(FolderTakenError):
        _write_beside(kept)

    assert [one.name for one in kept.iterdir()] == ["theirs"]
    assert not aside.exists()


def _write_beside(kept: Path) -> None:
    with making._written_beside(kept) as aside:
        (aside / "second").touch()
        (kept / "theirs").touch()


@pytest.mark.parametrize("last", ["rename", "unlink"])
def test_a_backup_that_is_killed_as_it_is_put_in_its_place_blocks_no_later_one(
    open_folder: Path, last: str
) -> None:
    kept = open_folder / "kept"
    # Nothing is caught and nothing removed, as by a kill.
    program = (
        "import os; from pathlib import Path; from dynabench.app.backups import making\n"
        f"with making._written_beside(Path({str(kept)!r})) as aside:\n"
        "    (aside / 'database.dump').touch()\n"
        f"    Path.{last} = lambda *_, **__: os._exit(9)\n"
    )
    # The program above, of ours.
    done = subprocess.run([sys.executable, "-c", program], check=False)  # noqa: S603
    assert done.returncode == 9
    if last == "unlink":
        assert (kept / "database.dump").is_file(), "it was whole, and is in its place"
        assert not kept.with_name("kept.unfinished").exists()
        return

    with making._written_beside(kept) as aside:
        (aside / "whole").touch()
    assert [one.name for one in kept.iterdir()] == ["whole"]


def test_locks_alone_are_no_installation(tmp_path: Path) -> None:
    with in_use(tmp_path):
        pass
    for name in (OWNER_LOCK, GUESTS_LOCK):
        (tmp_path / name).touch()

    assert not places.is_taken(tmp_path)
    with places.prepared_home(tmp_path, may_replace=False) as aside:
        assert aside is None


def test_a_database_without_a_schema_is_not_said_to_agree(
    empty_database_url: str, command: Command, at: Go, open_folder: Path
) -> None:
    at(open_folder / "new", empty_database_url)

    done = command("db", "verify")

    assert (done.status, "nothing to verify" in done.err) == (1, True), done.err
    assert "agrees" not in done.out


def test_a_backup_begun_in_a_folder_that_another_finished_meanwhile_is_refused(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, aside = open_folder / "kept", open_folder / "kept.unfinished"
    locking = fcntl.flock

    def finished_meanwhile(number: int, how: int) -> None:
        (aside / ".dynabench-backup").unlink(missing_ok=True)
        aside.rename(kept)
        locking(number, how)

    monkeypatch.setattr(fcntl, "flock", finished_meanwhile)

    with pytest.raises(FolderTakenError), making._written_beside(kept):
        pytest.fail("nothing may be written")

    assert not aside.exists()


@pytest.mark.parametrize("words", [("backup",), ("restore",), ("db", "verify")])
def test_a_database_that_does_not_answer_names_the_doctor(
    backup: Path, command: Command, at: Go, open_folder: Path, words: tuple[str, ...]
) -> None:
    at(open_folder / "new", "postgresql://nobody@127.0.0.1:1/nothing")
    places_of = {"backup": (open_folder / "again",), "restore": (backup,)}

    done = command(*words, *places_of.get(words[0], ()))

    assert (done.status, "dynabench doctor" in done.err) == (1, True), done.err


def is_healthy(port: int) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/healthz").is_success
    except httpx2.HTTPError:
        return False
