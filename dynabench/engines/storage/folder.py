"""A blob store in a folder of this machine."""

import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from dynabench.engines.storage.errors import BlobDamagedError, BlobNotFoundError
from dynabench.engines.storage.local_files import (
    LaidOutFolders,
    make_folder,
    sync_folder,
    written_aside,
)
from dynabench.engines.storage.manifest import plain_files, read_files, write_manifest
from dynabench.engines.storage.store import Digest, parse_digest

_REST = re.compile(r"[0-9a-f]{62}")


class FolderBlobStore:
    """Keeps each file as `sha256/ab/cdef…`, written aside, synced, then renamed.

    A reader therefore sees a whole file or none, and a crash leaves at most a file in
    `unfinished`. Folders are laid out below `folders` when they are first asked for. No other
    account of this machine reads any of it.

    Args:
        root: The folder; made when the first file is put.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders = LaidOutFolders(root)

    def put(self, data: bytes) -> Digest:
        """Keep bytes."""
        digest = Digest(hashlib.sha256(data).hexdigest())
        return digest if self.exists(digest) else self.put_stream(io.BytesIO(data))

    def put_stream(self, stream: BinaryIO) -> Digest:
        """Keep what is left in an open file, without holding it in memory."""
        with written_aside(self._root, stream) as (written, digest):
            target = self._path(digest)
            make_folder(target.parent, below=self._root)
            written.replace(target)
            sync_folder(target.parent)
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

    def digests(self) -> Iterator[Digest]:
        """Give everything that is stored, in no order; what comes or goes meanwhile may lack."""
        for path in (self._root / "sha256").glob("[0-9a-f][0-9a-f]/*"):
            if _REST.fullmatch(path.name):
                yield parse_digest(path.parent.name + path.name)

    def put_folder(self, folder: Path) -> Digest:
        """Keep a folder of plain files; its digest covers names, contents and nothing else."""
        files = {}
        for name, path in plain_files(folder):
            with path.open("rb") as file:
                files[name] = self.put_stream(file)
        return self.put(write_manifest(files))

    def folder(self, digest: Digest) -> Path:
        """Return a local folder with the files of `put_folder`, to be read only."""
        found = self._folders.find(digest)
        if found is not None:
            return found
        return self._folders.lay_out(digest, self.files_of(digest), self.open)

    def files_of(self, digest: Digest) -> dict[str, Digest]:
        """Return what a folder of `put_folder` consists of: each file's name and digest."""
        with self.open(digest) as file:
            return read_files(digest, file)

    def delete(self, digest: Digest) -> None:
        """Forget what is stored under this digest, and the folder that it was laid out as."""
        self._path(digest).unlink(missing_ok=True)
        self._folders.forget(digest)

    def _path(self, digest: Digest) -> Path:
        checked = parse_digest(digest)
        return self._root / "sha256" / checked[:2] / checked[2:]
