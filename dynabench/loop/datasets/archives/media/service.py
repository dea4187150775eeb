"""Use cases of an archive's files: find out how much they are, list them, put them in."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import BinaryIO, TypeAlias
from uuid import UUID

from dynabench.engines.row_files.packing import PackedFile, Packing
from dynabench.engines.storage.errors import BlobDamagedError, BlobNotFoundError
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.db.database import Session
from dynabench.kit.threads import ended
from dynabench.loop.datasets.archives.columns.values import Column, Form
from dynabench.loop.datasets.archives.errors import ArchiveMediaMissingError
from dynabench.loop.datasets.archives.media.repository import NamedMediaRepository
from dynabench.loop.datasets.archives.media.rules import LIST, line_of, place_of
from dynabench.loop.datasets.archives.media.values import NamedMedia, PlacedFile
from dynabench.loop.media.service import MediaService

OnFile: TypeAlias = Callable[[int], Awaitable[None]]

# What is a wave form is not packed yet; everything else is.
_UNPACKED = "audio/wav"


class MediaGathering:
    """The pictures and sounds that one version's items name, on their way into its archive.

    Args:
        version_id: The version.
        columns: The columns of its table.
        media: Knows what each file is.
        blobs: Has their bytes.
    """

    def __init__(
        self, *, version_id: UUID, columns: Sequence[Column], media: MediaService, blobs: BlobStore
    ) -> None:
        self._version_id = version_id
        self._columns = tuple(one for one in columns if one.form is Form.MEDIA)
        self._media = media
        self._blobs = blobs
        self._named: NamedMedia | None = None

    @property
    def named(self) -> NamedMedia | None:
        """What there is, once it was looked for; None where no item can name a file."""
        return self._named

    async def look(self, session: Session) -> None:
        """Find out how much there is.

        Raises:
            ArchiveMediaMissingError: If nothing is known of a file that an item names.
        """
        if not self._columns:
            return
        named = await NamedMediaRepository(session, self._version_id, self._columns).in_sum()
        if named.first_missing is not None:
            raise ArchiveMediaMissingError(digest=named.first_missing, files=named.missing)
        self._named = named

    async def places(self, digests: Collection[str]) -> dict[str, PlacedFile]:
        """Return where files are, by digest."""
        assert self._named is not None, "it was not looked for"
        found = await self._media.get_many(digests)
        return {
            digest: place_of(digest, file.media_type, are_included=self._named.are_included)
            for digest, file in found.items()
        }

    async def write_list(self, session: Session, aside: BinaryIO) -> None:
        """List all files, by digest, in a file beside the archive."""
        if self._named is None:
            return
        are_included = self._named.are_included
        repository = NamedMediaRepository(session, self._version_id, self._columns)
        async for rows in repository.listed():
            lines = b"".join(
                line_of(
                    place_of(row.digest, row.media_type, are_included=are_included),
                    size_bytes=row.size_bytes,
                )
                for row in rows
            )
            await ended(asyncio.to_thread(aside.write, lines))

    async def pack(self, packing: Packing, aside: BinaryIO, on_file: OnFile) -> PackedFile | None:
        """Put the list into the archive, then the files, unless they are too much.

        Args:
            packing: The archive.
            aside: The list that `write_list` wrote.
            on_file: Told after each file how many are there.

        Returns:
            What is known of the list; None where no item can name a file.

        Raises:
            ArchiveMediaMissingError: If the store has not the bytes of a file.
            BlobDamagedError: If it has others.
        """
        if self._named is None:
            return None
        aside.seek(0)
        told = await ended(asyncio.to_thread(packing.copy, LIST, aside, is_packed=False))
        if self._named.are_included:
            aside.seek(0)
            for done, line in enumerate(aside, start=1):
                await ended(asyncio.to_thread(self._add, packing, line))
                await on_file(done)
        return told

    def _add(self, packing: Packing, line: bytes) -> None:
        about = json.loads(line)
        digest = about["digest"]
        is_packed = about["media_type"] != _UNPACKED
        try:
            with self._blobs.open(parse_digest(digest)) as file:
                added = packing.copy(about["path"], file, is_packed=is_packed)
        except BlobNotFoundError as error:
            raise ArchiveMediaMissingError(digest=digest, files=1) from error
        if added.sha256 != digest:
            raise BlobDamagedError(digest)
