"""A blob store in a folder of this machine."""

import hashlib
import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from dynabench.engines.storage.errors import BlobDamagedError, BlobNotFoundError
from dynabench.engines.storage.manifest import plain_files, read_manifest, write_manifest
from dynabench.engines.storage.store import Digest, parse_digest

_CHUNK_BYTES = 1 << 20
_READ_ONLY = 0o444
_READ_ONLY_FOLDER = 0o555


class FolderBlobStore:
    """Keeps each file as `sha256/ab/cdef…`, written aside, synced, then renamed.

    A reader therefore sees a whole file or none, and a crash leaves at most a file in
    `unfinished`. Folders are laid out below `folders` when they are first asked for.

    Args:
        root: The folder; made when the first file is put.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, data: bytes) -> Digest:
        """Keep bytes."""
        digest = Digest(hashlib.sha256(data).hexdigest())
        return digest if self.exists(digest) else self.put_stream(io.BytesIO(data))

    def put_stream(self, stream: BinaryIO) -> Digest:
        """Keep what is left in an open file, without holding it in memory."""
        aside = self._make_folder(self._root / "unfinished")
        hasher = hashlib.sha256()
        number, name = tempfile.mkstemp(dir=aside)
        written = Path(name)
        try:
            with os.fdopen(number, "wb") as file:
                while chunk := stream.read(_CHUNK_BYTES):
                    hasher.update(chunk)
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            written.chmod(_READ_ONLY)
            digest = Digest(hasher.hexdigest())
            target = self._path(digest)
            self._make_folder(target.parent)
            written.replace(target)
            _sync_folder(target.parent)
        finally:
            written.unlink(missing_ok=True)
        return digest

    def get(self, digest: Digest) -> bytes:
        """Return the bytes, checked against their digest."""
        with self.open(digest) as file:
            data = file.read()
        if hashlib.sha256(data).hexdigest() != digest:
            raise BlobDamagedError(digest)
        return data

    def open(self, digest: Digest) -> BinaryIO:
        """Open the file for reading; the caller closes it."""
        try:
            return self._path(digest).open("rb")
        except FileNotFoundError:
            raise BlobNotFoundError(digest) from None

    def exists(self, digest: Digest) -> bool:
        """Tell whether something is stored under this digest."""
        return self._path(digest).is_file()

    def put_folder(self, folder: Path) -> Digest:
        """Keep a folder of plain files; its digest covers names, contents and nothing else."""
        files = {}
        for name, path in plain_files(folder):
            with path.open("rb") as file:
                files[name] = self.put_stream(file)
        return self.put(write_manifest(files))

    def folder(self, digest: Digest) -> Path:
        """Return a local folder with the files of `put_folder`, to be read only."""
        target = self._root / "folders" / parse_digest(digest)
        if target.is_dir():
            return target
        files = self.files_of(digest)
        aside = Path(tempfile.mkdtemp(dir=self._make_folder(self._root / "unfinished")))
        try:
            for name, file_digest in files.items():
                self._lay_out(file_digest, aside / name)
            for inner in (aside, *(path for path in aside.rglob("*") if path.is_dir())):
                inner.chmod(_READ_ONLY_FOLDER)
            self._make_folder(target.parent)
            self._claim(aside, target)
        finally:
            _remove(aside)
        return target

    def files_of(self, digest: Digest) -> dict[str, Digest]:
        """Return what a folder of `put_folder` consists of: each file's name and digest."""
        files = read_manifest(self.get(digest))
        if files is None:
            raise BlobNotFoundError(digest)
        return files

    def delete(self, digest: Digest) -> None:
        """Forget what is stored under this digest, and the folder that it was laid out as."""
        self._path(digest).unlink(missing_ok=True)
        _remove(self._root / "folders" / digest)

    def _lay_out(self, digest: Digest, path: Path) -> None:
        """Copy rather than link, so that nothing done to the copy reaches what is stored."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.open(digest) as source, path.open("wb") as copy:
            shutil.copyfileobj(source, copy, _CHUNK_BYTES)
        path.chmod(_READ_ONLY)

    def _claim(self, aside: Path, target: Path) -> None:
        try:
            aside.rename(target)
        except OSError:
            # Another process has laid the same folder out meanwhile.
            if not target.is_dir():
                raise

    def _path(self, digest: Digest) -> Path:
        checked = parse_digest(digest)
        return self._root / "sha256" / checked[:2] / checked[2:]

    def _make_folder(self, folder: Path) -> Path:
        """Make a folder and those above it, each durably."""
        if not folder.is_dir():
            if folder.parent != folder:
                self._make_folder(folder.parent)
            folder.mkdir(exist_ok=True)
            _sync_folder(folder.parent)
        return folder


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _remove(folder: Path) -> None:
    if not folder.exists():
        return
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)
