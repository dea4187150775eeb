"""Makes a backup while the installation is in use.

The order is what keeps rows and files in step. A file is stored before a row names it, and
forgotten after the last such row is gone. So the stored files are copied first, which takes
long. Then forgetting waits for a moment, in which the database's snapshot is taken and what
came since is copied. The snapshot is dumped afterwards, while everything goes on.
"""

import asyncio
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import text

from dynabench import __version__
from dynabench.app.backups.errors import BackupUnderWayError, FolderTakenError, NothingToKeepError
from dynabench.app.backups.manifest import (
    DUMP,
    HOME,
    HOME_FILES,
    MANIFEST,
    KeptFile,
    Manifest,
    Tell,
    blob_path,
    write_manifest,
)
from dynabench.app.backups.places import require_apart
from dynabench.app.wiring import Wiring
from dynabench.engines.storage.errors import BlobNotFoundError
from dynabench.engines.storage.opening import open_store
from dynabench.engines.storage.store import BlobStore, Digest
from dynabench.kit.db.dumps import Snapshot, connected, dump, major_of, row_counts, snapshot_of
from dynabench.kit.embedded_postgres.installation import find_dump_programs
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.migrations.head import revision_of

NAME = "dynabench backup"
_CHUNK_BYTES = 1 << 20
_PRIVATE_FOLDER = 0o700
_PRIVATE = 0o600
# Lies in a folder that a backup is being written to: only such a one is emptied.
_MARK = ".dynabench-backup"
# What comes while a round of copying runs is left to the next; the last one holds others up.
_ROUNDS = 2
_SHARE_OF_FILES = 0.8


@dataclass
class BlobCopies:
    """The stored files as they are copied into a backup.

    Attributes:
        store: Where they are.
        folder: The backup's folder.
        copied: Those that are copied, by their digest.
        damaged: Those whose content is not what their digest says.
    """

    store: BlobStore
    folder: Path
    copied: dict[Digest, KeptFile] = field(default_factory=dict)
    damaged: set[Digest] = field(default_factory=set)

    def copy_new(self, tell: Tell) -> None:
        """Copy what is not copied yet; what is forgotten meanwhile is passed over."""
        there = set(self.store.digests()) - self.copied.keys() - self.damaged
        for number, digest in enumerate(sorted(there)):
            tell(_SHARE_OF_FILES * number / len(there), f"copying file {number + 1:,}")
            self._copy(digest)

    def settle(self, tell: Tell) -> None:
        """Bring the copies to what is stored now; the caller keeps files from being forgotten."""
        self.copy_new(tell)
        there = set(self.store.digests())
        for digest in self.copied.keys() - there:
            (self.folder / self.copied.pop(digest).path).unlink()
        self.damaged &= there

    def _copy(self, digest: Digest) -> None:
        path = self.folder / blob_path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        hasher, size = hashlib.sha256(), 0
        try:
            with self.store.open(digest) as source, _private(path) as copy:
                while chunk := source.read(_CHUNK_BYTES):
                    hasher.update(chunk)
                    size += copy.write(chunk)
        except BlobNotFoundError:
            path.unlink(missing_ok=True)
            return
        if hasher.hexdigest() == digest:
            file = KeptFile(path=blob_path(digest), sha256=digest, bytes=size)
            self.copied[digest] = file
        else:
            path.unlink()
            self.damaged.add(digest)


async def make_backup(
    wiring: Wiring, folder: Path, *, tell: Tell, binaries: Path | None = None
) -> Manifest:
    """Write a backup to a folder that is not there yet.

    It is written beside and renamed when it is whole. Of one that was killed `FOLDER.unfinished`
    stays, which the next one to the same place begins anew.

    Args:
        wiring: The installation, in use or not; its schema may be of an older version.
        folder: Where to.
        tell: Takes the progress.
        binaries: The folder of `pg_dump`; None looks for the server's version.

    Raises:
        FolderTakenError: If something lies there.
        BackupUnderWayError: If another process writes there.
        NothingToKeepError: If the database is empty.
        NoDumpProgramsError: If there is no `pg_dump` of the server's version.
        DumpFailedError: If it fails.
    """
    settings, url = wiring.settings, str(wiring.settings.database_url)
    _require_new(folder)
    require_apart(folder, settings.home)
    with connected(url, name=NAME) as connection:
        programs = find_dump_programs(major_of(connection), folder=binaries)
    revision = revision_of(url)
    if revision is None:
        raise NothingToKeepError
    with _written_beside(folder) as aside, ExitStack() as stack:
        store = open_store(settings.blobs_url, folder=settings.blobs_folder, environment=os.environ)
        copies = BlobCopies(store, aside)
        for _ in range(_ROUNDS):
            await asyncio.to_thread(copies.copy_new, tell)
        async with wiring.db.transaction() as session:
            await session.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            await wiring.get(Leftovers).hold_off(session)
            snapshot = stack.enter_context(snapshot_of(url, name=NAME))
            await asyncio.to_thread(copies.settle, tell)
        tell(_SHARE_OF_FILES, "dumping the database")
        manifest = await asyncio.to_thread(
            _finish, snapshot, copies, programs=programs, url=url, home=settings.home
        )
        write_manifest(aside, manifest)
        (aside / MANIFEST).chmod(_PRIVATE)
    return manifest


def _require_new(folder: Path) -> None:
    """Refuse a place where something lies; an empty folder is nothing."""
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise FolderTakenError(folder)


def _finish(
    snapshot: Snapshot, copies: BlobCopies, *, programs: Path, url: str, home: Path
) -> Manifest:
    """Dump the snapshot, copy the keys, and say what the backup holds."""
    aside, connection = copies.folder, snapshot.connection
    row = connection.execute("SELECT now(), (SELECT version_num FROM alembic_version)").fetchone()
    assert row is not None
    with _private(aside / DUMP):
        written = dump(url, aside / DUMP, programs=programs, snapshot=snapshot.name)
    files = [KeptFile(path=DUMP, sha256=written.sha256, bytes=written.bytes)]
    files += [
        _keep(aside, f"{HOME}/{name}", (home / name).read_bytes())
        for name in HOME_FILES
        if (home / name).is_file()
    ]
    return Manifest(
        made_at=row[0],
        version=__version__,
        revision=str(row[1]),
        postgres=major_of(connection),
        tables=row_counts(connection),
        files=(*files, *(copies.copied[digest] for digest in sorted(copies.copied))),
        damaged=tuple(sorted(copies.damaged)),
    )


def _keep(aside: Path, path: str, content: bytes) -> KeptFile:
    (aside / path).parent.mkdir(exist_ok=True)
    with _private(aside / path) as file:
        file.write(content)
    return KeptFile(path=path, sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    """Make a file that only this account can read; it is on the disk when the block ends."""
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, _PRIVATE)) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _require_ours(aside: Path, number: int) -> None:
    """Refuse to empty a folder that no backup of this account began.

    Raises:
        FolderTakenError: If it is somebody else's, or holds things and not our mark.
    """
    is_ours = os.fstat(number).st_uid == os.geteuid()
    if not is_ours or (any(aside.iterdir()) and not (aside / _MARK).is_file()):
        raise FolderTakenError(aside)


def _require_there(aside: Path, number: int, folder: Path) -> None:
    """Refuse an open folder that another backup has finished and renamed meanwhile.

    Raises:
        FolderTakenError: If it has.
    """
    try:
        is_there = os.path.samestat(os.fstat(number), aside.lstat())
    except FileNotFoundError:
        is_there = False
    if not is_there:
        raise FolderTakenError(folder)


@contextmanager
def _written_beside(folder: Path) -> Iterator[Path]:
    """Give a private folder beside another, which becomes that one when the block ends well."""
    aside = folder.with_name(f"{folder.name}.unfinished")
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    try:
        number = os.open(aside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise FolderTakenError(aside) from error
    try:
        _require_ours(aside, number)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupUnderWayError(folder) from None
        _require_there(aside, number, folder)
        (aside / _MARK).touch()
        for left in aside.iterdir():
            if left.name != _MARK:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        aside.chmod(_PRIVATE_FOLDER)
        try:
            yield aside
            for made in (aside, *(path for path in aside.rglob("*") if path.is_dir())):
                made.chmod(_PRIVATE_FOLDER)
            _require_new(folder)
            os.fsync(number)
            aside.rename(folder)
            # Last: whatever is killed before is emptied by the next one, and a mark more in a
            # whole backup does no harm.
            (folder / _MARK).unlink()
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    finally:
        os.close(number)
