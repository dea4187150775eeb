"""Brings the data of a home over to a newer major version of PostgreSQL."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dynabench.kit.db.dumps import connected, dump, load, row_counts
from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.cluster import Cluster
from dynabench.kit.embedded_postgres.embedded import OWNER_LOCK
from dynabench.kit.embedded_postgres.errors import (
    ClusterInUseError,
    ClusterNewestError,
    NoClusterError,
    RowsLostError,
)
from dynabench.kit.embedded_postgres.folders import cluster_folder, majors_in
from dynabench.kit.embedded_postgres.installation import (
    Installation,
    find_dump_programs,
    find_installation,
    installation_in,
)
from dynabench.kit.locks import open_lock

_NAME = "dynabench db upgrade-cluster"
_WORK = "upgrading"


@dataclass(frozen=True)
class ClusterUpgrade:
    """What was done.

    Attributes:
        old_major: The version that the data was of.
        new_major: The version that it is of now.
        rows: How many rows all tables have, before and after.
        kept: The folder of the old data.
    """

    old_major: int
    new_major: int
    rows: int
    kept: Path


def upgrade_cluster(
    home: Path,
    *,
    old_binaries: Path | None,
    look_at: Callable[[str], None],
    tell: Callable[[float, str], None],
) -> ClusterUpgrade:
    """Dump the old data, restore it into new data, compare, and switch by a rename.

    Until the rename the old data is what counts; whatever ends this before changes nothing.

    Args:
        home: The product's folder; nothing else may use its database.
        old_binaries: The folder of the old version's `postgres`; None looks for it.
        look_at: Is given the new database's URL before the switch, and may raise to prevent it.
        tell: Takes how much is done (0 to 1), and what is being done.

    Raises:
        NoClusterError, ClusterClosedError, TwoClustersError: If no data can be reached, or two.
        ClusterInUseError: If a process uses it.
        ClusterNewestError: If no newer version is installed.
        NoPostgresError: If there are no programs of the old version.
        RowsLostError: If a table does not have as many rows as before.
    """
    account, folder = Account.for_server(), cluster_folder(home)
    majors = majors_in(folder)
    if not majors:
        raise NoClusterError(home=home)
    with _held(home):
        old, new = _versions(max(majors), old_binaries)
        work = folder / _WORK
        shutil.rmtree(work, ignore_errors=True)
        account.make_private_folder(work)
        programs = find_dump_programs(new.major)
        tell(0.1, f"dumping from PostgreSQL {old.major}")
        source = Cluster(folder, old.reachable_by(account, copies=folder), account)
        with _serving(source) as url:
            dump(url, work / "database.dump", programs=programs)
            rows = _rows(url)
        tell(0.4, f"restoring into PostgreSQL {new.major}")
        target = Cluster(work, new.reachable_by(account, copies=folder), account)
        target.initialise()
        with _serving(target) as url:
            load(url, work / "database.dump", programs=programs)
            _compare(rows, _rows(url))
            tell(0.8, "verifying")
            look_at(url)
        kept = _switch(target.data, source.data)
        shutil.rmtree(work)
    return ClusterUpgrade(old.major, new.major, sum(rows.values()), kept)


def _versions(old_major: int, old_binaries: Path | None) -> tuple[Installation, Installation]:
    new = find_installation(existing_major=None)
    if new.major <= old_major:
        raise ClusterNewestError(major=old_major)
    if old_binaries is None:
        return find_installation(existing_major=old_major), new
    return installation_in(old_binaries, major=old_major), new


@contextmanager
def _held(home: Path) -> Iterator[None]:
    """Keep every other process from starting the database."""
    with open_lock(home / OWNER_LOCK) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ClusterInUseError(home=home) from None
        yield


@contextmanager
def _serving(cluster: Cluster) -> Iterator[str]:
    """Run the server of some data until the block ends."""
    socket_folder = cluster.make_socket_folder()
    try:
        cluster.clear_leftovers(socket_folder)
        server = cluster.serve(socket_folder)
        try:
            yield server.url
        finally:
            server.stop()
    finally:
        shutil.rmtree(socket_folder, ignore_errors=True)


def _rows(url: str) -> dict[str, int]:
    with connected(url, name=_NAME) as connection:
        connection.execute("ANALYZE")
        return row_counts(connection)


def _compare(before: dict[str, int], after: dict[str, int]) -> None:
    for table in sorted(before.keys() | after.keys()):
        if before.get(table) != after.get(table):
            raise RowsLostError(table=table)


def _switch(made: Path, old: Path) -> Path:
    """Put new data where it is used, and return what the old is called then."""
    made.rename(old.with_name(made.name))
    number = os.open(old.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
    return old.rename(old.with_name(f"{old.name}.kept"))
