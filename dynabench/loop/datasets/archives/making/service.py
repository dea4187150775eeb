"""Use case of the worker: make a version's archive, store it, and only then tell of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.row_files.packing import PackedFile, Packing
from dynabench.engines.storage.store import BlobStore, Digest, parse_digest
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.sentences import Phrase
from dynabench.kit.threads import ended
from dynabench.loop.datasets.archives.columns.rules import (
    NO_MEDIA,
    Converted,
    ItemTable,
    columns_of,
)
from dynabench.loop.datasets.archives.columns.values import Column, ItemRow
from dynabench.loop.datasets.archives.croissant.rules import croissant
from dynabench.loop.datasets.archives.errors import ArchiveNotWrittenError
from dynabench.loop.datasets.archives.making.rules import (
    SplitWriting,
    add_texts,
    archived,
    card_for_programs,
)
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.media.service import MediaGathering, OnFile
from dynabench.loop.datasets.archives.media.values import NamedMedia
from dynabench.loop.datasets.archives.readme.rules import readme
from dynabench.loop.datasets.archives.repository import ArchiveRepository
from dynabench.loop.datasets.archives.rules import made_from
from dynabench.loop.datasets.archives.values import Archive, ArchivedFile
from dynabench.loop.datasets.rules import canary_in, is_fooling_withheld, withheld_splits
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.values import MODEL_FILES_LEFT
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task

_WRITTEN = Phrase("doing.archived_items", "{count} items written")
_PUT_IN = Phrase("doing.archived_files", "{done} of {files} files put in")

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]

# Of fields of these types one answer is a list already.
_SETS = frozenset({"multilabel", "spans", "chat"})
# What is left to do when all is written; and of the rest, the items' part where files follow.
_STORING = 0.1
_ITEMS_BEFORE_FILES = 0.5


class ArchiveMaker:
    """Makes archives, one portion of rows after the other.

    Args:
        db: The rows.
        clock: Tells when an archive was stored.
        datasets: The versions.
        tasks: Their tasks.
        media: Knows the pictures and sounds that items name.
        blobs: Where those lie, and where archives are kept.
        leftovers: Waits for files that are being stored.
        queue: Where files that no archive needs any more are left to be forgotten: others may be
            made of them too.
        folder: Of this machine's disk; files without a name lie there while they are written,
            which vanish with the process however it ends.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        datasets: DatasetService,
        tasks: TaskService,
        media: MediaService,
        blobs: BlobStore,
        leftovers: Leftovers,
        queue: JobQueue,
        folder: Path,
    ) -> None:
        self._db = db
        self._clock = clock
        self._datasets = datasets
        self._tasks = tasks
        self._media = media
        self._blobs = blobs
        self._leftovers = leftovers
        self._queue = queue
        self._folder = folder

    async def make(self, version_id: UUID, *, progress: Progress) -> Archive | None:
        """Make a version's archive, or return the one that is there.

        Returns:
            None if the version was changed meanwhile: another job makes its archive then.

        Raises:
            DatasetNotFoundError: If there is no such version.
            ArchiveNotWrittenError: If the disk takes no more.
            ArchiveMediaMissingError: If the store lacks a file that an item names.
            BlobDamagedError: If what it has for one is something else.
            StorageUnreachableError: If the store gives or takes no more.
        """
        version = await self._datasets.get(version_id)
        source = made_from(version)
        async with self._db.read() as session:
            before = await ArchiveRepository(session).get(version_id)
        if before is not None and before.made_from == source and await self._is_there(before):
            return before
        try:
            return await self._write(version, source, progress)
        except OSError as error:
            raise ArchiveNotWrittenError(reason=error.strerror or type(error).__name__) from error

    async def _write(
        self, version: DatasetVersion, source: str, progress: Progress
    ) -> Archive | None:
        await asyncio.to_thread(self._folder.mkdir, parents=True, exist_ok=True)
        task = await self._tasks.get_by_id(version.task_id)
        with self._open_aside() as file:
            gathering = partial(
                MediaGathering, version_id=version.id, media=self._media, blobs=self._blobs
            )
            making = _Making(self._db, version, task, self._open_aside, gathering, progress)
            files = await making.into(file)
            size = file.seek(0, 2)
            archive = Archive(
                version_id=version.id,
                made_from=source,
                digest=await self._store(file),
                size_bytes=size,
                files=tuple(files),
                created_at=self._clock.now(),
            )
            return archive if await self._keep(archive, file) else None

    async def _keep(self, archive: Archive, file: BinaryIO) -> bool:
        """Tell of an archive that is stored, unless its version was changed meanwhile."""
        async with self._db.transaction() as session:
            # Nothing is forgotten from here until the row names the file.
            await self._leftovers.hold_off(session)
            repository = ArchiveRepository(session)
            await repository.hold_version(archive.version_id)
            before = await repository.get(archive.version_id)
            version = await self._datasets.get(archive.version_id)
            is_current = made_from(version) == archive.made_from
            if is_current:
                if not await self._is_there(archive):
                    await self._store(file)
                await repository.put(archive)
            leaving = before if is_current else archive
            if leaving is not None and not await repository.named([leaving.digest]):
                await self._queue.enqueue(session, MODEL_FILES_LEFT, {"digests": [leaving.digest]})
        return is_current

    async def _store(self, file: BinaryIO) -> Digest:
        file.seek(0)
        return await ended(asyncio.to_thread(self._blobs.put_stream, file))

    async def _is_there(self, archive: Archive) -> bool:
        return await asyncio.to_thread(self._blobs.exists, parse_digest(archive.digest))

    def _open_aside(self) -> BinaryIO:
        # The caller closes it; it has no name, so nothing is left of it in any case.
        return TemporaryFile(dir=self._folder)


class _Making:
    """One archive on its way."""

    def __init__(
        self,
        db: Database,
        version: DatasetVersion,
        task: Task,
        open_aside: Callable[[], BinaryIO],
        gathering: Callable[..., MediaGathering],
        progress: Progress,
    ) -> None:
        self._db = db
        self._version = version
        self._task = task
        self._open_aside = open_aside
        self._gathering = gathering
        self._progress = progress
        self._withheld = withheld_splits(version)
        self._lines: dict[Split, ArchivedFile] = {}
        self._tables: dict[Split, ArchivedFile] = {}
        # Where items name files, those take half of the time.
        has_media = bool(task.config.media_fields)
        self._items_share = (1 - _STORING) * (_ITEMS_BEFORE_FILES if has_media else 1)
        self._files_share = 1 - _STORING - self._items_share
        self._done = 0

    async def into(self, file: BinaryIO) -> list[ArchivedFile]:
        """Write everything into a file; returns what is in there."""
        packing = Packing(file)
        try:
            with self._open_aside() as listed:
                async with self._db.transaction() as session:
                    columns = await self._find_columns(session)
                    files = self._gathering(columns=columns)
                    await files.look(session)
                    await self._write_items(packing, session, ItemTable(columns), files)
                    await files.write_list(session, listed)
                # The store may take its time; the database waits for it no longer.
                media_list = await files.pack(packing, listed, self._tell_of_file(files))
            subject = self._subject(columns, files.named, media_list)
            texts = {
                "README.md": lambda: readme(subject).encode(),
                "card.json": lambda: _written(card_for_programs(subject)),
                "croissant.json": lambda: _written(croissant(subject)),
            }
            told = await ended(asyncio.to_thread(add_texts, packing, texts))
        except BaseException:
            packing.abandon()
            raise
        return [*subject.files, *told]

    async def _find_columns(self, session: Session) -> tuple[Column, ...]:
        repository = ArchiveRepository(session)
        await repository.take_time()
        config, version = self._task.config, self._version
        several = await repository.several_answers(
            version.id,
            config.gold_names,
            are_lists=[one.name for one in config.gold_fields if one.type.type_name in _SETS],
        )
        return columns_of(
            config,
            several=several,
            is_varied=version.perturbs_id is not None,
            has_canary=canary_in(version.card) is not None,
        )

    async def _write_items(
        self, packing: Packing, session: Session, table: ItemTable, files: MediaGathering
    ) -> None:
        repository, version = ArchiveRepository(session), self._version
        portion = await repository.portion_rows(version.id)
        for split in Split:
            if not version.sizes[split]:
                continue
            with self._open_aside() as aside:
                writing = SplitWriting(packing, split, columns=table.held, aside=aside)
                try:
                    convert = partial(self._convert, table, files, split)
                    rows = repository.rows(version.id, split, portion=portion)
                    await self._pump(rows, convert, writing)
                    pair = await ended(asyncio.to_thread(writing.end))
                except BaseException:
                    writing.abandon()
                    raise
            self._lines[split], self._tables[split] = pair

    async def _convert(
        self, table: ItemTable, files: MediaGathering, split: Split, rows: list[ItemRow]
    ) -> Converted:
        media = NO_MEDIA
        if files.named is not None:
            media = await files.places(await ended(asyncio.to_thread(table.mentions, rows)))
        with_gold = split not in self._withheld
        if is_fooling_withheld(self._version, split):
            rows = [row._replace(is_fooling=None) for row in rows]
        canary = canary_in(self._version.card)
        if canary is not None:
            rows = [row._replace(canary=canary) for row in rows]
        convert = partial(table.convert, rows, with_gold=with_gold, media=media)
        return await ended(asyncio.to_thread(convert))

    async def _pump(
        self,
        portions: AsyncIterator[list[ItemRow]],
        convert: Callable[[list[ItemRow]], Awaitable[Converted]],
        writing: SplitWriting,
    ) -> None:
        """Convert one portion while the one before is packed and the next one is read."""
        packing: asyncio.Task[None] | None = None
        try:
            async for rows in _ahead(portions):
                lines, cells = await convert(rows)
                if packing is not None:
                    await ended(packing)
                packing = asyncio.create_task(
                    asyncio.to_thread(writing.write, lines, cells, items=len(rows))
                )
                self._done += len(rows)
                share = self._items_share * self._done / self._version.items
                await self._progress(share, 1, _WRITTEN.say(count=self._done))
        finally:
            if packing is not None:
                await ended(packing)

    def _tell_of_file(self, files: MediaGathering) -> OnFile:
        async def tell(done: int) -> None:
            assert files.named is not None
            share = self._items_share + self._files_share * done / files.named.files
            await self._progress(share, 1, _PUT_IN.say(done=done, files=files.named.files))

        return tell

    def _subject(
        self, columns: tuple[Column, ...], media: NamedMedia | None, media_list: PackedFile | None
    ) -> Subject:
        config = self._task.config
        return Subject(
            version=self._version,
            task_slug=self._task.slug,
            task_title=config.text(config.title) or self._task.slug,
            task_description=config.text(config.description),
            language=config.language,
            columns=columns,
            withheld=self._withheld,
            tables=self._tables,
            lines=self._lines,
            media=media,
            media_list=(
                archived(media_list, items=media.files)
                if media is not None and media_list is not None
                else None
            ),
        )


def _written(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


async def _ahead(portions: AsyncIterator[list[ItemRow]]) -> AsyncIterator[list[ItemRow]]:
    """Give portions, the next of which is read meanwhile."""
    reading = asyncio.ensure_future(anext(portions, None))
    try:
        while (rows := await reading) is not None:
            reading = asyncio.ensure_future(anext(portions, None))
            yield rows
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
