"""What every test has: a real PostgreSQL, a clock that stands still, no way off the machine."""

import os
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import hypothesis
import psycopg
import pytest
import structlog
from sqlalchemy import create_engine

from dynabench.kit.db.database import Database, sqlalchemy_url
from dynabench.kit.db.metadata import metadata
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.migrations import run as migrations
from dynabench.migrations.tables import load_all_tables
from dynabench.people.passwords import service as hashing
from tests.factories.databases import Databases, named

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.load_profile("ci")

_LOOPBACK = ("127.", "::1", "localhost")
_TEMPLATE = "dynabench_template"
_names = count()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class OffMachineError(AssertionError):
    """A test tried to reach beyond loopback."""


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections and names beyond this machine."""
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
            raise OffMachineError(f"A test tried to connect to {address}.")
        # The address passed is the one that was checked.
        connect(self, address)  # type: ignore[arg-type]

    def guarded_resolve(
        host: bytes | str | None,
        port: bytes | str | int | None,
        family: int = 0,
        kind: int = 0,
        proto: int = 0,
        flags: int = 0,
        **renamed: int,
    ) -> object:
        name = host.decode() if isinstance(host, bytes) else host
        if name and not name.startswith(_LOOPBACK):
            raise OffMachineError(f"A test tried to look up {name}.")
        return resolve(host, port, family, renamed.get("type", kind), proto, flags)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_resolve)


@pytest.fixture(scope="session", autouse=True)
def _log_lines_are_no_output() -> None:
    """Have log lines go where those of libraries go, not to standard output, its default."""
    structlog.configure(logger_factory=structlog.stdlib.LoggerFactory())


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Hash as the product does, but at once: accounts are made in every other test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "_MEMORY_KIB", 64)
        patch.setattr(hashing, "_PASSES", 1)
        yield


class HeldClock:
    """A clock that only moves when a test moves it."""

    def __init__(self, start: datetime) -> None:
        self.time = start

    def now(self) -> datetime:
        return self.time

    def set(self, time: datetime) -> None:
        self.time = time

    def advance(
        self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0
    ) -> None:
        self.time += timedelta(seconds=seconds, minutes=minutes, hours=hours, days=days)


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock(datetime(2030, 1, 15, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """One server per test process; `DYNABENCH_TEST_DATABASE_URL` names another to use."""
    given = os.environ.get("DYNABENCH_TEST_DATABASE_URL")
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="dynabench-test-") as folder:
        # As root the server runs as another account, which must be able to pass through.
        Path(folder).chmod(0o711)
        with EmbeddedPostgres(Path(folder) / "home", for_tests=True) as url:
            yield url


def _migrate(url: str) -> None:
    if migrations.upgrade(url).head is None:
        # Before the first revision is written the tables come from the code.
        load_all_tables()
        engine = create_engine(sqlalchemy_url(url))
        metadata.create_all(engine)
        engine.dispose()


@pytest.fixture(scope="session")
def template_database(postgres_url: str) -> Iterator[str]:
    """A migrated database that every test's own is copied from; returns its name."""
    name = f"{_TEMPLATE}_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        _migrate(named(postgres_url, name))
        yield name
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture(scope="session")
def databases(postgres_url: str, template_database: str) -> Iterator[Databases]:
    """Migrated databases, for fixtures that need one for longer than a test, or a second one."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        lender = Databases(connection, url=postgres_url, template=template_database)
        yield lender
        lender.close()


@pytest.fixture
def database_url(databases: Databases) -> Iterator[str]:
    """A migrated database of the test's own."""
    with databases.lend() as url:
        yield url


@pytest.fixture
def empty_database_url(postgres_url: str) -> Iterator[str]:
    """A database of the test's own with nothing in it."""
    name = f"empty_{os.getpid()}_{next(_names)}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        yield named(postgres_url, name)
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The test's own migrated database, as services get it."""
    database = Database.from_url(database_url, pool_size=5)
    yield database
    await database.close()
