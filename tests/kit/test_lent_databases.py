"""The tests' own databases: what one test leaves, no other finds."""

import psycopg
import pytest

from dynabench.migrations import run as migrations
from tests.factories.databases import Databases

ROWS = "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM alembic_version)"


def database_of(connection: psycopg.Connection) -> object:
    return connection.execute("SELECT current_database()").fetchone()


def write_a_user(connection: psycopg.Connection) -> None:
    connection.execute(
        "INSERT INTO users (id, username, username_key, created_at)"
        " VALUES (gen_random_uuid(), 'Ada', 'ada', now())"
    )


def test_what_is_lent_again_holds_nothing_of_the_last_one(databases: Databases) -> None:
    with databases.lend() as url, psycopg.connect(url, autocommit=True) as connection:
        first = database_of(connection)
        write_a_user(connection)
        assert connection.execute(ROWS).fetchone() == (1, 1)
    with databases.lend() as url, psycopg.connect(url, autocommit=True) as connection:
        assert database_of(connection) == first
        assert connection.execute(ROWS).fetchone() == (0, 1)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE users ADD COLUMN surplus int",
        "ALTER TABLE users DROP COLUMN username CASCADE",
        "ALTER TABLE users ALTER COLUMN username DROP NOT NULL",
        "CREATE SCHEMA elsewhere",
        "CREATE TABLE surplus (id int)",
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE users DISABLE TRIGGER ALL",
        "UPDATE alembic_version SET version_num = 'old'",
        "DELETE FROM alembic_version",
        "DROP TABLE users CASCADE",
    ],
)
def test_a_database_with_another_schema_is_never_lent_again(
    databases: Databases, change: str
) -> None:
    with databases.lend() as url, psycopg.connect(url, autocommit=True) as connection:
        changed = database_of(connection)
        connection.execute(change.encode())
    with databases.lend() as url, psycopg.connect(url, autocommit=True) as connection:
        assert database_of(connection) != changed
        assert migrations.check(url).is_current


def test_two_that_are_lent_at_once_are_two(databases: Databases) -> None:
    with databases.lend() as one, databases.lend() as other:
        assert one != other


def test_whoever_is_still_connected_is_cut_off(databases: Databases) -> None:
    with databases.lend() as url:
        left = psycopg.connect(url)
        left.execute("SELECT * FROM users FOR UPDATE")
    with left, pytest.raises(psycopg.OperationalError):
        left.execute("SELECT 1")
