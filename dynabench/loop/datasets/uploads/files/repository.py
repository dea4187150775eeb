"""The SQL of sent files."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from dynabench.engines.jobs.tables import jobs
from dynabench.engines.jobs.values import JobState
from dynabench.engines.storage.store import Digest
from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_files, dataset_versions, datasets

_UNDER_WAY = [state for state in JobState if not state.is_final]


class FileRepository:
    """Reads and writes which files were sent for which task."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(
        self, task_id: UUID, digest: Digest, *, created_by: UUID | None, size_bytes: int
    ) -> None:
        """Note that a file was sent for a task, now; who sent it first stays."""
        values = {
            "task_id": task_id,
            "digest": digest,
            "created_by": created_by,
            "size_bytes": size_bytes,
        }
        again = {"created_at": func.now(), "size_bytes": size_bytes}
        key = [dataset_files.c.task_id, dataset_files.c.digest]
        await self._session.execute(
            insert(dataset_files)
            .values(values)
            .on_conflict_do_update(index_elements=key, set_=again)
        )

    async def has(self, task_id: UUID, digest: Digest) -> bool:
        """Tell whether a file was sent for a task."""
        found = exists().where(dataset_files.c.task_id == task_id, dataset_files.c.digest == digest)
        return bool((await self._session.execute(select(found))).scalar_one())

    async def named(self, digests: Collection[str]) -> set[str]:
        """Return those of some digests that were sent for any task."""
        query = select(dataset_files.c.digest).where(dataset_files.c.digest.in_(digests))
        return set((await self._session.execute(query)).scalars())

    async def kept_bytes(self, task_id: UUID) -> int:
        """Return how many bytes the files have that were sent for a task."""
        total = func.coalesce(func.sum(dataset_files.c.size_bytes), 0)
        query = select(total).where(dataset_files.c.task_id == task_id)
        return int(await self._session.scalar(query) or 0)

    async def drop_unused(self, *, before: datetime) -> list[str]:
        """Forget which files were sent before, where no dataset and no job of the task is of them.

        Returns:
            Their digests; other tasks may have sent the same bytes.
        """
        is_of_dataset = exists().where(
            datasets.c.id == dataset_versions.c.dataset_id,
            datasets.c.task_id == dataset_files.c.task_id,
            dataset_versions.c.card["file"]["digest"].astext == dataset_files.c.digest,
        )
        is_awaited = exists().where(
            jobs.c.state.in_(_UNDER_WAY),
            or_(
                jobs.c.payload["upload"]["file"].astext == dataset_files.c.digest,
                jobs.c.payload["file"].astext == dataset_files.c.digest,
            ),
        )
        statement = (
            delete(dataset_files)
            .where(dataset_files.c.created_at < before, ~is_of_dataset, ~is_awaited)
            .returning(dataset_files.c.digest)
        )
        return [*(await self._session.execute(statement)).scalars()]
