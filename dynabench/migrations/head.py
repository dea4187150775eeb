"""Whether a database has this code's schema, found out without loading what migrates it."""

import re
from pathlib import Path

import psycopg

_HAS_REVISION = "SELECT to_regclass('alembic_version') IS NOT NULL"


def newest_revision() -> str:
    """Return the newest revision that this code knows, by the names of its files."""
    return known_revisions()[-1]


def known_revisions() -> list[str]:
    """Return the revisions that this code knows, oldest first, by the names of its files."""
    names = [path.name for path in (Path(__file__).parent / "versions").glob("[0-9]*_*.py")]
    return sorted(name.split("_", 1)[0] for name in names)


def revision_of(url: str) -> str | None:
    """Return a database's revision; None before the first migration.

    Args:
        url: `postgresql://…`, as in `DYNABENCH_DATABASE_URL`.

    Raises:
        psycopg.Error: If the database cannot be asked.
    """
    plain = re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql://", url)
    with psycopg.connect(plain, connect_timeout=10) as connection:
        found = connection.execute(_HAS_REVISION).fetchone()
        if found is None or not found[0]:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def is_at_newest(url: str) -> bool:
    """Tell whether a database is at the newest revision; False where it cannot be asked."""
    try:
        return revision_of(url) == newest_revision()
    except psycopg.Error:
        return False
