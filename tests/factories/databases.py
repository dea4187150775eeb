"""Migrated databases of a test server: made once, lent to one test after another."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import LiteralString

import psycopg
from psycopg import Connection, sql

# What DDL writes to; rows of `pg_class` change with every TRUNCATE, so only their number counts.
_CATALOGUES: tuple[LiteralString, ...] = (
    *("pg_attribute", "pg_attrdef", "pg_constraint", "pg_index", "pg_trigger", "pg_rewrite"),
    *("pg_proc", "pg_type", "pg_enum", "pg_namespace", "pg_policy", "pg_statistic"),
    *("pg_statistic_ext", "pg_description", "pg_extension", "pg_event_trigger"),
)
_OWN_TABLES: LiteralString = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      AND pg_relation_size(c.oid) > 0
    ORDER BY 1
"""
_OTHERS: LiteralString = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def named(url: str, name: str) -> str:
    """Return the address of another database on the same server."""
    start, _, options = url.partition("?")
    return f"{start.rpartition('/')[0]}/{name}" + (f"?{options}" if options else "")


class Databases:
    """Lends copies of a template; what a test left in one is gone before the next has it.

    Copying a database and dropping it costs ten times what emptying one does. A copy whose
    schema a test has changed, or the rows that migrations write, is dropped.
    """

    def __init__(self, server: Connection, *, url: str, template: str) -> None:
        self._server = server
        self._url = url
        self._template = template
        self._free: list[str] = []
        self._numbers = count()
        with psycopg.connect(named(url, template), autocommit=True) as connection:
            self._kept = _tables_with_rows(connection)
            self._shape = self._shape_of(connection)

    @contextmanager
    def lend(self) -> Iterator[str]:
        """Give the address of a database that is as if newly migrated, until the block ends."""
        name = self._free.pop() if self._free else self._make()
        try:
            yield named(self._url, name)
        finally:
            if self._clean(name):
                self._free.append(name)
            else:
                self._drop(name)

    def close(self) -> None:
        """Drop what is not lent."""
        while self._free:
            self._drop(self._free.pop())

    def _make(self) -> str:
        name = f"{self._template}_{next(self._numbers)}"
        self._server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                sql.Identifier(name), sql.Identifier(self._template)
            )
        )
        return name

    def _drop(self, name: str) -> None:
        self._server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _clean(self, name: str) -> bool:
        """Empty a database; returns whether it is as it was when it was made."""
        with psycopg.connect(named(self._url, name), autocommit=True) as connection:
            connection.execute(_OTHERS)
            if self._shape_of(connection) != self._shape:
                return False
            written = [one for one in _tables_with_rows(connection) if one not in self._kept]
            if written:
                # The audit trail is kept from this, too.
                connection.execute("SET session_replication_role = replica")
                command = f"TRUNCATE {', '.join(written)} RESTART IDENTITY CASCADE"
                connection.execute(command.encode())
        return True

    def _shape_of(self, connection: Connection) -> list[object]:
        """Return what tells one schema, with the rows that migrations write, from another."""
        asked = ["FROM pg_class WHERE relkind <> 't'", "FROM pg_db_role_setting"]
        parts = [f"(SELECT count(*)::text {rows})" for rows in asked]
        written = "count(*) || ' ' || max(xmin::text::bigint)"
        # The names are those of catalogues above.
        parts += [f"(SELECT {written} FROM {name})" for name in _CATALOGUES]  # noqa: S608
        content = "string_agg(t::text, ';' ORDER BY t::text)"
        # The names are PostgreSQL's own words, quoted where they need it.
        parts += [f"(SELECT {content} FROM {name} t)" for name in self._kept]  # noqa: S608
        row = connection.execute(f"SELECT {', '.join(parts)}".encode()).fetchone()
        assert row is not None
        return list(row)


def _tables_with_rows(connection: Connection) -> list[str]:
    return [str(name) for (name,) in connection.execute(_OWN_TABLES)]
