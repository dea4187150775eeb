"""`dynabench doctor` on what is well, and on what was broken on purpose."""

import json
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from dynabench.app.backups.unfinished import write_mark
from dynabench.app.doctor.database import judge_clock
from dynabench.app.doctor.machine import judge_disk, look_at_page
from dynabench.app.doctor.values import State
from dynabench.kit.db.database import libpq_url
from dynabench.kit.embedded_postgres.embedded import OWNER_LOCK, EmbeddedPostgres
from dynabench.kit.embedded_postgres.folders import cluster_folder
from dynabench.migrations.run import upgrade
from tests.app.cli.conftest import Command
from tests.factories.live_servers import live_server

CANARY = "canary-pw-6b1d"
_GIB = 2**30
_roles = count()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DYNABENCH_DATABASE_URL", raising=False)
    folder = tmp_path / "home"
    folder.mkdir(mode=0o711)
    return folder


def look(command: Command) -> tuple[int, dict[str, dict[str, str]]]:
    """Run the command; returns its exit status, and what it found by name."""
    done = command("doctor", "--json")
    told = json.loads(done.out)
    found = {one["name"]: one for one in told["findings"]}
    states = [State(one["state"]) for one in told["findings"]]
    assert told["state"] == max(states, key=list(State).index)
    assert (done.status == 1) is (told["state"] == State.PROBLEM)
    assert all(one["do"] for one in told["findings"] if one["state"] != "ok")
    return done.status, found


def execute(url: str, statement: str, *given: object) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode(), given)


def test_a_good_installation_has_no_problem_while_its_server_runs(
    command: Command, database_url: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    with live_server(database_url=database_url, home=home):
        status, found = look(command)

    assert status == 0, found
    for name in ("versions", "home", "blob store", "database", "schema", "rights", "clock"):
        assert found[name]["state"] == "ok", found[name]
    assert found["mail"]["says"] == "Not configured: this version sends no mail."
    assert found["worker"]["state"] == "warning"


def test_nothing_that_it_tried_is_left_behind(
    command: Command, database_url: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    look(command)

    with psycopg.connect(database_url) as connection:
        left = connection.execute(
            "SELECT relname::text FROM pg_class WHERE relname LIKE 'dynabench_doctor%'"
            " UNION SELECT proname::text FROM pg_proc WHERE proname LIKE 'dynabench_doctor%'"
            " UNION SELECT nspname::text FROM pg_namespace WHERE nspname = 'dynabench_doctor'"
        ).fetchall()
    assert left == []
    assert [path for path in home.rglob("*") if path.is_file() and path.stat().st_size] == []


def test_each_line_says_how_it_is_and_what_to_do(
    command: Command, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)

    done = command("doctor")

    assert "ok       mail" in done.out
    assert "→ Start one: dynabench worker" in done.out


def test_a_database_that_does_not_answer_is_a_problem_and_its_password_is_not_told(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"postgresql://nobody:{CANARY}@127.0.0.1:1/nothing"
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", url)

    status, found = look(command)
    done = command("doctor")

    assert status == 1
    assert found["database"]["state"] == "problem"
    assert "refused" in found["database"]["says"]
    assert "schema" not in found
    assert CANARY not in json.dumps(found) + done.out + done.err


@pytest.fixture
def weak_url(database_url: str) -> Iterator[str]:
    """The test's database, as an account that was given nothing but the way in."""
    role = f"weak_{next(_roles)}"
    execute(database_url, f"CREATE ROLE {role} LOGIN")
    yield libpq_url(database_url).replace("://dynabench@", f"://{role}@")
    execute(database_url, f"DROP OWNED BY {role}")
    execute(database_url, f"DROP ROLE {role}")


def test_an_account_without_rights_is_a_problem_that_names_them(
    command: Command, weak_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", weak_url)

    status, found = look(command)

    assert status == 1
    rights = found["rights"]
    assert rights["state"] == "problem"
    for what in ("make tables", "make schemas", "read and write"):
        assert what in rights["says"]
    assert "listen" not in rights["says"]


@pytest.mark.parametrize(("revision", "do"), [("9999", "newer version"), ("0001", "db upgrade")])
def test_another_schema_is_a_problem(
    command: Command,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    revision: str,
    do: str,
) -> None:
    execute(database_url, "UPDATE alembic_version SET version_num = %s", revision)
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)

    status, found = look(command)

    assert (status, found["schema"]["state"]) == (1, "problem")
    assert do in found["schema"]["says"]


def test_without_a_program_that_isolates_code_is_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    _, found = look(command)

    assert found["sandbox"]["state"] == "warning"
    assert "Uploaded code is refused here" in found["sandbox"]["says"]


def test_a_home_that_cannot_be_written_is_a_problem(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    for there in ("/proc", str(tmp_path / "file")):
        monkeypatch.setenv("DYNABENCH_HOME", f"{there}/dynabench")

        status, found = look(command)

        assert (status, found["home"]["state"]) == (1, "problem"), found["home"]


def test_a_store_that_takes_no_files_is_a_problem(command: Command, home: Path) -> None:
    (home / "blobs").write_text("a file where the folder should be")

    status, found = look(command)

    assert (status, found["blob store"]["state"]) == (1, "problem")


@pytest.mark.parametrize(
    ("free", "state"),
    [(40 * _GIB, State.OK), (3 * _GIB, State.WARNING), (_GIB // 4, State.PROBLEM)],
)
def test_a_disk_that_is_nearly_full_is_told(free: int, state: State) -> None:
    assert judge_disk(free=free, total=100 * _GIB).state is state


def test_a_small_disk_may_be_mostly_free() -> None:
    assert judge_disk(free=4 * _GIB, total=10 * _GIB).state is State.OK


@pytest.mark.parametrize(
    ("seconds", "state"), [(0.4, State.OK), (8, State.WARNING), (4000, State.PROBLEM)]
)
def test_clocks_that_differ_are_told(seconds: float, state: State) -> None:
    assert judge_clock(seconds).state is state


def test_a_page_that_is_not_built_is_told(tmp_path: Path) -> None:
    assert look_at_page(tmp_path).state is State.WARNING

    (tmp_path / "index.html").write_text("<!doctype html>")
    assert look_at_page(tmp_path).state is State.OK


def test_a_setting_that_cannot_be_used_is_a_problem(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_PORT", "many")

    status, found = look(command)

    assert status == 1
    assert "DYNABENCH_PORT" in found["settings"]["says"]


def test_what_is_dangerous_beyond_this_machine_is_told_there_alone(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    dangers = {
        "DYNABENCH_TRUST_SUBMITTERS": "1",
        "DYNABENCH_REGISTRATION": "open",
        "DYNABENCH_REQUEST_LIMITS": "off",
        "DYNABENCH_UNLIMITED_ADDRESSES": "0.0.0.0/0",
    }
    for name, value in dangers.items():
        monkeypatch.setenv(name, value)

    assert not {*dangers} & {*look(command)[1]}

    monkeypatch.setenv("DYNABENCH_HOST", "0.0.0.0")  # noqa: S104 - nothing listens
    status, found = look(command)

    assert status == 1
    assert {*dangers, "DYNABENCH_PUBLIC_URL"} <= {*found}
    assert found["DYNABENCH_TRUST_SUBMITTERS"]["state"] == "problem"

    monkeypatch.setenv("DYNABENCH_PUBLIC_URL", "https://bench.example.org")
    assert "DYNABENCH_TRUSTED_PROXIES" in look(command)[1]


def test_where_nothing_was_started_nothing_is_made(command: Command, home: Path) -> None:
    home.rmdir()

    status, found = look(command)

    assert status == 0
    assert "no installation" in found["database"]["says"]
    assert not home.exists()


def test_the_embedded_database_is_joined_while_it_runs_and_started_where_it_does_not(
    command: Command, tmp_path: Path, home: Path
) -> None:
    # As root the database runs as another account, which must be able to pass through.
    for folder in (tmp_path, home):
        folder.chmod(0o711)
    with EmbeddedPostgres(home, is_lasting=True, for_tests=True) as url:
        assert look(command)[1]["schema"]["state"] == "problem"
        upgrade(url)
        assert look(command)[1]["schema"]["state"] == "ok"

    status, found = look(command)

    assert (status, found["database"]["state"], found["schema"]["state"]) == (0, "ok", "ok")


def test_a_half_restored_home_is_left_alone_and_says_how_to_go_on(
    command: Command, home: Path
) -> None:
    (home / OWNER_LOCK).touch()
    write_mark(home, setting_aside=None)

    status, found = look(command)

    assert status == 1
    assert "dynabench restore FOLDER" in found["database"]["says"]
    assert "backup that it was begun with" in found["database"]["do"]
    assert not cluster_folder(home).exists()


@pytest.mark.parametrize("name", ["", "blobs", "signing-key.pem"])
def test_what_every_account_can_read_is_told_with_the_command_that_closes_it(
    command: Command, database_url: str, home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    (home / "blobs").mkdir(mode=0o700)
    (home / "signing-key.pem").touch(mode=0o600)
    assert look(command)[1]["home"]["state"] == "ok"
    (home / name).chmod(0o755)

    told = look(command)[1]["home"]

    assert told["state"] == "warning"
    assert "Every account" in told["says"]
    # The advice is for a shell.
    subprocess.run(told["do"].removeprefix("Close it: "), shell=True, check=True)  # noqa: S602
    assert look(command)[1]["home"]["state"] == "ok"
