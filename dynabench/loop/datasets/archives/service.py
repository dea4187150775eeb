"""Use cases of archives: tell how far one is, have it made, send it; open the test answers."""

import asyncio
from collections.abc import Collection
from uuid import UUID

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.values import Job, JobState
from dynabench.engines.storage.parts import read_part
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.actor import Actor
from dynabench.kit.byte_ranges import requested_range
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.archives.errors import AnswersElsewhereError, ArchivePendingError
from dynabench.loop.datasets.archives.repository import ArchiveRepository
from dynabench.loop.datasets.archives.rules import file_name, made_from
from dynabench.loop.datasets.archives.schemas import ArchivedFileRead, ArchiveRead
from dynabench.loop.datasets.archives.values import Archive, ArchiveState, OpenedArchive
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.datasets.service import DatasetService, Seen
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.tasks.permissions import may_own


class ArchiveService:
    """Archives as everyone but the worker sees them; who sees a version may download it."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        datasets: DatasetService,
        blobs: BlobStore,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._datasets = datasets
        self._blobs = blobs
        self._queue = queue
        self._publisher = Publisher(queue=queue)

    async def read(self, version_id: UUID, *, actor: Actor) -> ArchiveRead:
        """Tell how far a version's archive is.

        Raises:
            DatasetNotFoundError: If there is no such version, or it is not for them.
        """
        seen = await self._datasets.require_visible(version_id, actor=actor)
        return _read(seen, await self._archive(seen.version), await self._job(seen.version))

    async def ask(self, version_id: UUID, *, actor: Actor) -> ArchiveRead:
        """Have a version's archive made, unless it is there or on its way.

        What failed would mostly fail again, and work for long before: only an owner of the
        task asks for that.

        Raises:
            DatasetNotFoundError: If there is no such version, or it is not for them.
        """
        told = await self.read(version_id, actor=actor)
        if told.state in {ArchiveState.READY, ArchiveState.MAKING}:
            return told
        if told.state is ArchiveState.FAILED:
            seen = await self._datasets.require_visible(version_id, actor=actor)
            if not may_own(seen.role):
                return told
        async with self._db.transaction() as session:
            # Somebody else may ask at the same moment; the second one finds the first one's job.
            await ArchiveRepository(session).hold_version(version_id)
            again = await self.read(version_id, actor=actor)
            if again.state in {ArchiveState.MISSING, ArchiveState.FAILED}:
                await self._publisher.archive(session, version_id)
        return await self.read(version_id, actor=actor)

    async def open(
        self,
        version_id: UUID,
        *,
        range_header: str | None,
        if_range: str | None,
        with_content: bool,
        actor: Actor,
    ) -> OpenedArchive | int:
        """Return an archive's bytes, or those that a `Range` header means.

        Args:
            version_id: The version.
            range_header: The range that is asked for.
            if_range: The tag of the file that the range is of; of another file it is void.
            with_content: Whether the bytes are wanted, or only what is known of them.
            actor: Who asks.

        Returns:
            The file's size, if the range lies outside of it.

        Raises:
            DatasetNotFoundError: If there is no such version, or it is not for them.
            ArchivePendingError: If its archive is not there yet.
            StorageSlowError: If the store takes too long.
            StorageUnreachableError: If the store gives nothing.
        """
        seen = await self._datasets.require_visible(version_id, actor=actor)
        archive = await self._archive(seen.version)
        if archive is None:
            raise _pending(seen, await self._job(seen.version))
        if if_range is not None and if_range.strip() != f'"{archive.digest}"':
            range_header = None
        wanted = requested_range(range_header, size=archive.size_bytes)
        if wanted is None:
            return archive.size_bytes
        chunks = None
        if with_content:
            file = await asyncio.to_thread(self._blobs.open, parse_digest(archive.digest))
            chunks = await read_part(file, *wanted)
        return OpenedArchive(
            name=file_name(seen.version, task_slug=seen.task.slug),
            digest=archive.digest,
            size_bytes=archive.size_bytes,
            start=wanted[0],
            end=wanted[1],
            chunks=chunks,
        )

    async def open_test(self, version_id: UUID, *, actor: Actor) -> DatasetVersionRead:
        """Give out the right answers of a version, for good; doing it again changes nothing.

        Raises:
            DatasetNotFoundError: If there is no such version, or it is not for them.
            TaskRoleNeededError: If the actor owns not the task.
            AnswersElsewhereError: If it varies another set.
        """
        seen = await self._datasets.require_owned(version_id, actor=actor)
        if seen.version.perturbs_id is not None:
            raise AnswersElsewhereError(name=seen.version.name)
        async with self._db.transaction() as session:
            repository = DatasetRepository(session)
            if await repository.open_test(version_id, now=self._clock.now(), by=actor.user_id):
                await self._publisher.archive(session, version_id)
        return await self._datasets.read(version_id, actor=actor)

    async def needed(self, session: Session, digests: Collection[str]) -> set[str]:
        """Return those of some digests that are files of archives."""
        return await ArchiveRepository(session).named(digests)

    async def _archive(self, version: DatasetVersion) -> Archive | None:
        async with self._db.read() as session:
            found = await ArchiveRepository(session).get(version.id)
        if found is None or found.made_from != made_from(version):
            return None
        # A file that was lost is no archive: who asks has it made again.
        is_there = await asyncio.to_thread(self._blobs.exists, parse_digest(found.digest))
        return found if is_there else None

    async def _job(self, version: DatasetVersion) -> Job | None:
        if version.archive_job_id is None:
            return None
        try:
            async with self._db.read() as session:
                return await self._queue.get(session, version.archive_job_id)
        except JobNotFoundError:
            return None


def _read(seen: Seen, archive: Archive | None, job: Job | None) -> ArchiveRead:
    state = ArchiveState.READY if archive is not None else _state_of(job)
    is_making = state is ArchiveState.MAKING and job is not None
    return ArchiveRead(
        dataset_version_id=seen.version.id,
        state=state,
        file_name=file_name(seen.version, task_slug=seen.task.slug),
        digest=None if archive is None else archive.digest,
        size_bytes=None if archive is None else archive.size_bytes,
        files=[
            ArchivedFileRead.model_validate(one)
            for one in (() if archive is None else archive.files)
        ],
        job_id=job.id if is_making and job is not None else None,
        progress=job.progress if is_making and job is not None else None,
        message=job.message if is_making and job is not None else "",
        error=job.error if state is ArchiveState.FAILED and job is not None else None,
        told=None if job is None else job.told,
    )


def _pending(seen: Seen, job: Job | None) -> ArchivePendingError:
    told = _read(seen, None, job)
    return ArchivePendingError(
        name=seen.version.name, job_id=told.job_id, progress=told.progress, reason=told.error
    )


def _state_of(job: Job | None) -> ArchiveState:
    """Return how far an archive is that is not there."""
    if job is None or job.state in {JobState.CANCELLED, JobState.DONE}:
        return ArchiveState.MISSING
    return ArchiveState.FAILED if job.state is JobState.FAILED else ArchiveState.MAKING
