"""The embedded database's data moves to a newer major version of PostgreSQL, or stays as it is."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dynabench.app.verify import verify
from dynabench.app.wiring import wire
from dynabench.kit.db.dumps import connected, major_of, row_counts
from dynabench.kit.embedded_postgres import installation
from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.cluster import Cluster
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.installation import Installation, find_installation
from dynabench.kit.embedded_postgres.upgrading import _serving
from dynabench.kit.settings import Settings
from dynabench.migrations import run as migrations
from tests.app.backups.conftest import Go
from tests.app.cli.conftest import Command
from tests.factories.live_servers import wait_until
from tests.migrations.test_landed import DUMPS, restore

DEBIAN = Path("/usr/lib/postgresql/15/bin")
NEWEST = find_installation(existing_major=None).major


@pytest.fixture
def home(open_folder: Path, at: Go) -> Path:
    """A played installation whose data PostgreSQL 15 wrote."""
    if not (DEBIAN / "initdb").is_file():
        missing = "PostgreSQL 15 is missing (Debian: apt-get install postgresql-15)"
        if os.environ.get("REQUIRE_DEBIAN") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    home = open_folder / "home"
    home.mkdir(mode=0o711)
    home.chmod(0o711)
    (home / "postgres.owner.lock").touch()
    account = Account.for_server()
    account.make_private_folder(home / "postgres")
    cluster = Cluster(home / "postgres", Installation(DEBIAN, 15), account)
    cluster.initialise()
    with _serving(cluster) as url:
        restore(url, DUMPS[-1])
        migrations.upgrade(url)
    at(home)
    return home


@pytest.fixture
def without_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The old version's programs are not where one looks for them."""
    monkeypatch.setattr(installation, "_PACKAGED", tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))


def rows_of(home: Path) -> tuple[int, dict[str, int]]:
    """Return the version that serves a home now, and the rows of its tables."""
    with EmbeddedPostgres(home) as url, connected(url, name="test") as connection:
        return major_of(connection), row_counts(connection)


def test_the_data_moves_with_every_row_and_the_old_stays(
    home: Path, command: Command, caplog: pytest.LogCaptureFixture
) -> None:
    before = rows_of(home)
    assert before[0] == 15
    assert "dynabench db upgrade-cluster" in caplog.text

    done = command("db", "upgrade-cluster")

    assert done.status == 0, done.err
    kept = home / "postgres" / "15.kept"
    assert f"rm -r {kept}" in done.out
    assert (kept / "PG_VERSION").read_text() == "15\n"
    assert sorted(path.name for path in (home / "postgres").iterdir() if path.is_dir()) == [
        "15.kept",
        str(NEWEST),
    ]
    assert rows_of(home) == (NEWEST, before[1])
    assert before[1]["public.examples"] > 100
    with EmbeddedPostgres(home) as url:
        assert asyncio.run(found(Settings(database_url=url, home=home))) == []
        assert migrations.check(url).is_current
    again = command("db", "upgrade-cluster")
    assert (again.status, f"PostgreSQL {NEWEST}" in again.err) == (1, True)


async def found(settings: Settings) -> list[str]:
    wiring = wire(settings)
    try:
        return await verify(wiring)
    finally:
        await wiring.close()


@pytest.mark.usefixtures("without_old")
def test_where_the_old_programs_are_gone_the_start_names_the_command_and_it_takes_their_folder(
    home: Path, command: Command
) -> None:
    refused = command("db", "current")
    unnamed = command("db", "upgrade-cluster")
    wrong = command("db", "upgrade-cluster", "--old-binaries", home)

    for done in (refused, unnamed, wrong):
        assert done.status == 1
        assert "dynabench db upgrade-cluster --old-binaries FOLDER" in done.err
    assert not (home / "postgres" / str(NEWEST)).exists()
    done = command("db", "upgrade-cluster", "--old-binaries", DEBIAN)
    assert done.status == 0, done.err
    assert rows_of(home)[0] == NEWEST


def test_a_kill_in_the_middle_leaves_the_old_data_in_use(home: Path, command: Command) -> None:
    before = rows_of(home)
    process = subprocess.Popen(  # noqa: S603 - the environment's own program
        [Path(sys.executable).with_name("dynabench"), "db", "upgrade-cluster"]
    )
    wait_until((home / "postgres" / "upgrading" / str(NEWEST)).exists, seconds=120)
    process.send_signal(signal.SIGKILL)
    process.wait()

    assert not (home / "postgres" / str(NEWEST)).exists()
    assert rows_of(home) == before
    assert command("db", "upgrade-cluster").status == 0
    assert rows_of(home) == (NEWEST, before[1])


def test_data_that_is_in_use_is_left_alone(home: Path, command: Command) -> None:
    with EmbeddedPostgres(home, is_lasting=True):
        done = command("db", "upgrade-cluster")

    assert (done.status, "Stop it first" in done.err) == (1, True)


def test_it_is_for_the_embedded_database_alone(
    command: Command, at: Go, open_folder: Path, database_url: str
) -> None:
    at(open_folder / "none")
    assert "There is no" in command("db", "upgrade-cluster").err
    at(open_folder / "none", database_url)
    assert "DYNABENCH_DATABASE_URL" in command("db", "upgrade-cluster").err
