"""What a process says of a database before it works with it."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from dynabench.kit.db.database import DatabaseUnavailableError
from dynabench.migrations import run, start
from dynabench.migrations.head import known_revisions, newest_revision
from tests.factories.poolers import pooled

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


def at_revision(url: str, revision: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = %s", [revision])


def test_a_migrated_database_may_be_worked_with(database_url: str) -> None:
    start.require_sessions(database_url)
    start.require_schema(database_url)


def test_a_database_without_a_schema_is_refused_with_the_command(empty_database_url: str) -> None:
    with pytest.raises(start.SchemaBehindError, match="dynabench db upgrade"):
        start.require_schema(empty_database_url)


def test_a_database_that_is_behind_is_refused_with_the_command(empty_database_url: str) -> None:
    run.upgrade(empty_database_url, revision=known_revisions()[-2])

    with pytest.raises(start.SchemaBehindError) as refused:
        start.require_schema(empty_database_url)

    assert refused.value.facts == {"revision": known_revisions()[-2], "head": newest_revision()}


def test_a_database_of_newer_code_is_refused_and_left_alone(empty_database_url: str) -> None:
    run.upgrade(empty_database_url)
    at_revision(empty_database_url, "9999")

    for refuse in (start.require_schema, run.upgrade):
        with pytest.raises(start.SchemaUnknownError, match="9999"):
            refuse(empty_database_url)


def test_a_database_that_does_not_answer_is_told() -> None:
    for refuse in (start.require_sessions, start.require_schema):
        with pytest.raises(DatabaseUnavailableError):
            refuse(NOWHERE)


@pytest.mark.parametrize("program", ["server", "worker"])
def test_a_process_ends_with_one_sentence_on_a_schema_it_does_not_know(
    program: str, empty_database_url: str, tmp_path: Path
) -> None:
    run.upgrade(empty_database_url)
    at_revision(empty_database_url, "9999")
    environment = {
        **os.environ,
        "DYNABENCH_DATABASE_URL": empty_database_url,
        "DYNABENCH_HOME": str(tmp_path),
    }

    # The interpreter and the module are our own.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", f"dynabench.app.{program}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("Error: The database is at revision 9999")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        "pool_mode = transaction",
        "pool_mode = transaction\nignore_startup_parameters = options",
        "pool_mode = session\nignore_startup_parameters = options",
    ],
    ids=["as it comes", "sharing sessions", "dropping settings"],
)
def test_a_pooler_that_keeps_no_session_is_refused_in_a_sentence(
    options: str, database_url: str, tmp_path: Path
) -> None:
    with (
        pooled(database_url, folder=tmp_path, options=options) as url,
        pytest.raises(start.PooledDatabaseError, match="DYNABENCH_DATABASE_URL"),
    ):
        start.require_sessions(url)
