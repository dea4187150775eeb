"""Use cases of pictures and sounds: bring them, fetch them, read them."""

import asyncio
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

import anyio

from dynabench.engines.media.errors import MediaTooLargeError
from dynabench.engines.media.fetching import MediaFetcher
from dynabench.engines.media.formats import MAX_MEDIA_BYTES
from dynabench.engines.media.inspector import Inspected, MediaInspector
from dynabench.engines.storage.errors import BlobNotFoundError
from dynabench.engines.storage.parts import read_part
from dynabench.engines.storage.store import BlobStore, Digest, parse_digest
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.byte_ranges import requested_range
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.under_way import UnderWay
from dynabench.loop.media.errors import MediaBusyError, MediaNotFoundError, MediaQuotaError
from dynabench.loop.media.permissions import is_limited, require_uploader
from dynabench.loop.media.repository import MediaRepository
from dynabench.loop.media.rules import (
    FETCHED_FOR,
    QUOTA_BYTES,
    QUOTA_PERIOD,
    is_digest,
    kind_of_type,
)
from dynabench.loop.media.schemas import MediaRead
from dynabench.loop.media.values import MediaFile, OpenedMedia
from dynabench.loop.tasks.service import TaskService

_REMEMBERED = 10_000
# Each lies on the disk, and waits to be decoded.
_MOST_COMING = 8
_LOOKED_AT = 500
_THUMBNAIL_TYPE = "image/webp"


class MediaService:
    """Stores each file once, under the digest of its cleaned bytes."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        blobs: BlobStore,
        inspector: MediaInspector,
        fetcher: MediaFetcher,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._blobs = blobs
        self._inspector = inspector
        self._fetcher = fetcher
        self._coming = UnderWay(most=_MOST_COMING, refuse=MediaBusyError)
        # What is known of a file never changes.
        self._known: OrderedDict[str, MediaFile] = OrderedDict()
        # A row tells one address of a file, and when it was new.
        self._fetched: OrderedDict[str, tuple[MediaFile, datetime]] = OrderedDict()

    async def upload(self, slug: str, *, chunks: AsyncIterator[bytes], actor: Actor) -> MediaRead:
        """Store a picture or a sound for a task; who brings it twice gets the same digest.

        Raises:
            MediaRefusedError: If it is no picture or sound that is taken.
            MediaTooLargeError: If it has too many bytes.
            MediaQuotaError: If the actor has brought too much today.
            MediaBusyError: If too many of the actor's files are on their way.
        """
        await self._require_uploader(slug, actor)
        with (
            self._coming.one_more(require_signed_in(actor)),
            tempfile.TemporaryDirectory(prefix="dynabench-media-") as folder,
        ):
            file = Path(folder) / "sent"
            await _write(chunks, file)
            kept = await self._keep(file, created_by=actor.user_id)
        return MediaRead.model_validate(kept)

    async def fetch(self, slug: str, url: str, *, actor: Actor) -> MediaRead:
        """Fetch a picture or a sound for a task and store it.

        Raises:
            MediaFetchError: If the address gives none.
            MediaRefusedError: If it is no picture or sound that is taken.
            MediaQuotaError: If the actor has brought too much today.
            MediaBusyError: If too many of the actor's files are on their way.
        """
        await self._require_uploader(slug, actor)
        with self._coming.one_more(require_signed_in(actor)):
            kept = await self.fetch_file(url, created_by=actor.user_id)
        return MediaRead.model_validate(kept)

    async def fetch_file(self, url: str, *, created_by: UUID | None) -> MediaFile:
        """Fetch and store a file, whoever asks.

        Raises:
            MediaFetchError: If the address gives none.
            MediaRefusedError: If it is no picture or sound that is taken.
        """
        with tempfile.TemporaryDirectory(prefix="dynabench-media-") as folder:
            file = Path(folder) / "sent"
            await self._fetcher.fetch(url, file)
            kept = await self._keep(file, created_by=created_by, source_url=url)
        self._fetched[url] = kept, self._clock.now()
        self._fetched.move_to_end(url)
        while len(self._fetched) > _REMEMBERED:
            self._fetched.popitem(last=False)
        return kept

    async def keep(self, file: Path) -> MediaFile:
        """Store a file of this machine, such as a picture of a task that is set up here.

        Raises:
            MediaRefusedError: If it is no picture or sound that is taken.
        """
        return await self._keep(file, created_by=None)

    async def read(self, digest: str) -> MediaRead:
        """Return what is known of a file.

        Raises:
            MediaNotFoundError: If there is none.
        """
        return MediaRead.model_validate(await self.get(digest))

    async def open(self, digest: str, *, range_header: str | None = None) -> OpenedMedia | None:
        """Return a file's bytes, or those of its bytes that a `Range` header means.

        Returns:
            None if that range lies outside the file.

        Raises:
            MediaNotFoundError: If there is none.
        """
        found = await self.get(digest)
        wanted = requested_range(range_header, size=found.size_bytes)
        if wanted is None:
            return None
        file = await self._open(parse_digest(digest))
        return OpenedMedia(
            media_type=found.media_type,
            size_bytes=found.size_bytes,
            chunks=await read_part(file, *wanted),
            start=wanted[0],
            end=wanted[1],
        )

    async def open_thumbnail(self, digest: str) -> OpenedMedia:
        """Return a picture's smaller form.

        Raises:
            MediaNotFoundError: If there is no such picture.
        """
        found = await self.get(digest)
        if found.thumbnail_digest is None:
            raise MediaNotFoundError
        file = await self._open(parse_digest(found.thumbnail_digest))
        size = await asyncio.to_thread(file.seek, 0, 2)
        return OpenedMedia(
            media_type=_THUMBNAIL_TYPE,
            size_bytes=size,
            chunks=await read_part(file, 0, size),
            start=0,
            end=size,
        )

    async def get(self, digest: str) -> MediaFile:
        """Return what is known of a file.

        Raises:
            MediaNotFoundError: If there is none.
        """
        found = (await self.get_many([digest])).get(digest)
        if found is None:
            raise MediaNotFoundError
        return found

    async def get_many(self, digests: Collection[str]) -> dict[str, MediaFile]:
        """Return what is known of those files that are there, by digest."""
        known = {one: self._known[one] for one in digests if one in self._known}
        missing = {one for one in digests if one not in known and is_digest(one)}
        if missing:
            async with self._db.read() as session:
                found = await MediaRepository(session).get_many(missing)
            self._remember(found)
            # Others may have driven out meanwhile what was remembered above.
            known |= found
        return known

    async def needed(self, session: Session, digests: Collection[str]) -> set[str]:
        """Return those of some digests that are files or thumbnails."""
        return await MediaRepository(session).named(digests)

    async def content(self, digest: str) -> bytes:
        """Return all bytes of a file.

        Raises:
            BlobNotFoundError: If it is not stored.
        """
        return await asyncio.to_thread(self._blobs.get, parse_digest(digest))

    async def recently_fetched(self, urls: Collection[str]) -> dict[str, MediaFile]:
        """Return the files that were fetched within the last hour, by their addresses."""
        if not urls:
            return {}
        since = self._clock.now() - FETCHED_FOR
        async with self._db.read() as session:
            found = await MediaRepository(session).by_urls(urls, since=since)
        for url in urls:
            kept, fetched_at = self._fetched.get(url, (None, since))
            if kept is not None and fetched_at >= since:
                found[url] = kept
        return found

    async def lost(self) -> list[str]:
        """Return the digests of files that are known, but whose bytes or thumbnail are gone."""
        lost: list[str] = []
        after = ""
        while True:
            async with self._db.read() as session:
                page = await MediaRepository(session).digests(after=after, limit=_LOOKED_AT)
            for digest, thumbnail in page:
                names = [digest] if thumbnail is None else [digest, thumbnail]
                there = [
                    await asyncio.to_thread(self._blobs.exists, parse_digest(one)) for one in names
                ]
                if not all(there):
                    lost.append(digest)
            if len(page) < _LOOKED_AT:
                return lost
            after = page[-1][0]

    async def require_room(self, user_id: UUID) -> None:
        """Refuse whoever has brought as many bytes within a day as one person may.

        Raises:
            MediaQuotaError: If they have.
        """
        async with self._db.read() as session:
            brought = await MediaRepository(session).bytes_since(
                user_id, self._clock.now() - QUOTA_PERIOD
            )
        if brought >= QUOTA_BYTES:
            raise MediaQuotaError(limit_bytes=QUOTA_BYTES)

    async def _require_uploader(self, slug: str, actor: Actor) -> None:
        task = await self._tasks.get_for(slug, actor)
        role = await self._tasks.role_of(task.id, actor)
        require_uploader(task, role, actor)
        if actor.user_id is not None and is_limited(role):
            await self.require_room(actor.user_id)

    async def _keep(
        self, file: Path, *, created_by: UUID | None, source_url: str | None = None
    ) -> MediaFile:
        with tempfile.TemporaryDirectory(prefix="dynabench-media-") as folder:
            seen = await self._inspector.inspect(file, Path(folder))
            kept = await asyncio.to_thread(self._put, seen)
        async with self._db.transaction() as session:
            await MediaRepository(session).add(
                kept, source_url=source_url, created_by=created_by, now=self._clock.now()
            )
        return (await self.get_many([kept.digest]))[kept.digest]

    def _put(self, seen: Inspected) -> MediaFile:
        """Keep the bytes; they are there before the row that names them."""
        with seen.clean.open("rb") as clean:
            digest = self._blobs.put_stream(clean)
        thumbnail = None
        if seen.thumbnail is not None:
            thumbnail = self._blobs.put(seen.thumbnail.read_bytes())
        return MediaFile(
            digest=digest,
            kind=kind_of_type(seen.media_type),
            media_type=seen.media_type,
            size_bytes=seen.size_bytes,
            width=seen.width,
            height=seen.height,
            duration_seconds=seen.duration_seconds,
            thumbnail_digest=thumbnail,
        )

    async def _open(self, digest: Digest) -> BinaryIO:
        try:
            return await asyncio.to_thread(self._blobs.open, digest)
        except BlobNotFoundError as error:
            raise MediaNotFoundError from error

    def _remember(self, files: dict[str, MediaFile]) -> None:
        self._known |= files
        while len(self._known) > max(_REMEMBERED, len(files)):
            self._known.popitem(last=False)


async def _write(chunks: AsyncIterator[bytes], file: Path) -> None:
    received = 0
    async with await anyio.open_file(file, "wb") as sent:
        async for chunk in chunks:
            received += len(chunk)
            if received > MAX_MEDIA_BYTES:
                raise MediaTooLargeError(limit_bytes=MAX_MEDIA_BYTES)
            await sent.write(chunk)
