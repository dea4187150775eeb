"""Use cases of sent files: keep one for a task, and open it for that task alone."""

import asyncio
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from dynabench.engines.storage.errors import BlobNotFoundError
from dynabench.engines.storage.store import BlobStore, Digest, parse_digest
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import DatasetFileMissingError
from dynabench.loop.datasets.uploads.files.repository import FileRepository


class SentFiles:
    """Files by their digests, each of the tasks that it was sent for.

    A digest alone opens nothing: the store holds files of all tasks, with answers that others
    withhold, and a digest may be known to anybody.
    """

    def __init__(self, *, db: Database, blobs: BlobStore) -> None:
        self._db = db
        self._blobs = blobs

    async def keep(self, task_id: UUID, file: Path, *, created_by: UUID | None) -> Digest:
        """Keep a file for a task; the same file gives the same digest."""
        digest = await asyncio.to_thread(self._put, file)
        async with self._db.transaction() as session:
            await FileRepository(session).add(task_id, digest, created_by=created_by)
        return digest

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
