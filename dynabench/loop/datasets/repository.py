"""All SQL of datasets but the writing of large versions, which is in `storing`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, Split

_ROWS_PER_STATEMENT = 1_000
_original = dataset_versions.alias("original")
# More columns than SQLAlchemy's typed `select` knows.
_VERSION: tuple[ColumnElement[Any], ...] = (
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
    # Variants have the right answers of what they vary, so they are given out together.
    func.coalesce(_original.c.test_opened_at, dataset_versions.c.test_opened_at).label(
        "test_opened_at"
    ),
    dataset_versions.c.archive_job_id,
    datasets.c.access,
    datasets.c.origin,
    datasets.c.subtask_of,
    datasets.c.tags,
)
ITEM_COLUMNS = tuple(column for column in dataset_items.columns if column.name != "version_id")


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
        await self.insert_version(version)
        for start in range(0, len(items), _ROWS_PER_STATEMENT):
            part = items[start : start + _ROWS_PER_STATEMENT]
            await self._session.execute(
                insert(dataset_items),
                [asdict(item) | {"version_id": version.id, "tags": [*item.tags]} for item in part],
            )

    async def insert_version(self, version: DatasetVersion) -> None:
        """Write a version's own row."""
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

    async def of_dataset(self, dataset_id: UUID) -> list[DatasetVersion]:
        """Return a dataset's versions, oldest first."""
        return await self._versions(datasets.c.id == dataset_id)

    async def of_round(self, round_id: UUID) -> DatasetVersion | None:
        """Return the release of a round."""
        found = await self._versions(datasets.c.round_id == round_id)
        return found[-1] if found else None

    async def varying(self, version_ids: Collection[UUID]) -> list[DatasetVersion]:
        """Return the perturbed sets of versions, oldest first."""
        return await self._versions(dataset_versions.c.perturbs_id.in_(version_ids))

    async def items(
        self, version_id: UUID, *, split: Split, after: int, limit: int
    ) -> list[DatasetItem]:
        """Return the next items of a split behind a position."""
        statement = (
            select(*ITEM_COLUMNS)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.split == split,
                dataset_items.c.position > after,
            )
            .order_by(dataset_items.c.position)
            .limit(limit)
        )
        return [item_of(row) for row in await self._session.execute(statement)]

    async def items_by_uid(
        self, version_id: UUID, uids: Collection[str]
    ) -> Mapping[str, DatasetItem]:
        """Return those of the items that are there, by uid."""
        statement = select(*ITEM_COLUMNS).where(
            dataset_items.c.version_id == version_id, dataset_items.c.uid.in_(uids)
        )
        return {row.uid: item_of(row) for row in await self._session.execute(statement)}

    async def change_dataset(self, dataset_id: UUID, **values: object) -> None:
        """Change what holds for all versions of a dataset and of the sets that vary them."""
        mine = select(dataset_versions.c.id).where(dataset_versions.c.dataset_id == dataset_id)
        varying = select(dataset_versions.c.dataset_id).where(
            dataset_versions.c.perturbs_id.in_(mine)
        )
        await self._session.execute(
            update(datasets)
            .where(or_(datasets.c.id == dataset_id, datasets.c.id.in_(varying)))
            .values(**values)
        )

    async def change_version(
        self, version_id: UUID, *, licence: str | None, description: str | None
    ) -> None:
        """Change what is said of a version; its items stay as they are."""
        values: dict[str, object] = {}
        if licence is not None:
            values["licence"] = licence
        if description is not None:
            added = func.jsonb_build_object("description", description, type_=JSONB)
            values["card"] = dataset_versions.c.card.op("||")(added)
        if values:
            await self._session.execute(
                update(dataset_versions).where(dataset_versions.c.id == version_id).values(**values)
            )

    async def open_test(self, version_id: UUID, *, now: datetime, by: UUID | None) -> bool:
        """Note that the right answers of a version are given out; False if they were."""
        opened = await self._session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == version_id, dataset_versions.c.test_opened_at.is_(None))
            .values(test_opened_at=now, test_opened_by=by)
        )
        return opened.rowcount == 1

    async def note_archive_job(self, version_id: UUID, job_id: UUID) -> None:
        """Note which job makes a version's archive."""
        await self._session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == version_id)
            .values(archive_job_id=job_id)
        )

    # A condition of SQLAlchemy is typed by what it compares.
    async def _versions(self, condition: Any) -> list[DatasetVersion]:
        statement = (
            select(*_VERSION)
            .join(datasets, datasets.c.id == dataset_versions.c.dataset_id)
            .outerjoin(_original, _original.c.id == dataset_versions.c.perturbs_id)
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


# As above.
def item_of(row: Row[Any]) -> DatasetItem:
    """Return the item that a row of `ITEM_COLUMNS` holds."""
    values = dict(row._mapping)  # noqa: SLF001
    values["tags"] = tuple(values["tags"])
    values["context_digest"] = bytes(values["context_digest"])
    return DatasetItem(**values)
