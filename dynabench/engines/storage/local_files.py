"""Files and folders of this machine: written durably, laid out to be read, removed."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dynabench.engines.storage.errors import BlobDamagedError
from dynabench.engines.storage.store import Digest, parse_digest

CHUNK_BYTES = 1 << 20
PRIVATE_FOLDER = 0o700
_PRIVATE_READ_ONLY = 0o400
# What is laid out is read by the sandbox's users too, who get it shown from inside a closed folder.
_READ_ONLY = 0o444
_READ_ONLY_FOLDER = 0o555
_OTHERS = 0o007
# What the process's umask leaves of it.
_ANY = 0o777
# Nobody takes longer from making a file to holding it, or from writing it to giving its name.
_ABANDONED_SECONDS = 60
# Nothing is laid out for longer.
_ABANDONED_FOLDER_SECONDS = 24 * 60 * 60


class LaidOutFolders:
    """Stored folders as folders of this machine, laid out when they are first asked for.

    Args:
        root: Where they lie, in `folders`; what is not finished is in `unfinished`.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def find(self, digest: Digest) -> Path | None:
        """Return where a folder is laid out, None where it is not yet."""
        target = self._path(digest)
        return target if target.is_dir() else None

    def lay_out(
        self, digest: Digest, files: Mapping[str, Digest], read: Callable[[Digest], BinaryIO]
    ) -> Path:
        """Copy a folder's files from where they are stored; whole or not at all.

        Raises:
            BlobDamagedError: If a file is no longer what was put there.
        """
        target = self._path(digest)
        aside = Path(tempfile.mkdtemp(dir=make_folder(self._root / "unfinished", below=self._root)))
        try:
            for name, file_digest in files.items():
                _copy(file_digest, aside / name, read)
            for inner in (aside, *(path for path in aside.rglob("*") if path.is_dir())):
                inner.chmod(_READ_ONLY_FOLDER)
            make_folder(target.parent, below=self._root)
            _claim(aside, target)
        finally:
            _remove(aside)
        return target

    def forget(self, digest: Digest) -> None:
        """Remove a folder, if it is laid out."""
        _remove(self._path(digest))

    def _path(self, digest: Digest) -> Path:
        return self._root / "folders" / parse_digest(digest)


@contextmanager
def written_aside(root: Path, stream: BinaryIO) -> Iterator[tuple[Path, Digest]]:
    """Write what is left in an open file to one in `unfinished`, synced, and give its digest.

    What is still there when the block ends is removed, and what processes left there that
    were killed before they could.
    """
    hasher = hashlib.sha256()
    folder = make_folder(root / "unfinished", below=root)
    _remove_abandoned(folder)
    number, name = tempfile.mkstemp(dir=folder)
    written = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            # Held until it is written: by this others know that somebody still is.
            fcntl.flock(file, fcntl.LOCK_EX)
            while chunk := stream.read(CHUNK_BYTES):
                hasher.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        written.chmod(_PRIVATE_READ_ONLY)
        yield written, Digest(hasher.hexdigest())
    finally:
        written.unlink(missing_ok=True)


def make_folder(folder: Path, *, below: Path) -> Path:
    """Make a folder and those above it, each durably.

    Args:
        folder: The folder.
        below: It and what is below it is for this account alone.
    """
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent, below=below)
        is_private = folder.is_relative_to(below)
        folder.mkdir(mode=PRIVATE_FOLDER if is_private else _ANY, exist_ok=True)
        sync_folder(folder.parent)
    return folder


def close_to_others(folder: Path) -> None:
    """Take a folder from other accounts, as one that earlier versions made may be open to them.

    A folder that its group alone may read stays so; one of another owner, too.
    """
    with contextlib.suppress(FileNotFoundError, PermissionError):
        if is_open_to_others(folder):
            folder.chmod(PRIVATE_FOLDER)


def is_open_to_others(folder: Path) -> bool:
    """Tell whether every account of this machine may reach what is in a folder or read its names.

    Raises:
        FileNotFoundError: If it is not there.
    """
    return bool(folder.stat().st_mode & _OTHERS)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to its disk."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _remove_abandoned(folder: Path) -> None:
    """Remove files that nobody writes any more, and old folders that were never finished."""
    now = time.time()
    for path in folder.iterdir():
        # Another process may be faster, here and below.
        with contextlib.suppress(OSError):
            age = now - path.stat().st_mtime
            if path.is_dir():
                if age > _ABANDONED_FOLDER_SECONDS:
                    _remove(path)
            elif age > _ABANDONED_SECONDS:
                with path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()


def _copy(digest: Digest, path: Path, read: Callable[[Digest], BinaryIO]) -> None:
    """Copy rather than link, so that nothing done to the copy reaches what is stored."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hasher = hashlib.sha256()
    with read(digest) as source, path.open("wb") as copy:
        while chunk := source.read(CHUNK_BYTES):
            hasher.update(chunk)
            copy.write(chunk)
    if hasher.hexdigest() != digest:
        raise BlobDamagedError(digest)
    path.chmod(_READ_ONLY)


def _claim(aside: Path, target: Path) -> None:
    try:
        aside.rename(target)
    except OSError:
        # Another process has laid the same folder out meanwhile.
        if not target.is_dir():
            raise


def _remove(folder: Path) -> None:
    if not folder.exists():
        return
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(PRIVATE_FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
