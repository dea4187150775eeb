"""Forgetting the files of models, but for those that something else is made of too."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from typing import TypeAlias

from dynabench.engines.storage.errors import BlobNotFoundError
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.db.database import Database, Session
from dynabench.loop.models.submissions.repository import SubmissionRepository

Needed: TypeAlias = Callable[[Session, Collection[str]], Awaitable[set[str]]]
"""Tells which of some digests a chapter above still names."""


class Leftovers:
    """Files are stored by their content, so that one file may belong to many things.

    Whoever stores a file of a model or of predictions does so under `hold_off`, in the
    transaction that names it; forgetting waits for those, and they for it.
    """

    def __init__(self, *, db: Database, blobs: BlobStore) -> None:
        self._db = db
        self._blobs = blobs

    async def hold_off(self, session: Session) -> None:
        """Let no file be forgotten until the transaction ends."""
        await SubmissionRepository(session).keep_files()

    async def forget(self, digests: Collection[str], *, needed: Needed) -> int:
        """Forget files, and folders with their files; doing it again does no harm.

        Args:
            digests: What a model, or its predictions, had.
            needed: Tells what else is still named, beside other models' files.

        Returns:
            How many were forgotten.
        """
        async with self._db.transaction() as session:
            repository = SubmissionRepository(session)
            await repository.stop_keeping_files()
            folders, artifacts = await repository.digests_in_use()
            wanted = set(digests) - folders - artifacts
            # What somebody hands in may look like a folder, and is none for that.
            leaving_folders = await repository.folders_among(wanted)
            wanted |= await asyncio.to_thread(self._files_of, leaving_folders)
            if not wanted:
                return 0
            kept = folders | artifacts | await asyncio.to_thread(self._files_of, folders)
            kept |= await needed(session, wanted)
            leaving = wanted - kept
            await asyncio.to_thread(self._delete, leaving)
        return len(leaving)

    def _files_of(self, folders: Collection[str]) -> set[str]:
        """Return the digests of the files that folders consist of."""
        found = set[str]()
        for digest in folders:
            # One may be gone already, and of a model that did not pass there never was one.
            with contextlib.suppress(BlobNotFoundError):
                found.update(self._blobs.files_of(parse_digest(digest)).values())
        return found

    def _delete(self, digests: Collection[str]) -> None:
        for digest in digests:
            self._blobs.delete(parse_digest(digest))
