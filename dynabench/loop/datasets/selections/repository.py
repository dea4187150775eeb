"""All SQL of selected items."""

from uuid import UUID

from sqlalchemy import ColumnElement, func, not_, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.repository import ITEM_COLUMNS, item_of
from dynabench.loop.datasets.selections.values import CONTROL_TAG, ItemSelection
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import DatasetItem, Split


class SelectionRepository:
    """Reads and counts those of a split's items that are wanted."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def items(
        self, version_id: UUID, split: Split, selection: ItemSelection, *, after: int, limit: int
    ) -> list[DatasetItem]:
        """Return the next wanted items of a split behind a position."""
        statement = (
            select(*ITEM_COLUMNS)
            .where(*_wanted(version_id, split, selection), dataset_items.c.position > after)
            .order_by(dataset_items.c.position)
            .limit(limit)
        )
        return [item_of(row) for row in await self._session.execute(statement)]

    async def count(self, version_id: UUID, split: Split, selection: ItemSelection) -> int:
        """Return how many items of a split are wanted."""
        statement = (
            select(func.count())
            .select_from(dataset_items)
            .where(*_wanted(version_id, split, selection))
        )
        return (await self._session.execute(statement)).scalar_one()


def _wanted(
    version_id: UUID, split: Split, selection: ItemSelection
) -> tuple[ColumnElement[bool], ...]:
    conditions: list[ColumnElement[bool]] = [
        dataset_items.c.version_id == version_id,
        dataset_items.c.split == split,
    ]
    if selection.only_verified:
        conditions.append(dataset_items.c.is_verified)
    if selection.only_fooling:
        conditions.append(dataset_items.c.is_fooling.is_(True))
    if selection.without_controls:
        tag = func.unnest(dataset_items.c.tags).column_valued("tag")
        is_control = select(1).where(tag.startswith(CONTROL_TAG))
        conditions.append(not_(is_control.exists()))
    return tuple(conditions)
