"""Dumps of a database, by PostgreSQL's own programs, in its custom format."""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from dynabench.kit.db.database import DatabaseUnavailableError, libpq_url
from dynabench.kit.errors import UnavailableError

_CHUNK_BYTES = 1 << 20
_CONNECT_SECONDS = 10
_LONGEST_REASON = 2_000
_VERSIONS_PER_MAJOR = 10_000
_TABLES: LiteralString = (
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'"
    " AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1, 2"
)


class DumpFailedError(UnavailableError):
    """A program of PostgreSQL's did not dump or restore a database."""

    code = "postgres.dump_failed"

    def __init__(self, *, program: str, reason: str) -> None:
        super().__init__(f"{program} did not succeed. It says:\n{reason}", program=program)


@dataclass(frozen=True)
class Snapshot:
    """One moment of a database, for as long as its transaction is open.

    Attributes:
        connection: The transaction that sees it.
        name: By which other connections see the same moment.
    """

    connection: Connection
    name: str


@dataclass(frozen=True)
class DumpedFile:
    """A file that was written.

    Attributes:
        sha256: Of its content, in hexadecimal.
        bytes: Its size.
    """

    sha256: str
    bytes: int


@contextmanager
def connected(url: str, *, name: str) -> Iterator[Connection]:
    """Open one connection that commits each statement.

    Args:
        url: As in `DYNABENCH_DATABASE_URL`.
        name: How it is called in `pg_stat_activity`.

    Raises:
        DatabaseUnavailableError: If the database does not answer.
    """
    try:
        connection = psycopg.connect(
            libpq_url(url), autocommit=True, application_name=name, connect_timeout=_CONNECT_SECONDS
        )
    except psycopg.OperationalError as error:
        raise DatabaseUnavailableError from error
    with connection:
        yield connection


@contextmanager
def snapshot_of(url: str, *, name: str) -> Iterator[Snapshot]:
    """Hold one moment of a database until the block ends."""
    with connected(url, name=name) as connection:
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        connection.execute("SET statement_timeout = 0")
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert row is not None
        yield Snapshot(connection, str(row[0]))
        connection.execute("COMMIT")


def major_of(connection: Connection) -> int:
    """Return the server's major version."""
    return connection.info.server_version // _VERSIONS_PER_MAJOR


def row_counts(connection: Connection) -> dict[str, int]:
    """Return how many rows each table has, by `schema.table`; PostgreSQL's own are left out."""
    counts = {}
    for schema, table in connection.execute(_TABLES).fetchall():
        question = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(schema, table))
        row = connection.execute(question).fetchone()
        assert row is not None
        counts[f"{schema}.{table}"] = int(row[0])
    return counts


def dump(url: str, file: Path, *, programs: Path, snapshot: str | None = None) -> DumpedFile:
    """Write a whole database to a file.

    The program writes to this process, so that it ends with it, however this one ends.

    Args:
        url: As in `DYNABENCH_DATABASE_URL`.
        file: Written anew.
        programs: The folder of `pg_dump`.
        snapshot: The moment to dump; None is now.

    Raises:
        DumpFailedError: If the program fails.
    """
    options = ["--format=custom", "--no-owner", "--no-privileges"]
    if snapshot is not None:
        options.append(f"--snapshot={snapshot}")
    hasher, size = hashlib.sha256(), 0
    with (
        _running(programs / "pg_dump", url, options, writes=True) as process,
        file.open("wb") as to,
    ):
        assert process.stdout is not None
        while chunk := process.stdout.read(_CHUNK_BYTES):
            hasher.update(chunk)
            size += to.write(chunk)
        to.flush()
        os.fsync(to.fileno())
    return DumpedFile(hasher.hexdigest(), size)


def load(url: str, file: Path, *, programs: Path) -> None:
    """Put a dump into an empty database, in one transaction: whole or not at all.

    Args:
        url: As in `DYNABENCH_DATABASE_URL`.
        file: As `dump` wrote it.
        programs: The folder of `pg_restore`.

    Raises:
        DumpFailedError: If the program fails.
    """
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    with _running(programs / "pg_restore", url, options, writes=False) as process:
        assert process.stdin is not None
        # Where it ends before it has read everything, it says why.
        with suppress(BrokenPipeError), file.open("rb") as source, process.stdin as to:
            while chunk := source.read(_CHUNK_BYTES):
                to.write(chunk)


@contextmanager
def _running(
    program: Path, url: str, options: list[str], *, writes: bool
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program on a database; a password is in its environment, not among its words."""
    known = conninfo_to_dict(libpq_url(url))
    password = known.pop("password", None)
    environment = {**os.environ, "LC_ALL": "C", "PGAPPNAME": f"dynabench {program.name}"}
    if password is not None:
        environment["PGPASSWORD"] = str(password)
    words = [str(program), *options, f"--dbname={make_conninfo('', **known)}"]
    with tempfile.TemporaryFile() as complaints:
        # The program is PostgreSQL's own, and the options are ours.
        process = subprocess.Popen(  # noqa: S603
            words,
            env=environment,
            stdin=subprocess.DEVNULL if writes else subprocess.PIPE,
            stdout=subprocess.PIPE if writes else subprocess.DEVNULL,
            stderr=complaints,
        )
        with process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip()
            raise DumpFailedError(program=program.name, reason=said[-_LONGEST_REASON:])
