"""Installations of every landed schema open with the newest code, with their data.

A revision that has landed is never edited. For each one a dump of a small installation lies
in `dumps/`, played by scripted people on texts of the catalogue; `CONTRIBUTING.md` says how
the next one is made.
"""

import asyncio
import hashlib
import lzma
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

import dynabench.migrations
from dynabench.app.verify import verify
from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.migrations import run
from dynabench.migrations.head import known_revisions
from dynabench.migrations.start import require_schema

HERE = Path(__file__).parent
VERSIONS = Path(dynabench.migrations.__file__).parent / "versions"
DUMPS = sorted((HERE / "dumps").glob("*.sql.xz"))
# What an early form of revision 0004 had not yet.
LATE = (
    "ALTER TABLE jobs DROP COLUMN told",
    "ALTER TABLE rounds DROP COLUMN arm_secret",
    "DROP INDEX ix_validations_round_id_created_at",
)


def landed() -> dict[str, str]:
    lines = (HERE / "landed.sha256").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def restore(url: str, dump: Path) -> None:
    """Put a dump into an empty database."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(lzma.decompress(dump.read_bytes()))


def name_of(dump: Path) -> str:
    return dump.name.partition(".")[0]


@pytest.mark.parametrize("path", sorted(VERSIONS.glob("[0-9]*.py")), ids=lambda path: path.stem)
def test_a_landed_revision_is_never_edited(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()

    assert landed().get(path.name) == digest, (
        f"{path.name} is not as it landed. Take the change back and write a new revision; "
        f"a new one is added to {HERE.name}/landed.sha256: {digest}  {path.name}"
    )


def test_there_is_a_dump_of_every_revision_that_holds_data() -> None:
    assert {name_of(dump) for dump in DUMPS} <= set(known_revisions())
    assert len(DUMPS) >= 4


@pytest.mark.parametrize("dump", DUMPS, ids=name_of)
def test_an_old_installation_opens_with_its_data(
    dump: Path, empty_database_url: str, tmp_path: Path
) -> None:
    restore(empty_database_url, dump)
    before = counts(empty_database_url)

    run.upgrade(empty_database_url)

    require_schema(empty_database_url)
    assert run.check(empty_database_url).differences == ()
    after = counts(empty_database_url)
    assert {table: after[table] for table in before} == before
    assert before["examples"] > 100
    assert asyncio.run(found_by_verify(empty_database_url, tmp_path)) == []


def test_an_installation_of_an_early_revision_opens_too(empty_database_url: str) -> None:
    restore(empty_database_url, HERE / "dumps" / "0004.sql.xz")
    with psycopg.connect(empty_database_url) as connection:
        for statement in LATE:
            connection.execute(statement)

    run.upgrade(empty_database_url)

    assert run.check(empty_database_url).differences == ()


def counts(url: str) -> dict[str, int]:
    """Return how many rows people's own tables have."""
    tables = ("users", "tasks", "rounds", "examples", "validations", "outcomes", "datasets")
    with psycopg.connect(url) as connection:
        found = {
            table: connection.execute(
                sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
            ).fetchone()
            for table in tables
        }
    return {table: row[0] for table, row in found.items() if row is not None}


async def found_by_verify(url: str, home: Path) -> list[str]:
    """Return what does not agree; the files of the old installation are not at hand."""
    wiring = wire(Settings(database_url=url, home=home))
    try:
        return [told for told in await verify(wiring) if "blob store" not in told]
    finally:
        await wiring.close()
