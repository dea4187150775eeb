"""Use case of an export: a task's rows, as one moment saw them, into a file."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.code_version import code_version
from dynabench.kit.db.database import Database, Session
from dynabench.kit.under_way import UnderWay
from dynabench.loop.interchange.transfer.cells import told
from dynabench.loop.interchange.transfer.errors import ExportUnderWayError, TaskBusyError
from dynabench.loop.interchange.transfer.files.writing import TaskFileWriter
from dynabench.loop.interchange.transfer.parts import (
    MEDIA_PART,
    PARTS,
    Part,
    people_columns,
)
from dynabench.loop.interchange.transfer.repository import TransferRepository
from dynabench.loop.interchange.transfer.rules import leaving_model, leaving_person
from dynabench.loop.interchange.transfer.schemas import MovedTaskRead, TaskManifest, moved
from dynabench.loop.interchange.transfer.values import (
    FORMAT,
    FORMAT_VERSION,
    MEDIA,
    NEVER_HELD,
    PEOPLE,
    MoveProgress,
    OnMove,
    tell_nobody,
)
from dynabench.loop.media.rules import stored_digests
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.folds.service import FoldService
from dynabench.science.task_config.loader import load_task_config

# The parts whose values may name stored files.
_WITH_MEDIA = frozenset({"contexts", "examples", "example_predictions", "dataset_items"})
_PEOPLE_AT_ONCE = 1_000
_TRIES = 20
_CHUNK_BYTES = 1 << 18


@dataclass(frozen=True)
class OpenedExport:
    """A task's file on its way to somebody.

    Attributes:
        name: What to call it.
        size_bytes: Its size.
        file: It, open; nothing else names it any more.
    """

    name: str
    size_bytes: int
    file: BinaryIO

    async def chunks(self) -> AsyncIterator[bytes]:
        """Give its bytes."""
        while chunk := await asyncio.to_thread(self.file.read, _CHUNK_BYTES):
            yield chunk


class TaskExporter:
    """Writes whole tasks into files."""

    def __init__(self, *, db: Database, blobs: BlobStore, folds: FoldService) -> None:
        self._db = db
        self._blobs = blobs
        self._folds = folds

    async def export(
        self,
        slug: str,
        target: Path,
        *,
        has_names: bool = False,
        on_move: OnMove = tell_nobody,
        require_room: Callable[[], None] = lambda: None,
        reader: UUID | None = None,
    ) -> MovedTaskRead:
        """Write a task into a file, which is there as a whole or not at all.

        Two exports of the same rows are the same bytes.

        Args:
            slug: The task's short name.
            target: The file; one that is there is written over.
            has_names: Whether people's names travel, and not their ids alone.
            on_move: Called as it goes on.
            require_room: Called before each piece; raises where there is no room for more.
            reader: Whose own attempts without a model stay out while their round is open; None
                for the operator, who moves all of it.

        Raises:
            TaskNotFoundError: If there is no such task.
            TaskBusyError: If so much is written at the moment that no moment is whole.
        """
        with TaskFileWriter(target, require_room=require_room) as writer:
            async with self._whole_moment(slug) as (session, task_id):
                rows = _Rows(session, writer, task_id, reader=reader)
                await rows.look_for_kept()
                for place, part in enumerate(PARTS):
                    on_move(MoveProgress(share=place / (len(PARTS) + 1), words=part.name))
                    await rows.write(part)
                await rows.write_people(has_names=has_names)
                digests = await rows.write_media()
            on_move(MoveProgress(share=len(PARTS) / (len(PARTS) + 1), words="stored files"))
            for digest in digests:
                await asyncio.to_thread(self._add_blob, writer, digest)
            manifest = rows.manifest(has_names=has_names)
            size = await asyncio.to_thread(writer.finish, manifest)
        on_move(MoveProgress(share=1.0, words=""))
        return moved(manifest, slug=slug, size=size)

    @asynccontextmanager
    async def _whole_moment(self, slug: str) -> AsyncIterator[tuple[Session, UUID]]:
        """Give a transaction that sees every attempt with its outcome, and the task's id."""
        for _ in range(_TRIES):
            await self._folds.catch_up(at_once=True)
            async with self._db.transaction(sees_one_moment=True) as session:
                repository = TransferRepository(session)
                await repository.take_time()
                task_id = await repository.find_task(slug)
                if task_id is None:
                    raise TaskNotFoundError(slug=slug)
                if await repository.are_outcomes_whole(task_id):
                    yield session, task_id
                    return
        raise TaskBusyError(slug=slug)

    def _add_blob(self, writer: TaskFileWriter, digest: str) -> None:
        with self._blobs.open(parse_digest(digest)) as file:
            writer.add_blob(digest, file)


class TaskSender:
    """Gives a task's owners its file, without people's names.

    Args:
        tasks: Who owns which.
        exporter: Writes the file.
        artifacts: Where there is room for it until it is sent.
    """

    def __init__(
        self, *, tasks: TaskService, exporter: TaskExporter, artifacts: ArtifactStore
    ) -> None:
        self._tasks = tasks
        self._exporter = exporter
        self._artifacts = artifacts
        self._sending = UnderWay(most=1, refuse=ExportUnderWayError)

    @asynccontextmanager
    async def open(self, slug: str, *, actor: Actor) -> AsyncIterator[OpenedExport]:
        """Give a task's file as it is now; it is gone from the disk after the block.

        It counts for the actor until then: who reads slowly holds the disk for one file.

        Raises:
            TaskNotFoundError: If there is no such task for the actor.
            TaskRoleNeededError: If the actor is no owner.
            TaskBusyError: If so much is written at the moment that no moment is whole.
            ExportUnderWayError: If the actor has one under way already.
            StorageFullError: If there is no room for it, or others would be left none.
        """
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        reader = require_signed_in(actor)
        with self._sending.one_more(reader):
            with self._artifacts.room() as folder:
                written = await self._exporter.export(
                    task.slug,
                    folder / "task.zip",
                    require_room=self._artifacts.require_room,
                    reader=reader,
                )
                file = await asyncio.to_thread((folder / "task.zip").open, "rb")
            with file:
                yield OpenedExport(name=f"{task.slug}.zip", size_bytes=written.bytes, file=file)


class _Rows:
    """Writes the parts of one task, and remembers whom and what they name."""

    def __init__(
        self, session: Session, writer: TaskFileWriter, task_id: UUID, *, reader: UUID | None
    ) -> None:
        self._reader = reader
        self._kept: frozenset[str] = frozenset()
        self._repository = TransferRepository(session)
        self._writer = writer
        self._task_id = task_id
        self._people: set[UUID] = set()
        self._media: set[str] = set()
        self._slug = ""
        self._active = 0
        self._configs: dict[int, str] = {}
        self._licences: set[str] = set()
        self._canaries: set[str] = set()

    async def look_for_kept(self) -> None:
        """Find the attempts that are kept from the reader."""
        if self._reader is not None:
            found = await self._repository.kept_from(self._reader, self._task_id)
            self._kept = frozenset(str(one) for one in found)

    async def write(self, part: Part) -> None:
        """Write the task's rows of a part."""
        who = people_columns(part)
        with self._writer.part(part.name) as file:
            async for rows in self._repository.rows(part, self._task_id, reader=self._reader):
                lines = []
                for row in rows:
                    values = row._mapping  # noqa: SLF001 - its public name, against columns' names
                    line = {str(one.name): told(one, values[one.name]) for one in part.columns}
                    self._people.update(values[name] for name in who if values[name] is not None)
                    lines.append(self._leaving(part, line))
                await asyncio.to_thread(file.add, lines)

    async def write_people(self, *, has_names: bool) -> None:
        """Write everybody whom the parts name."""
        ids = sorted(self._people)
        with self._writer.part(PEOPLE) as file:
            for start in range(0, len(ids), _PEOPLE_AT_ONCE):
                found = await self._repository.people(ids[start : start + _PEOPLE_AT_ONCE])
                file.add([leaving_person(one, has_names=has_names) for one in found])

    async def write_media(self) -> list[str]:
        """Write what is known of the files that the parts name; returns what to add."""
        found = await self._repository.media(sorted(self._media))
        lines = [
            {str(one.name): told(one, getattr(row, one.name)) for one in MEDIA_PART.columns}
            for row in found
        ]
        with self._writer.part(MEDIA) as file:
            file.add(lines)
        names = {str(row.digest) for row in found} | {
            str(row.thumbnail_digest) for row in found if row.thumbnail_digest is not None
        }
        return sorted(names)

    def manifest(self, *, has_names: bool) -> TaskManifest:
        """Return what the file says of itself."""
        config = load_task_config(self._configs[self._active])
        warning = config.content_warning
        return TaskManifest(
            format=FORMAT,
            format_version=FORMAT_VERSION,
            product_version=code_version().version,
            task=self._slug,
            title=config.text(config.title) or self._slug,
            has_names=has_names,
            parts=self._writer.parts,
            blobs=self._writer.blobs,
            licences=sorted(self._licences),
            canaries=sorted(self._canaries),
            content_warning=None if warning is None else config.text(warning),
            left_out=NEVER_HELD,
        )

    def _leaving(self, part: Part, line: dict[str, object]) -> dict[str, object]:
        if part.name in _WITH_MEDIA:
            self._media.update(stored_digests([*line.values()]))
        match part.name:
            case "tasks":
                self._slug, self._active = (
                    str(line["slug"]),
                    int(str(line["active_config_version"])),
                )
            case "task_config_versions":
                self._configs[int(str(line["version"]))] = str(line["config"])
            case "examples" if str(line["contrast_of"]) in self._kept:
                return {**line, "contrast_of": None}
            case "models":
                return leaving_model(line)
            case "dataset_versions":
                self._note_version(line)
        return line

    def _note_version(self, line: Mapping[str, object]) -> None:
        card = line["card"]
        canary = card.get("canary") if isinstance(card, dict) else None
        self._licences.add(str(line["licence"]))
        if isinstance(canary, str):
            self._canaries.add(canary)
