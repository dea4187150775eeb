"""SQL of errata."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Text, and_, any_, literal, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.loop.leaderboards.errata.values import Looked
from dynabench.loop.leaderboards.tables import suspected_errors


class ErrataRepository:
    """Reads what experts found."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def of_version(self, version_id: UUID) -> list[Looked]:
        """Return what was looked at of a version, the latest finding first."""
        return await self._looked_at(suspected_errors.c.version_id == version_id)

    async def of_task(self, task_id: UUID) -> list[Looked]:
        """Return what was looked at of a task's releases but for those that are hidden now."""
        return await self._looked_at(
            and_(
                suspected_errors.c.task_id == task_id,
                datasets.c.access != DatasetAccess.HIDDEN,
            )
        )

    async def splits(self, version_id: UUID, uids: Collection[str]) -> Mapping[str, Split]:
        """Return the splits of those of the items that are in a version, by uid."""
        statement = select(dataset_items.c.uid, dataset_items.c.split).where(
            dataset_items.c.version_id == version_id,
            # One array, however many names: a statement has room for 65,535 values.
            dataset_items.c.uid == any_(literal(list(uids), type_=ARRAY(Text))),
        )
        return {row.uid: row.split for row in await self._session.execute(statement)}

    async def _looked_at(self, which: ColumnElement[bool]) -> list[Looked]:
        statement = (
            select(
                suspected_errors.c.example_id,
                suspected_errors.c.version_id,
                datasets.c.name.label("release"),
                dataset_versions.c.version,
                dataset_versions.c.created_at.label("released_at"),
                suspected_errors.c.finding,
                suspected_errors.c.settled_at.label("found_at"),
            )
            .join(dataset_versions, dataset_versions.c.id == suspected_errors.c.version_id)
            .join(datasets, datasets.c.id == dataset_versions.c.dataset_id)
            .where(suspected_errors.c.settled_at.is_not(None), which)
            .order_by(suspected_errors.c.settled_at.desc(), suspected_errors.c.example_id)
        )
        found = await self._session.execute(statement)
        return [Looked(**row) for row in found.mappings()]
