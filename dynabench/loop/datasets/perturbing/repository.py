"""The SQL of perturbed sets alone."""

from uuid import UUID

from sqlalchemy import delete, exists, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.repository import ITEM_COLUMNS, item_of
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetItem


class PerturbingRepository:
    """Reads variants, and takes a set away."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def variants(
        self, version_id: UUID, *, transform: str, after: int, limit: int
    ) -> list[DatasetItem]:
        """Return what one transform made, those of test first, behind so many."""
        statement = (
            select(*ITEM_COLUMNS)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.transform == transform,
            )
            .order_by(dataset_items.c.split.desc(), dataset_items.c.position)
            .offset(after)
            .limit(limit)
        )
        return [item_of(row) for row in await self._session.execute(statement)]

    async def delete(self, version_id: UUID, *, dataset_id: UUID) -> None:
        """Delete a version with its items, and its dataset where it was the only one."""
        await self._session.execute(
            delete(dataset_items).where(dataset_items.c.version_id == version_id)
        )
        await self._session.execute(
            delete(dataset_versions).where(dataset_versions.c.id == version_id)
        )
        others = exists().where(dataset_versions.c.dataset_id == dataset_id)
        await self._session.execute(delete(datasets).where(datasets.c.id == dataset_id, ~others))
