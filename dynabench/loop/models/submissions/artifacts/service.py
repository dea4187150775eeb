"""Taking a model's files in, piece by piece, and giving them out for its check."""

import asyncio
import errno
import hashlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from dynabench.engines.storage.manifest import plain_files
from dynabench.engines.storage.store import BlobStore, Digest, parse_digest
from dynabench.loop.models.submissions.errors import ArtifactTooLargeError, StorageFullError
from dynabench.loop.models.submissions.rules import format_of
from dynabench.loop.models.submissions.values import Artifact, ArtifactFormat, SubmissionLimits
from dynabench.loop.models.values import ModelKind

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_HEAD_BYTES = 16
_CHUNK_BYTES = 1 << 20
# What is left free, so that the database and others go on.
_RESERVE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A file that has come in and is not stored yet."""

    path: Path
    digest: str
    format: ArtifactFormat
    size_bytes: int


class ArtifactStore:
    """Keeps artifacts among the stored files; nothing of one is ever held in memory."""

    def __init__(self, *, blobs: BlobStore, limits: SubmissionLimits) -> None:
        self._blobs = blobs
        self._limits = limits

    @property
    def max_bytes(self) -> int:
        """The largest artifact that is taken."""
        return self._limits.max_bytes

    @asynccontextmanager
    async def receive(
        self, chunks: AsyncIterator[bytes], *, kind: ModelKind, announced_bytes: int | None
    ) -> AsyncIterator[Received]:
        """Write what comes in to a file that is there as long as the block runs.

        Raises:
            ArtifactTooLargeError: If it has too many bytes; said before they are read where
                their number was announced.
            ArtifactFormatError: If it is of no kind that is taken.
            StorageFullError: If there is no room.
        """
        limit = self._limits.max_bytes
        if announced_bytes is not None and announced_bytes > limit:
            raise ArtifactTooLargeError(limit_bytes=limit)
        with self.room(announced_bytes or 0) as folder:
            path = folder / "artifact"
            hasher, head, size = hashlib.sha256(), b"", 0
            async with await anyio.open_file(path, "wb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > limit:
                        raise ArtifactTooLargeError(limit_bytes=limit)
                    if len(head) < _HEAD_BYTES:
                        head += chunk[:_HEAD_BYTES]
                        if len(head) >= _HEAD_BYTES:
                            format_of(head, kind=kind)
                    hasher.update(chunk)
                    await file.write(chunk)
            yield Received(
                path=path,
                digest=hasher.hexdigest(),
                format=format_of(head, kind=kind),
                size_bytes=size,
            )

    async def keep(self, received: Received) -> Artifact:
        """Store what came in.

        Raises:
            StorageFullError: If there is no room.
        """
        with told_when_full():
            digest = await asyncio.to_thread(self._put, received.path)
        return Artifact(digest=digest, format=received.format, size_bytes=received.size_bytes)

    async def fetch(self, artifact: Artifact, path: Path) -> None:
        """Copy a stored artifact to a place of this machine."""
        await asyncio.to_thread(self._copy, parse_digest(artifact.digest), path)

    async def keep_folder(self, folder: Path) -> Digest:
        """Store a folder of plain files."""
        with told_when_full():
            return await asyncio.to_thread(self._blobs.put_folder, folder)

    async def files_of(self, digest: Digest) -> list[str]:
        """Return the digests of a stored folder's files."""
        return [*(await asyncio.to_thread(self._blobs.files_of, digest)).values()]

    @contextmanager
    def room(self, needed_bytes: int = 0) -> Iterator[Path]:
        """Give a folder on a disk with room that is gone after the block.

        Raises:
            StorageFullError: If there is no room, or none is left within the block.
        """
        with told_when_full():
            spool = self._limits.spool
            spool.mkdir(parents=True, exist_ok=True)
            self.require_room(needed_bytes)
            with tempfile.TemporaryDirectory(dir=spool, ignore_cleanup_errors=True) as folder:
                yield Path(folder)

    def require_room(self, needed_bytes: int = 0) -> None:
        """Refuse what would leave others no room.

        Raises:
            StorageFullError: If there is none.
        """
        if shutil.disk_usage(self._limits.spool).free < needed_bytes + _RESERVE_BYTES:
            raise StorageFullError

    def _put(self, path: Path) -> Digest:
        with path.open("rb") as file:
            return self._blobs.put_stream(file)

    def _copy(self, digest: Digest, path: Path) -> None:
        with self._blobs.open(digest) as stored, path.open("wb") as copy:
            shutil.copyfileobj(stored, copy, _CHUNK_BYTES)


def folder_bytes(folder: Path) -> int:
    """Return how many bytes the plain files of a folder have; blocks."""
    return sum(path.stat().st_size for _, path in plain_files(folder))


@contextmanager
def told_when_full() -> Iterator[None]:
    """Say a full disk in words.

    Raises:
        StorageFullError: Where the block ran out of room.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFullError from error
        raise
