"""Looks at the database: whether it answers, its schema, this account's rights, its clock."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import psycopg

from dynabench.app.doctor.values import Finding, looked_at, ok, problem, warning
from dynabench.app.server.health import WORKERS
from dynabench.kit.db.database import DatabaseUnavailableError, libpq_url
from dynabench.kit.errors import DynabenchError
from dynabench.migrations.start import require_schema, require_sessions

_CONNECT_SECONDS = 10
_LATE_SECONDS, _WRONG_SECONDS = 2.0, 60.0
_CONNECTING = "Start PostgreSQL, or correct DYNABENCH_DATABASE_URL."
_PRIVILEGED = "Make the account the owner of its database: ALTER DATABASE … OWNER TO …"
# What a migration and a running process do, each tried in a block that is rolled back.
_TRIALS = {
    "make tables": "CREATE TABLE dynabench_doctor (n integer)",
    "make schemas": "CREATE SCHEMA dynabench_doctor",
    "make functions": "CREATE FUNCTION dynabench_doctor() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "take advisory locks": "SELECT pg_try_advisory_xact_lock(hashtext('dynabench doctor'))",
    "listen": "LISTEN dynabench_doctor",
    "tell": "SELECT pg_notify('dynabench_doctor', '')",
}
_CLOSED_TABLES = """
    SELECT n.nspname || '.' || c.relname FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'dbos') AND c.relkind IN ('r', 'p')
       AND NOT (has_schema_privilege(n.oid, 'USAGE')
                AND has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT'))
     ORDER BY 1
"""


def look_at_database(url: str) -> Iterator[Finding]:
    """Tell how a database is; one that does not answer is asked no more.

    Args:
        url: `postgresql://…`; its password is never told.
    """
    try:
        require_sessions(url)
        connection = _connect(url)
    except (DynabenchError, psycopg.Error) as error:
        yield problem("database", _why(error, url), do=_CONNECTING)
        return
    with closing(connection):
        version = connection.info.server_version
        yield ok(
            "database",
            f"PostgreSQL {version // 10_000}.{version % 10_000} answers at "
            f"{connection.info.host or 'its socket'}, database {connection.info.dbname}.",
        )
        yield _schema(url)
        yield looked_at("rights", lambda: _rights(connection), do=_PRIVILEGED)
        yield looked_at("clock", lambda: _clock(connection), do="Set the clocks by NTP.")
        yield looked_at("worker", lambda: _worker(connection), do=_CONNECTING)


def _connect(url: str) -> psycopg.Connection:
    return psycopg.connect(
        libpq_url(url),
        autocommit=True,
        connect_timeout=_CONNECT_SECONDS,
        application_name="dynabench doctor",
        options="-c statement_timeout=10000",
    )


def _why(error: Exception, url: str) -> str:
    """Say why a database cannot be used; libpq's own words say more than ours."""
    cause = error.__cause__ if isinstance(error, DatabaseUnavailableError) else None
    said = str(cause or getattr(error, "message", error)).strip()
    password = psycopg.conninfo.conninfo_to_dict(libpq_url(url)).get("password")
    if password:
        said = said.replace(str(password), "…")
    return " ".join(re.sub(r"\s+", " ", said).split())


def _schema(url: str) -> Finding:
    return looked_at("schema", lambda: _known(url), do="Do what this says, then look again.")


def _known(url: str) -> Finding:
    require_schema(url)
    return ok("schema", "The database has the schema of this version.")


def _rights(connection: psycopg.Connection) -> Finding:
    """Try what migrations and processes do; nothing of it stays."""
    missing = []
    for what, statement in _TRIALS.items():
        try:
            with connection.transaction(force_rollback=True):
                connection.execute(statement.encode())
        except psycopg.errors.InsufficientPrivilege:
            missing.append(what)
    closed = [str(row[0]) for row in connection.execute(_CLOSED_TABLES).fetchall()]
    if closed:
        missing.append(f"read and write {closed[0]}" + (" and others" if len(closed) > 1 else ""))
    account = connection.info.user
    if missing:
        return problem("rights", f"{account} may not {', '.join(missing)}.", do=_PRIVILEGED)
    return ok("rights", f"{account} may make tables, lock, listen, read and write.")


def _clock(connection: psycopg.Connection) -> Finding:
    before = datetime.now(UTC)
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    after = datetime.now(UTC)
    assert row is not None
    theirs: datetime = row[0]
    # Between the question and the answer either is right.
    apart = max((before - theirs).total_seconds(), (theirs - after).total_seconds(), 0.0)
    return judge_clock(apart)


def judge_clock(seconds: float) -> Finding:
    """Tell whether two clocks that are so far apart will do."""
    says = f"The clocks of this machine and of the database are {seconds:.1f} seconds apart."
    do = "Set both clocks by NTP: leases, sign-ins and counts go by them."
    if seconds > _WRONG_SECONDS:
        return problem("clock", says, do=do)
    if seconds > _LATE_SECONDS:
        return warning("clock", says, do=do)
    return ok("clock", "The clocks of this machine and of the database agree.")


def _worker(connection: psycopg.Connection) -> Finding:
    row = connection.execute(WORKERS.encode()).fetchone()
    assert row is not None
    if row[0]:
        return ok("worker", f"Workers that run: {row[0]}.")
    return warning("worker", "No worker runs, so jobs wait.", do="Start one: dynabench worker")
