"""What a process asks of a database before it works with it, answered in a sentence.

Nothing here loads what migrates, so that a server that may start loses no time.
"""

import secrets
from contextlib import closing

import psycopg

from dynabench.kit.db.database import DatabaseUnavailableError, libpq_url
from dynabench.kit.errors import UnavailableError
from dynabench.migrations.head import known_revisions, revision_of

_OLDEST_SERVER = 150_000
_CONNECT_SECONDS = 10
_KEPT_MILLISECONDS = "59999"


class OldServerError(UnavailableError):
    """The PostgreSQL server is older than what is supported."""

    code = "database.server_too_old"

    def __init__(self, *, version: int) -> None:
        super().__init__(
            f"The database runs on PostgreSQL {version // 10_000}, and version 15 is the oldest "
            "that works. Upgrade the server, or name another one in DYNABENCH_DATABASE_URL.",
            version=version // 10_000,
        )


class PooledDatabaseError(UnavailableError):
    """A pooler between this process and PostgreSQL does not keep sessions."""

    code = "database.pooled"

    def __init__(self) -> None:
        super().__init__(
            "The database is reached through a pooler that does not keep a session and its "
            "settings, as PgBouncer in transaction mode. Dynabench keeps a pool of its own and "
            "needs sessions: name PostgreSQL itself in DYNABENCH_DATABASE_URL."
        )


class SchemaBehindError(UnavailableError):
    """The database's schema is older than this code, or not there at all."""

    code = "database.schema_behind"

    def __init__(self, *, revision: str | None, head: str) -> None:
        super().__init__(
            f"The database is at revision {revision or 'none'}, and this version needs {head}. "
            "Make a backup, then bring it up to date: dynabench db upgrade",
            revision=revision,
            head=head,
        )


class SchemaUnknownError(UnavailableError):
    """The database's schema was made by code that is newer than this, or by other code."""

    code = "database.schema_unknown"

    def __init__(self, *, revision: str, head: str) -> None:
        super().__init__(
            f"The database is at revision {revision}, and this version knows revisions up to "
            f"{head}. A newer version has worked with it. Install that version again, or bring a "
            "backup of the older one back: dynabench restore",
            revision=revision,
            head=head,
        )


def require_sessions(url: str) -> None:
    """Refuse a server that is too old, and a pooler that shares sessions or drops settings.

    One connection keeps a setting and a value of its own, and a second one looks for them.

    Raises:
        DatabaseUnavailableError: If the database does not answer.
        OldServerError: If it is older than PostgreSQL 15.
        PooledDatabaseError: If sessions are not kept.
    """
    mark = secrets.token_hex(8)
    try:
        with closing(_connect(url)) as first, closing(_connect(url)) as second:
            version = first.info.server_version
            if version < _OLDEST_SERVER:
                raise OldServerError(version=version)
            first.execute("SELECT set_config('dynabench.mark', %s, false)", [mark])
            seen = second.execute("SELECT current_setting('dynabench.mark', true)").fetchone()
            kept = first.execute("SELECT current_setting('dynabench.mark', true)").fetchone()
            limit = second.execute("SHOW lock_timeout").fetchone()
    except psycopg.OperationalError as error:
        if "unsupported startup parameter" in str(error):
            raise PooledDatabaseError from error
        raise DatabaseUnavailableError from error
    if seen == (mark,) or kept != (mark,) or limit != (f"{_KEPT_MILLISECONDS}ms",):
        raise PooledDatabaseError


def require_schema(url: str) -> None:
    """Refuse a database whose schema is not the one that this code works with.

    Raises:
        DatabaseUnavailableError: If the database does not answer.
        SchemaBehindError: If it lacks migrations.
        SchemaUnknownError: If it is at a revision that this code does not know.
    """
    revision, known = require_known_schema(url), known_revisions()
    if revision != known[-1]:
        raise SchemaBehindError(revision=revision, head=known[-1])


def require_known_schema(url: str) -> str | None:
    """Return a database's revision, None before the first, and refuse one that is unknown.

    Raises:
        DatabaseUnavailableError: If the database does not answer.
        SchemaUnknownError: If it is at a revision that this code does not know.
    """
    try:
        revision = revision_of(url)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailableError from error
    known = known_revisions()
    if revision is not None and revision not in known:
        raise SchemaUnknownError(revision=revision, head=known[-1])
    return revision


def _connect(url: str) -> psycopg.Connection:
    return psycopg.connect(
        libpq_url(url),
        autocommit=True,
        connect_timeout=_CONNECT_SECONDS,
        options=f"-c lock_timeout={_KEPT_MILLISECONDS}",
    )
