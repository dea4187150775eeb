"""Whether a database has this code's schema, found out without loading what migrates it."""

import re
from pathlib import Path

import psycopg

_HAS_REVISION = "SELECT to_regclass('alembic_version') IS NOT NULL"


def newest_revision() -> str:
    """Return the newest revision that this code knows, by the names of its files."""
    names = [path.name for path in (Path(__file__).parent / "versions").glob("[0-9]*_*.py")]
    return max(name.split("_", 1)[0] for name in names)


def is_at_newest(url: str) -> bool:
    """Tell whether a database is at the newest revision; False where it cannot be asked.

    Args:
        url: `postgresql://…`, as in `DYNABENCH_DATABASE_URL`.
    """
    plain = re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql://", url)
    try:
        with psycopg.connect(plain, connect_timeout=10) as connection:
            found = connection.execute(_HAS_REVISION).fetchone()
            if found is None or not found[0]:
                return False
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except psycopg.Error:
        return False
    return row is not None and row[0] == newest_revision()
