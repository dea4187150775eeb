"""A home, a database and services of its own for one measurement, gone when it ends."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg

from dynabench.app.wiring import Wiring, wire
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.ids import new_id
from dynabench.kit.settings import Settings
from dynabench.migrations.run import upgrade


@contextmanager
def new_home() -> Iterator[Path]:
    """Give an installation's folder, which the database's own account may enter."""
    home = Path(tempfile.mkdtemp(prefix="dynabench-bench-"))
    home.chmod(0o711)
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def database() -> Iterator[tuple[str, Path]]:
    """Run an embedded database; gives its address and its home."""
    with new_home() as home, EmbeddedPostgres(home / "database") as url:
        upgrade(url)
        yield url, home


def wire_to(url: str, home: Path) -> Wiring:
    """Return the services over a database."""
    return wire(Settings(database_url=url, home=home))


@contextmanager
def services() -> Iterator[tuple[Wiring, Path]]:
    """Give the services of an installation, over an embedded database."""
    with database() as (url, home):
        yield wire_to(url, home), home


def add_version(
    connection: "psycopg.Connection[tuple[object, ...]]",
    task_id: UUID,
    *,
    name: str,
    sizes: Mapping[str, int],
) -> UUID:
    """Write a dataset and its first version straight into the tables, still without items."""
    dataset_id, version_id = new_id(), new_id()
    card = {"splits": {split: {"items": items} for split, items in sizes.items()}}
    connection.execute(
        "INSERT INTO datasets (id, task_id, name) VALUES (%s, %s, %s)", [dataset_id, task_id, name]
    )
    connection.execute(
        "INSERT INTO dataset_versions (id, dataset_id, version, digest, licence, card)"
        " VALUES (%s, %s, 1, %s, 'CC0-1.0', %s)",
        [version_id, dataset_id, name, json.dumps(card)],
    )
    return version_id
