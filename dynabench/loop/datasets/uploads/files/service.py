"""Use cases of sent files: keep one for a task, and open it for that task alone."""

import asyncio
import hashlib
from collections.abc import Collection
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from dynabench.engines.storage.errors import BlobNotFoundError
from dynabench.engines.storage.store import BlobStore, Digest, parse_digest
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.errors import DatasetFileMissingError
from dynabench.loop.datasets.uploads.files.repository import FileRepository
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.models.submissions.leftovers.service import Leftovers


class SentFiles:
    """Files by their digests, each of the tasks that it was sent for.

    A digest alone opens nothing: the store holds files of all tasks, with answers that others
    withhold, and a digest may be known to anybody.
    """

    def __init__(
        self,
        *,
        db: Database,
        blobs: BlobStore,
        artifacts: ArtifactStore,
        quota: FileQuota,
        leftovers: Leftovers,
    ) -> None:
        self._db = db
        self._blobs = blobs
        self._artifacts = artifacts
        self._quota = quota
        self._leftovers = leftovers

    def room(self, announced_bytes: int | None) -> AbstractContextManager[Path]:
        """Give a folder with room for a file that is on its way; it is gone after the block.

        Raises:
            StorageFullError: If there is no room, or none is left within the block.
        """
        return self._artifacts.room(announced_bytes or 0)

    async def keep(self, task_id: UUID, file: Path, *, created_by: UUID | None) -> Digest:
        """Keep a file for a task; the same file gives the same digest.

        Raises:
            FilesQuotaError: If the task may not keep so much.
            StorageFullError: If there is no room.
        """
        size, digest = await asyncio.to_thread(_look, file)
        async with self._db.transaction() as session:
            await self._leftovers.hold_off(session)
            repository = FileRepository(session)
            if not await repository.has(task_id, digest):
                await self._quota.require(session, size, task_id=task_id)
            with self._artifacts.room(size):
                await asyncio.to_thread(self._put, file)
            await repository.add(task_id, digest, created_by=created_by, size_bytes=size)
        return digest

    async def needed(self, session: Session, digests: Collection[str]) -> set[str]:
        """Return those of some digests that are files of any task."""
        return await FileRepository(session).named(digests)

    async def drop_unused(self, session: Session, *, before: datetime) -> list[str]:
        """Forget what was sent before and no dataset is made of, in the caller's transaction.

        Returns:
            The digests of files, which something else may be made of.
        """
        return await FileRepository(session).drop_unused(before=before)

    async def require(self, task_id: UUID, digest: str) -> None:
        """Refuse a file that was not sent for a task, whether or not another task has it.

        Raises:
            DatasetFileMissingError: If it is not here for this task.
        """
        checked = parse_digest(digest)
        async with self._db.read() as session:
            is_sent = await FileRepository(session).has(task_id, checked)
        if not is_sent or not await asyncio.to_thread(self._blobs.exists, checked):
            raise DatasetFileMissingError

    async def open(self, task_id: UUID, digest: str) -> BinaryIO:
        """Open a file that was sent for a task.

        Raises:
            DatasetFileMissingError: If it is not here for this task.
        """
        await self.require(task_id, digest)
        try:
            return await asyncio.to_thread(self._blobs.open, parse_digest(digest))
        except BlobNotFoundError as error:
            raise DatasetFileMissingError from error

    def _put(self, file: Path) -> Digest:
        with file.open("rb") as stream:
            return self._blobs.put_stream(stream)


async def kept_of_task(session: Session, task_id: UUID) -> int:
    """Return how many bytes of files were sent for a task to become datasets."""
    return await FileRepository(session).kept_bytes(task_id)


def _look(file: Path) -> tuple[int, Digest]:
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return file.stat().st_size, parse_digest(digest)
