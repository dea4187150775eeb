"""The SQL of sent files."""

from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.dialects.postgresql import insert

from dynabench.engines.storage.store import Digest
from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_files


class FileRepository:
    """Reads and writes which files were sent for which task."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, task_id: UUID, digest: Digest, *, created_by: UUID | None) -> None:
        """Note that a file was sent for a task; who sent it first stays."""
        values = {"task_id": task_id, "digest": digest, "created_by": created_by}
        await self._session.execute(insert(dataset_files).values(values).on_conflict_do_nothing())

    async def has(self, task_id: UUID, digest: Digest) -> bool:
        """Tell whether a file was sent for a task."""
        found = exists().where(dataset_files.c.task_id == task_id, dataset_files.c.digest == digest)
        return bool((await self._session.execute(select(found))).scalar_one())
