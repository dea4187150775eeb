"""Use case of training: read those of a split's items that are wanted, or count them."""

from collections.abc import AsyncIterator
from uuid import UUID

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.selections.repository import SelectionRepository
from dynabench.loop.datasets.selections.values import ItemSelection
from dynabench.loop.datasets.values import DatasetItem, Split

_PAGE = 500


class SelectionService:
    """Reads versions that the caller was allowed to see, gold and all."""

    def __init__(self, *, db: Database) -> None:
        self._db = db

    async def pages(
        self, version_id: UUID, split: Split, selection: ItemSelection, *, size: int = _PAGE
    ) -> AsyncIterator[list[DatasetItem]]:
        """Give the wanted items in order, so many at a time."""
        after = -1
        while True:
            async with self._db.read() as session:
                items = await SelectionRepository(session).items(
                    version_id, split, selection, after=after, limit=size
                )
            if items:
                yield items
            if len(items) < size:
                return
            after = items[-1].position

    async def count(self, version_id: UUID, split: Split, selection: ItemSelection) -> int:
        """Return how many items are wanted."""
        async with self._db.read() as session:
            return await SelectionRepository(session).count(version_id, split, selection)
