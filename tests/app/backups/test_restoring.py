"""A backup is brought back whole, or refused in a sentence with nothing changed."""

import hashlib
import io
import json
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dynabench.app.backups import places
from dynabench.app.backups.manifest import MANIFEST, read_manifest, write_manifest
from dynabench.app.backups.unfinished import write_mark
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.db.dumps import connected, row_counts
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.migrations import run as migrations
from dynabench.migrations.head import newest_revision, revision_of
from tests.app.backups.conftest import Go, Installation
from tests.app.cli.conftest import Command


def test_a_backup_empties_no_folder_that_is_not_its_own(
    played: Installation, command: Command, at: Go, open_folder: Path
) -> None:
    at(played.home, played.url)
    precious = open_folder / "precious"
    (open_folder / "week.unfinished").mkdir()
    precious.mkdir()
    (open_folder / "week.unfinished" / "notes.txt").write_text("mine")
    (precious / "thesis.txt").write_text("mine")
    (open_folder / "day.unfinished").symlink_to(precious)

    for name in ("week", "day"):
        refused = command("backup", open_folder / name)
        assert (refused.status, "is there already" in refused.err) == (1, True)
        assert not (open_folder / name).exists()

    assert (open_folder / "week.unfinished" / "notes.txt").read_text() == "mine"
    assert [one.name for one in precious.iterdir()] == ["thesis.txt"]


def test_a_backup_in_the_home_is_neither_made_nor_restored(
    played: Installation,
    backup: Path,
    command: Command,
    at: Go,
    open_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at(played.home, played.url)
    refused = command("backup", played.home / "kept")
    assert (refused.status, "Keep backups elsewhere" in refused.err) == (1, True)
    home = open_folder / "new"
    inside = home / "backups" / "kept"
    shutil.copytree(backup, inside)
    at(home)
    monkeypatch.setattr(sys, "stdin", io.StringIO("new\n"))
    refused = command("restore", "--replace", inside)
    assert (refused.status, "Keep backups elsewhere" in refused.err) == (1, True)

    assert (inside / MANIFEST).is_file()
    assert [one.name for one in home.iterdir()] == ["backups"]


def test_a_backup_is_private_and_names_every_file_with_its_digest(
    played: Installation, backup: Path
) -> None:
    manifest = read_manifest(backup)

    assert manifest.tables == played.counts()
    assert manifest.tables["public.examples"] > 100
    assert manifest.revision == newest_revision()
    there = {
        path.relative_to(backup).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in backup.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    assert {file.path: file.sha256 for file in manifest.files} == there
    assert {"home/address-key", "home/admin-password", "database.dump"} <= set(there)
    for path in (backup, *backup.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert not backup.with_name("kept.unfinished").exists()


def test_it_comes_back_into_a_home_with_the_embedded_database(
    played: Installation, backup: Path, command: Command, at: Go, open_folder: Path
) -> None:
    home = open_folder / "new"
    at(home)

    done = command("restore", backup, "--json")

    assert done.status == 0, done.err
    assert json.loads(done.out)["findings"] == []
    assert "agrees with its rows" in command("db", "verify").out
    assert newest_revision() in command("db", "current").out
    with EmbeddedPostgres(home) as url, connected(url, name="test") as connection:
        assert row_counts(connection) == played.counts()
    assert set(FolderBlobStore(home / "blobs").digests()) == set(played.blobs.digests())
    for name in ("address-key", "admin-password"):
        assert (home / name).read_bytes() == (played.home / name).read_bytes()
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600


def test_an_installation_is_set_aside_once_its_name_is_typed(
    backup: Path,
    command: Command,
    at: Go,
    open_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    database_url: str,
) -> None:
    del database_url
    home = open_folder / "new"
    at(home)
    with EmbeddedPostgres(home) as url:
        migrations.upgrade(url)
        running = command("restore", backup)
        assert (running.status, "--replace" in running.err) == (1, True)
        monkeypatch.setattr(sys, "stdin", io.StringIO("new\n"))
        running = command("restore", backup, "--replace")
        assert (running.status, "Stop it first" in running.err) == (1, True)
        assert revision_of(url) == newest_revision()
    monkeypatch.setattr(sys, "stdin", io.StringIO("old\n"))
    mistyped = command("restore", backup, "--replace")
    assert (mistyped.status, "Nothing was replaced" in mistyped.err) == (1, True)

    monkeypatch.setattr(sys, "stdin", io.StringIO("new\n"))
    done = command("restore", backup, "--replace", "--json")

    assert done.status == 0, done.err
    aside = Path(json.loads(done.out[done.out.index("{") :])["aside"])
    assert (aside / "postgres").is_dir()
    with EmbeddedPostgres(home) as url, connected(url, name="test") as connection:
        assert row_counts(connection)["public.examples"] > 100


def test_setting_aside_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    (tmp_path / "before-restore-then").mkdir()
    (tmp_path / "before-restore-then" / "postgres").mkdir()
    (tmp_path / "blobs").mkdir()
    write_mark(tmp_path, setting_aside="before-restore-then")

    with places.prepared_home(tmp_path, may_replace=False) as aside:
        (tmp_path / "half").touch()

    assert aside == tmp_path / "before-restore-then"
    assert sorted(path.name for path in aside.iterdir()) == ["blobs", "postgres"]
    assert (tmp_path / "half").exists()


def test_a_taken_database_and_a_used_one_are_refused(
    played: Installation, backup: Path, command: Command, at: Go, empty_database_url: str
) -> None:
    assert played.url == empty_database_url
    at(played.home.with_name("new"), played.url)

    taken = command("restore", backup)

    assert (taken.status, "has tables already" in taken.err) == (1, True)
    assert not played.home.with_name("new").exists()


def test_a_backup_of_an_older_schema_is_brought_up_to_date(
    played: Installation, command: Command, at: Go, open_folder: Path, database_url: str
) -> None:
    migrations.downgrade(played.url, revision="0009")
    at(played.home, played.url)
    made = command("backup", open_folder / "older")
    assert made.status == 0, made.err
    assert read_manifest(open_folder / "older").revision == "0009"
    empty(database_url)
    at(open_folder / "new", database_url)

    done = command("restore", open_folder / "older")

    assert done.status == 0, done.err
    assert revision_of(database_url) == newest_revision()


@pytest.mark.parametrize(
    ("break_it", "sentence"),
    [
        (lambda kept: (kept / "database.dump").write_bytes(b"PGDMP"), "database.dump was changed"),
        (lambda kept: next((kept / "blobs").rglob("*/*")).unlink(), "is missing"),
        (
            lambda kept: (kept / MANIFEST).write_text(
                (kept / MANIFEST).read_text().replace("public.examples", "public.samples")
            ),
            "manifest.json was changed",
        ),
        (lambda kept: (kept / MANIFEST).write_text("{"), "cannot be read"),
        (lambda kept: (kept / MANIFEST).unlink(), "holds no whole backup"),
        (
            lambda kept: write_manifest(
                kept, read_manifest(kept).model_copy(update={"revision": "9999"})
            ),
            "does not know",
        ),
        (
            lambda kept: write_manifest(
                kept, read_manifest(kept).model_copy(update={"postgres": 99})
            ),
            "made on PostgreSQL 99",
        ),
    ],
    ids=["dump", "blob", "manifest", "json", "half", "newer code", "newer PostgreSQL"],
)
def test_what_is_not_whole_is_refused_before_anything_is_changed(
    backup: Path,
    command: Command,
    at: Go,
    open_folder: Path,
    break_it: Callable[[Path], object],
    sentence: str,
) -> None:
    break_it(backup)
    at(open_folder / "new")

    done = command("restore", backup)

    assert (done.status, sentence in done.err) == (1, True), done.err
    assert not (open_folder / "new").exists()


def test_a_path_that_leads_out_of_the_backup_is_refused(
    backup: Path, command: Command, at: Go, open_folder: Path
) -> None:
    manifest = json.loads((backup / MANIFEST).read_text())
    manifest["files"][0]["path"] = "home/../../signing-key.pem"
    (backup / MANIFEST).write_text(json.dumps(manifest))
    at(open_folder / "new")

    assert "no form that is known" in command("restore", backup).err


def test_programs_of_another_postgresql_are_refused(
    played: Installation, command: Command, at: Go, open_folder: Path
) -> None:
    other = open_folder / "programs"
    other.mkdir()
    for name in ("pg_dump", "pg_restore"):
        (other / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) 14.2'\n")
        (other / name).chmod(0o755)
    at(played.home, played.url)

    done = command("backup", open_folder / "kept", "--binaries", other)

    assert (done.status, "no pg_dump and pg_restore of that version" in done.err) == (1, True)
    assert not (open_folder / "kept").exists()


def test_a_folder_that_is_there_is_not_written_to(
    backup: Path, command: Command, open_folder: Path
) -> None:
    del open_folder
    before = (backup / MANIFEST).read_bytes()

    again = command("backup", backup)

    assert (again.status, "name one that is not there yet" in again.err) == (1, True)
    assert (backup / MANIFEST).read_bytes() == before


def test_a_stored_file_that_was_damaged_before_is_told_and_the_rest_is_kept(
    played: Installation, command: Command, at: Go, open_folder: Path
) -> None:
    digest = next(iter(played.blobs.digests()))
    rotten = played.home / "blobs" / "sha256" / digest[:2] / digest[2:]
    rotten.chmod(0o644)
    rotten.write_bytes(b"rotten")
    at(played.home, played.url)

    done = command("backup", open_folder / "kept", "--json")

    assert (done.status, digest in done.err) == (1, True)
    assert json.loads(done.out)["damaged"] == [digest]
    assert len(read_manifest(open_folder / "kept").files) == 19 + 3


def test_nothing_starts_on_an_installation_that_is_half_restored(
    command: Command, at: Go, open_folder: Path
) -> None:
    home = open_folder / "half"
    home.mkdir()
    write_mark(home, setting_aside=None)
    at(home)

    for words in (("server",), ("worker",), ("db", "verify"), ("backup", open_folder / "x")):
        assert "runs or was interrupted" in command(*words).err
    up = subprocess.run(  # noqa: S603 - the environment's own program
        [Path(sys.executable).with_name("dynabench"), "up", "--port", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (up.returncode, "runs or was interrupted" in up.stderr) == (1, True)


def empty(url: str) -> None:
    with connected(url, name="test") as connection:
        connection.execute("DROP SCHEMA IF EXISTS dbos CASCADE")
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
