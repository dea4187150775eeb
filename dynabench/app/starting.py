"""How a process of an installation begins: it looks at its database, and says why it ends."""

import sys
from collections.abc import Callable

import structlog

from dynabench.kit.db.database import DatabaseUnavailableError
from dynabench.kit.errors import DynabenchError
from dynabench.kit.settings import Settings
from dynabench.migrations.start import require_schema, require_sessions

_FAILED = 1
_log = structlog.get_logger(__name__)


def require_usable(settings: Settings) -> None:
    """Refuse to start on a database that this code cannot work with.

    A database that does not answer yet is no reason: the process waits for it.

    Raises:
        OldServerError: If the server is older than PostgreSQL 15.
        PooledDatabaseError: If a pooler in between keeps no sessions.
        SchemaBehindError: If migrations are missing.
        SchemaUnknownError: If newer code has worked with it.
    """
    assert settings.database_url is not None, "the caller starts or names the database"
    try:
        require_sessions(settings.database_url)
        require_schema(settings.database_url)
    except DatabaseUnavailableError:
        _log.warning("the database does not answer yet")


def run_process(main: Callable[[], int]) -> int:
    """Run a process's program; a reason that a person can act on is written as one line."""
    try:
        return main()
    except DynabenchError as error:
        sys.stderr.write(f"Error: {error.message}\n")
        return _FAILED
