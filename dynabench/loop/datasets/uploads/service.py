"""Use cases of uploads: take a file, and ask for it to be checked or stored as a dataset."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import anyio
from pydantic import JsonValue

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.under_way import UnderWay
from dynabench.loop.datasets.errors import (
    ColumnMapError,
    DatasetFileTooLargeError,
    DatasetNameTakenError,
    DatasetUploadsBusyError,
    ReportNotFoundError,
)
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.uploads.imports.service import columns_of
from dynabench.loop.datasets.uploads.rules import column_problems
from dynabench.loop.datasets.uploads.schemas import (
    DatasetCreate,
    DatasetFileRead,
    DatasetImportRead,
)
from dynabench.loop.datasets.uploads.values import IMPORT_DATASET, MAX_FILE_BYTES
from dynabench.loop.datasets.values import DatasetOrigin
from dynabench.loop.tasks.errors import TaskStateError
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.science.perturbations.values import TransformKind

# Each lies on the disk twice for a while.
_MOST_COMING = 4


class UploadService:
    """Files that become datasets; a job reads them, since that takes its time."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        datasets: DatasetService,
        files: SentFiles,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._datasets = datasets
        self._files = files
        self._queue = queue
        self._coming = UnderWay(most=_MOST_COMING, refuse=DatasetUploadsBusyError)

    async def keep_file(
        self,
        slug: str,
        *,
        chunks: AsyncIterator[bytes],
        actor: Actor,
        announced_bytes: int | None = None,
    ) -> DatasetFileRead:
        """Keep a file for a task as it is; the same file gives the same digest.

        It is forgotten after a week unless a dataset is made of it.

        Raises:
            DatasetFileTooLargeError: If it is larger than may be sent.
            DatasetUploadsBusyError: If too many of the actor's files are on their way.
            FilesQuotaError: If the task may not keep so much.
            StorageFullError: If there is no room.
        """
        task = await self._owned(slug, actor)
        one_more = self._coming.one_more(require_signed_in(actor))
        if announced_bytes is not None and announced_bytes > MAX_FILE_BYTES:
            raise DatasetFileTooLargeError(limit_bytes=MAX_FILE_BYTES)
        with one_more, self._files.room(announced_bytes) as folder:
            file = folder / "file"
            size = await _write(chunks, file)
            digest = await self._files.keep(task.id, file, created_by=actor.user_id)
        return DatasetFileRead(digest=digest, size_bytes=size)

    async def create(
        self, slug: str, body: DatasetCreate, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a file to be checked and, unless that is all, stored as a dataset's version.

        Returns:
            The job that does it; its result is a `DatasetImportRead`.

        Raises:
            DatasetFileMissingError: If the file was never sent for this task.
            ColumnMapError: If columns or labels name what the task has not.
            DatasetNameTakenError: If a dataset of another origin has the name.
        """
        task = await self._owned(slug, actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        await self._files.require(task.id, body.file)
        wrong = column_problems(task.config, columns_of(body))
        if wrong:
            raise ColumnMapError(wrong)
        await self._require_free(task, body.name.strip())
        payload: dict[str, JsonValue] = {
            "task_id": str(task.id),
            "upload": body.model_dump(mode="json"),
        }
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, IMPORT_DATASET, payload, created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def report(self, job_id: UUID, *, actor: Actor) -> DatasetImportRead:
        """Return what became of a file, once its job is done (owners).

        Raises:
            ReportNotFoundError: If there is no such job, or it has not ended well.
        """
        async with self._db.read() as session:
            try:
                job = await self._queue.get(session, job_id)
            except JobNotFoundError as error:
                raise ReportNotFoundError from error
        if job.name != IMPORT_DATASET or job.result is None:
            raise ReportNotFoundError
        task = await self._tasks.get_by_id(UUID(str(job.payload["task_id"])))
        if not may_own(await self._tasks.role_of(task.id, actor)):
            raise ReportNotFoundError
        return DatasetImportRead.model_validate(job.result)

    async def _require_free(self, task: Task, name: str) -> None:
        if not name:
            raise DatasetNameTakenError(name=name, reason="It is empty.")
        if name.endswith(tuple(f"({kind})" for kind in TransformKind)):
            reason = "Sets that the platform varies end so."
            raise DatasetNameTakenError(name=name, reason=reason)
        for version in await self._datasets.of_task(task.id):
            if version.name == name and version.origin is not DatasetOrigin.UPLOAD:
                raise DatasetNameTakenError(name=name, reason="A round's release has it.")

    async def _owned(self, slug: str, actor: Actor) -> Task:
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if task.status is TaskStatus.ARCHIVED:
            raise TaskStateError(slug=task.slug, status=task.status, wanted="a draft or active")
        return task

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))


async def _write(chunks: AsyncIterator[bytes], file: Path) -> int:
    """Write what comes to a file; returns how many bytes."""
    received = 0
    async with await anyio.open_file(file, "wb") as sent:
        async for chunk in chunks:
            received += len(chunk)
            if received > MAX_FILE_BYTES:
                raise DatasetFileTooLargeError(limit_bytes=MAX_FILE_BYTES)
            await sent.write(chunk)
    return received
