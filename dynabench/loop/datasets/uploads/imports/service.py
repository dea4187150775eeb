"""Use case of the worker: check a file, and write it as a version or say what is wrong."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias
from uuid import UUID

from dynabench.engines.row_files.reading import read_rows
from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.datasets.schemas import SplitRead
from dynabench.loop.datasets.storing.service import VersionWriter
from dynabench.loop.datasets.storing.values import VersionDraft, Written
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.uploads.imports.rules import FileReading, next_items, with_media
from dynabench.loop.datasets.uploads.rules import ItemReader
from dynabench.loop.datasets.uploads.schemas import (
    DatasetCreate,
    DatasetImportRead,
    ItemProblemRead,
)
from dynabench.loop.datasets.uploads.values import Columns, ImportState
from dynabench.loop.datasets.values import DatasetItem, DatasetOrigin, Split
from dynabench.loop.media.resolving.rules import Outstanding
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.schema import TaskConfig

_ITEMS_READ = Phrase("doing.items_read", "{count} items read")
_ITEMS_WRITTEN = Phrase("doing.items_written", "{count} items written")

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]

_ITEMS_AT_ONCE = 1_000
# Reading takes about as long as writing.
_READ = 50
_ALL = 100


class DatasetImporter:
    """Turns uploaded files into versions."""

    def __init__(
        self, *, tasks: TaskService, files: SentFiles, media: MediaResolver, writer: VersionWriter
    ) -> None:
        self._tasks = tasks
        self._files = files
        self._media = media
        self._writer = writer

    async def require_author(self, task_id: UUID, author_id: UUID | None) -> None:
        """Refuse to begin with a file whose sender owns the task no more.

        Raises:
            OrderLapsedError: If somebody sent it who may not any more.
        """
        await self._tasks.require_still(task_id, author_id=author_id)

    async def run(
        self, order: DatasetCreate, *, task_id: UUID, created_by: UUID | None, progress: Progress
    ) -> DatasetImportRead:
        """Check a file and, unless that is all, store it; nothing is where anything is wrong.

        Doing it again gives the version that is there.

        Raises:
            DatasetFileMissingError: If the file is not here for this task.
            DatasetNameTakenError: If the name is that of a dataset of another origin.
        """
        task = await self._tasks.get_by_id(task_id)
        with await self._files.open(task.id, order.file) as file, TemporaryFile() as aside:
            columns = columns_of(order)
            outstanding = Outstanding((*task.config.context, *task.config.written_fields))
            reading = FileReading(
                read_rows(file, order.row_format),
                reader=ItemReader(task.config, columns, stand_in=outstanding.stand_in),
                aside=aside,
                media_names=frozenset(one.name for one in task.config.media_fields),
            )
            size = file.seek(0, 2)
            file.seek(0)
            while await asyncio.to_thread(reading.step):
                where = min(file.tell() / max(size, 1), 1)
                await progress(_READ * where, _ALL, _ITEMS_READ.say(count=reading.items))
            media = await self._settled(reading, outstanding, created_by=created_by)
            if reading.problems or order.check_only:
                return _report(order, reading, written=None)
            pages = _pages(aside, media, total=reading.items, progress=progress)
            draft = _draft(order, task, reading, size=size, created_by=created_by)
            written = await self._writer.write(draft, pages, config=task.config)
            return _report(order, reading, written=written)

    async def _settled(
        self, reading: FileReading, outstanding: Outstanding, *, created_by: UUID | None
    ) -> list[Values]:
        """Have every picture and sound here; what does not fit is noted as a problem."""
        if not reading.media or reading.problems:
            return []
        settled, misfits = await self._media.settle(
            outstanding, [held for held, _ in reading.media], created_by=created_by
        )
        for one in misfits:
            reading.note(reading.media[one.position][1], one.name, one.sentence)
        return settled


def columns_of(order: DatasetCreate) -> Columns:
    """Return how an order's file becomes items."""
    return Columns(
        fields=order.columns,
        labels=order.labels,
        split=order.split,
        is_text=order.row_format is RowFormat.CSV,
    )


def _single_label(config: TaskConfig) -> str | None:
    fields = config.gold_fields
    is_single = len(fields) == 1 and isinstance(fields[0].type, MulticlassType)
    return fields[0].name if is_single else None


def _draft(
    order: DatasetCreate,
    task: Task,
    reading: FileReading,
    *,
    size: int,
    created_by: UUID | None,
) -> VersionDraft:
    card: Values = {
        "description": order.description,
        "source": order.source,
        "content_warning": order.content_warning,
        "language": task.config.language,
        "file": {"digest": order.file, "format": order.row_format.value, "bytes": size},
        "repeated": reading.duplicates.repeated,
        "overlapping": reading.duplicates.overlapping,
    }
    return VersionDraft(
        task_id=task.id,
        name=order.name.strip(),
        origin=DatasetOrigin.UPLOAD,
        access=order.access,
        tags=None if order.tags is None else tuple(dict.fromkeys(order.tags)),
        subtask_of=order.subtask_of,
        licence=order.licence.strip(),
        card=card,
        label_name=_single_label(task.config),
        created_by=created_by,
    )


async def _pages(
    aside: BinaryIO, media: Sequence[Values], *, total: int, progress: Progress
) -> AsyncIterator[list[DatasetItem]]:
    """Give the items that were put aside, in their order."""
    aside.seek(0)
    done = 0
    while items := await asyncio.to_thread(next_items, aside, _ITEMS_AT_ONCE):
        if media:
            items = [with_media(item, media[at]) for at, item in enumerate(items, start=done)]
        yield items
        done += len(items)
        await progress(
            _READ + (_ALL - _READ - 1) * done / total, _ALL, _ITEMS_WRITTEN.say(count=done)
        )


def _report(
    order: DatasetCreate, reading: FileReading, *, written: Written | None
) -> DatasetImportRead:
    version = None if written is None else written.version
    if written is not None:
        state = ImportState.STORED if written.is_new else ImportState.THERE_ALREADY
    else:
        state = ImportState.REFUSED if reading.problems else ImportState.CHECKED
    return DatasetImportRead(
        state=state,
        dataset_version_id=None if version is None else version.id,
        name=order.name.strip(),
        version=None if version is None else version.version,
        digest=None if version is None else version.digest,
        items=reading.items,
        splits=[SplitRead(split=split, items=reading.sizes[split]) for split in Split],
        problems=[ItemProblemRead.model_validate(one) for one in reading.problems],
        more_problems=reading.more_problems,
        repeated=reading.duplicates.repeated,
        repeated_lines=reading.duplicates.repeated_lines,
        overlapping=reading.duplicates.overlapping,
        overlapping_lines=reading.duplicates.overlapping_lines,
        passed_over=reading.passed_over,
    )
