"""A blob store in a bucket of an S3-compatible service."""

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from dynabench.engines.storage.errors import (
    BlobDamagedError,
    BlobNotFoundError,
    StorageUnreachableError,
)
from dynabench.engines.storage.local_files import LaidOutFolders, written_aside
from dynabench.engines.storage.manifest import plain_files, read_files, write_manifest
from dynabench.engines.storage.store import Digest, parse_digest

if TYPE_CHECKING:
    # The library has these for type checkers alone.
    from _typeshed import WriteableBuffer
    from obstore import ReadableFile

_READ_BYTES = 1 << 20
_RETRIES = 4
_RETRY_SECONDS = 20
_READ_SECONDS = 60
_KEY = re.compile(r"sha256/([0-9a-f]{2})/([0-9a-f]{62})")


class S3BlobStore:
    """Keeps each file as the object `prefix/sha256/ab/cdef…`.

    The service shows a whole object or none, and answers when it is kept. Files on their way
    there, and folders that are laid out to be read, lie in a folder of this machine.

    Args:
        url: `s3://bucket/prefix`; region, endpoint and keys come from the usual `AWS_…` variables
            or from the machine's role.
        cache: The local folder.
        allow_http: Whether the service may be spoken to without encryption.
    """

    def __init__(self, url: str, *, cache: Path, allow_http: bool = False) -> None:
        self._url = url
        self._cache = cache
        self._folders = LaidOutFolders(cache)
        self._bucket = S3Store.from_url(
            url,
            # A large file takes long; what counts is that something arrives.
            client_options={
                "allow_http": allow_http,
                "timeout": timedelta(hours=1),
                "read_timeout": timedelta(seconds=_READ_SECONDS),
            },
            retry_config={
                "max_retries": _RETRIES,
                "retry_timeout": timedelta(seconds=_RETRY_SECONDS),
            },
        )

    def put(self, data: bytes) -> Digest:
        """Keep bytes."""
        digest = Digest(hashlib.sha256(data).hexdigest())
        self._put(digest, data)
        return digest

    def put_stream(self, stream: BinaryIO) -> Digest:
        """Keep what is left in an open file; it is written here first, for its digest."""
        with written_aside(self._cache, stream) as (written, digest):
            self._put(digest, written)
        return digest

    def get(self, digest: Digest) -> bytes:
        """Return the bytes, checked against their digest."""
        with self._told(digest):
            data = bytes(obstore.get(self._bucket, _key(digest)).bytes())
        if hashlib.sha256(data).hexdigest() != digest:
            raise BlobDamagedError(digest)
        return data

    def open(self, digest: Digest) -> BinaryIO:
        """Open the file for reading; the caller closes it."""
        with self._told(digest):
            source = obstore.open_reader(self._bucket, _key(digest), buffer_size=_READ_BYTES)
        return io.BufferedReader(_ObjectReader(self, digest, source), _READ_BYTES)

    def exists(self, digest: Digest) -> bool:
        """Tell whether something is stored under this digest."""
        try:
            with self._told(digest):
                obstore.head(self._bucket, _key(digest))
        except BlobNotFoundError:
            return False
        return True

    def digests(self) -> Iterator[Digest]:
        """Give everything that is stored, in no order; what comes or goes meanwhile may lack."""
        try:
            for page in obstore.list(self._bucket, "sha256/"):
                for found in page:
                    key = _KEY.fullmatch(found["path"])
                    if key is not None:
                        yield parse_digest(key[1] + key[2])
        except (BaseError, OSError) as error:
            raise StorageUnreachableError(self._url, why=type(error).__name__) from error

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
        """Forget what is stored under this digest, and the folder that it was laid out as here."""
        try:
            with self._told(digest):
                obstore.delete(self._bucket, _key(digest))
        except BlobNotFoundError:
            pass
        self._folders.forget(digest)

    def _put(self, digest: Digest, content: bytes | Path) -> None:
        if self.exists(digest):
            return
        try:
            obstore.put(self._bucket, _key(digest), content)
        except (BaseError, OSError) as error:
            # What is not found here is the bucket.
            raise StorageUnreachableError(self._url, why=type(error).__name__) from error

    @contextmanager
    def _told(self, digest: Digest) -> Iterator[None]:
        """Raise our own errors for those of the service, which may say keys and addresses."""
        try:
            yield
        except FileNotFoundError:
            raise BlobNotFoundError(digest) from None
        except (BaseError, OSError) as error:
            raise StorageUnreachableError(self._url, why=type(error).__name__) from error


class _ObjectReader(io.RawIOBase):
    """Reads an object piece by piece, as files are read."""

    def __init__(self, store: S3BlobStore, digest: Digest, source: "ReadableFile") -> None:
        super().__init__()
        self._store = store
        self._digest = digest
        self._source = source

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        with self._store._told(self._digest):  # noqa: SLF001 - one class in two
            data = self._source.read(len(view))
        view[: len(data)] = bytes(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._source.seek(offset, whence)

    def tell(self) -> int:
        return self._source.tell()


def _key(digest: Digest) -> str:
    checked = parse_digest(digest)
    return f"sha256/{checked[:2]}/{checked[2:]}"
