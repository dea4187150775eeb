"""All SQL of datasets."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Row, insert, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, Split

_ROWS_PER_STATEMENT = 1_000
# More columns than SQLAlchemy's typed `select` knows.
_VERSION: tuple[Column[Any], ...] = (
    dataset_versions.c.id,
    dataset_versions.c.dataset_id,
    datasets.c.task_id,
    datasets.c.round_id,
    datasets.c.name,
    dataset_versions.c.version,
    dataset_versions.c.digest,
    dataset_versions.c.licence,
    dataset_versions.c.card,
    dataset_versions.c.created_at,
    dataset_versions.c.created_by,
    dataset_versions.c.perturbs_id,
    dataset_versions.c.perturbation,
    datasets.c.access,
    datasets.c.origin,
    datasets.c.subtask_of,
    datasets.c.tags,
)
_ITEM = tuple(column for column in dataset_items.columns if column.name != "version_id")


class DatasetRepository:
    """Reads datasets, and writes a version with its items."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add_version(self, version: DatasetVersion, items: Sequence[DatasetItem]) -> None:
        """Write a new dataset's first version with its items."""
        await self._session.execute(
            insert(datasets).values(
                id=version.dataset_id,
                task_id=version.task_id,
                name=version.name,
                round_id=version.round_id,
                access=version.access,
                origin=version.origin,
                subtask_of=version.subtask_of,
                tags=[*version.tags],
            )
        )
        await self._session.execute(
            insert(dataset_versions).values(
                id=version.id,
                dataset_id=version.dataset_id,
                version=version.version,
                digest=version.digest,
                licence=version.licence,
                card=version.card,
                created_at=version.created_at,
                created_by=version.created_by,
                perturbs_id=version.perturbs_id,
                perturbation=version.perturbation,
            )
        )
        for start in range(0, len(items), _ROWS_PER_STATEMENT):
            part = items[start : start + _ROWS_PER_STATEMENT]
            await self._session.execute(
                insert(dataset_items),
                [asdict(item) | {"version_id": version.id, "tags": [*item.tags]} for item in part],
            )

    async def get(self, version_id: UUID) -> DatasetVersion | None:
        """Return a version by its id."""
        found = await self._versions(dataset_versions.c.id == version_id)
        return found[0] if found else None

    async def get_many(self, version_ids: Collection[UUID]) -> list[DatasetVersion]:
        """Return those of the versions that are there, oldest first."""
        return await self._versions(dataset_versions.c.id.in_(version_ids))

    async def of_task(self, task_id: UUID) -> list[DatasetVersion]:
        """Return a task's versions, oldest first."""
        return await self._versions(datasets.c.task_id == task_id)

    async def of_round(self, round_id: UUID) -> DatasetVersion | None:
        """Return the release of a round."""
        found = await self._versions(datasets.c.round_id == round_id)
        return found[-1] if found else None

    async def items(
        self, version_id: UUID, *, split: Split, after: int, limit: int
    ) -> list[DatasetItem]:
        """Return the next items of a split behind a position."""
        statement = (
            select(*_ITEM)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.split == split,
                dataset_items.c.position > after,
            )
            .order_by(dataset_items.c.position)
            .limit(limit)
        )
        return [_item_of(row) for row in await self._session.execute(statement)]

    # A condition of SQLAlchemy is typed by what it compares.
    async def _versions(self, condition: Any) -> list[DatasetVersion]:
        statement = (
            select(*_VERSION)
            .join(datasets, datasets.c.id == dataset_versions.c.dataset_id)
            .where(condition)
            .order_by(dataset_versions.c.created_at, dataset_versions.c.id)
        )
        return [_version_of(row) for row in await self._session.execute(statement)]


# SQLAlchemy types a row of chosen columns as Row[Any].
def _version_of(row: Row[Any]) -> DatasetVersion:
    splits = row.card["splits"]
    sizes = {split: int(splits[split.value]["items"]) for split in Split}
    values = {**row._mapping, "tags": tuple(row.tags)}  # noqa: SLF001
    return DatasetVersion(**values, sizes=sizes)


def _item_of(row: Row[Any]) -> DatasetItem:
    values = dict(row._mapping)  # noqa: SLF001
    values["tags"] = tuple(values["tags"])
    values["context_digest"] = bytes(values["context_digest"])
    return DatasetItem(**values)
