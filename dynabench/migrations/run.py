"""Bringing a database to the current schema, from the installed package alone."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from dynabench.engines.jobs.install import install as install_job_engine
from dynabench.kit.db.database import DatabaseUnavailableError, sqlalchemy_url
from dynabench.kit.db.metadata import metadata
from dynabench.migrations.start import require_known_schema
from dynabench.migrations.tables import load_all_tables

# Any number will do that no other program locks on the same database.
_LOCK = 0x64796E6162656E63
_LOCK_PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class SchemaState:
    """How a database's schema relates to this code.

    Attributes:
        revision: The database's revision; None before the first migration.
        head: The newest revision that this code knows.
        differences: What the tables in the code and in the database do not share.
    """

    revision: str | None
    head: str | None
    differences: tuple[str, ...] = ()

    @property
    def is_current(self) -> bool:
        """Whether this code can work with the database."""
        return self.revision == self.head and not self.differences


def upgrade(url: str, *, revision: str = "head") -> SchemaState:
    """Apply the migrations that the database lacks, each in its transaction.

    Several processes may ask at once: one works, the others wait and find nothing to do.

    Raises:
        SchemaUnknownError: If newer code has worked with the database.
    """
    require_known_schema(url)
    with _locked(url) as connection:
        command.upgrade(_config(connection), revision)
        connection.commit()
        install_job_engine(url)
    return current(url)


def downgrade(url: str, *, revision: str) -> SchemaState:
    """Undo migrations down to `revision` (`base` undoes all)."""
    with _locked(url) as connection:
        command.downgrade(_config(connection), revision)
        connection.commit()
    return current(url)


def current(url: str) -> SchemaState:
    """Return the database's revision beside this code's, without comparing tables."""
    with _connected(url) as connection:
        return _state(connection)


def check(url: str) -> SchemaState:
    """Return the revision and every difference between the code's tables and the database's."""
    load_all_tables()
    with _connected(url) as connection:
        state = _state(connection)
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        found = [str(difference) for difference in compare_metadata(context, metadata)]
        found += _unlike_checks(connection)
    return SchemaState(state.revision, state.head, tuple(found))


def _unlike_checks(connection: Connection) -> list[str]:
    """Compare CHECK constraints, which Alembic does not, by making the code's once more.

    PostgreSQL rewrites a condition when it stores it, so both are compared as it writes
    them: the code's tables are made in a schema of their own that is rolled back.
    """
    query = text(
        "SELECT conrelid::regclass::text AS table_name, conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE contype = 'c' AND connamespace = CAST(:schema AS regnamespace)"
    )
    scratch = "dynabench_check"
    connection.rollback()
    with connection.begin() as transaction:
        there = {
            (row[0], row[1], row[2]) for row in connection.execute(query, {"schema": "public"})
        }
        connection.execute(text(f"CREATE SCHEMA {scratch}"))
        connection.execute(text(f"SET LOCAL search_path TO {scratch}, public"))
        translated = connection.execution_options(schema_translate_map={None: scratch})
        metadata.create_all(translated, checkfirst=False)
        wanted = {
            (row[0], row[1], row[2]) for row in connection.execute(query, {"schema": scratch})
        }
        transaction.rollback()
    connection.execution_options(schema_translate_map={})
    missing = [f"missing in the database: {' '.join(item)}" for item in sorted(wanted - there)]
    return missing + [f"unknown to the code: {' '.join(item)}" for item in sorted(there - wanted)]


def _state(connection: Connection) -> SchemaState:
    context = MigrationContext.configure(connection)
    scripts = ScriptDirectory.from_config(_config(connection))
    return SchemaState(context.get_current_revision(), scripts.get_current_head())


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    engine = create_engine(
        sqlalchemy_url(url), poolclass=NullPool, connect_args={"connect_timeout": 10}
    )
    try:
        connection = engine.connect()
    except OperationalError as error:
        raise DatabaseUnavailableError from error
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _locked(url: str) -> Iterator[Connection]:
    """Hold the lock on a connection of its own, so that a migration may commit in between."""
    load_all_tables()
    with _connected(url) as guard, _connected(url) as connection:
        # Asked again and again, because one who waits in a statement would be waited for by
        # an index that is built concurrently.
        while not guard.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}):
            guard.rollback()
            time.sleep(_LOCK_PAUSE_SECONDS)
        guard.rollback()
        yield connection


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
