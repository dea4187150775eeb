"""The SQL by which a version of any size is written in one transaction."""

from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

import orjson
import psycopg
from sqlalchemy import Row, collate, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.datasets.repository import ITEM_COLUMNS, item_of
from dynabench.loop.datasets.storing.values import VersionDraft
from dynabench.loop.datasets.tables import dataset_items, dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetItem

# In the order of `_written`.
_COLUMNS = (
    "version_id",
    "uid",
    "split",
    "position",
    "context",
    "inputs",
    "gold",
    "tags",
    "annotator",
    "is_fooling",
    "is_verified",
    "context_digest",
    "original_uid",
    "transform",
)
_COPY = f"COPY dataset_items ({', '.join(_COLUMNS)}) FROM STDIN"
_ROWS_AT_ONCE = 2_000


class StoringRepository:
    """Writes one version's rows."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take_time(self) -> None:
        """Let the statements of this transaction run as long as a large set needs."""
        await self._session.execute(text("SET LOCAL statement_timeout = 0"))

    # SQLAlchemy types a row of chosen columns as Row[Any].
    async def hold_dataset(self, dataset_id: UUID, draft: VersionDraft) -> Row[Any]:
        """Return a dataset by its name, made if needed, and hold its row."""
        await self._session.execute(
            insert(datasets)
            .values(
                id=dataset_id,
                task_id=draft.task_id,
                name=draft.name,
                access=draft.access or DatasetAccess.SCORING,
                origin=draft.origin,
                subtask_of=draft.subtask_of,
                tags=[*(draft.tags or ())],
            )
            .on_conflict_do_nothing(index_elements=["task_id", "name"])
        )
        return (
            await self._session.execute(
                select(datasets)
                .where(datasets.c.task_id == draft.task_id, datasets.c.name == draft.name)
                .with_for_update()
            )
        ).one()

    async def change_dataset(self, dataset_id: UUID, draft: VersionDraft) -> None:
        """Give a dataset what its next version says of it."""
        values = {
            "access": draft.access,
            "subtask_of": draft.subtask_of,
            "tags": None if draft.tags is None else [*draft.tags],
        }
        given = {name: value for name, value in values.items() if value is not None}
        if given:
            await self._session.execute(
                update(datasets).where(datasets.c.id == dataset_id).values(**given)
            )

    async def next_version(self, dataset_id: UUID) -> int:
        """Return the number of the version that follows."""
        newest = await self._session.scalar(
            select(func.max(dataset_versions.c.version)).where(
                dataset_versions.c.dataset_id == dataset_id
            )
        )
        return (newest or 0) + 1

    async def copy(self, version_id: UUID, items: Sequence[DatasetItem]) -> None:
        """Write items; a thousand take as long as ten single statements."""
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        async with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            version = str(version_id)
            for item in items:
                await copy.write_row(_written(item, version))

    async def by_uid(self, version_id: UUID) -> AsyncIterator[list[DatasetItem]]:
        """Give a version's items in the order of their uids' code points, some at a time."""
        statement = (
            select(*ITEM_COLUMNS)
            .where(dataset_items.c.version_id == version_id)
            .order_by(collate(dataset_items.c.uid, "C"))
        )
        found = await self._session.stream(
            statement, execution_options={"yield_per": _ROWS_AT_ONCE}
        )
        async for rows in found.partitions():
            yield [item_of(row) for row in rows]

    async def version_with(self, dataset_id: UUID, digest: str) -> UUID | None:
        """Return the version of a dataset that has a digest."""
        found: UUID | None = await self._session.scalar(
            select(dataset_versions.c.id).where(
                dataset_versions.c.dataset_id == dataset_id, dataset_versions.c.digest == digest
            )
        )
        return found

    async def seal(
        self, version_id: UUID, *, digest: str, card: Values, perturbation: Values | None
    ) -> None:
        """Write what is known once all items are there."""
        await self._session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == version_id)
            .values(digest=digest, card=card, perturbation=perturbation)
        )


def _written(item: DatasetItem, version_id: str) -> tuple[object, ...]:
    """Return a row as COPY takes it: what the driver would have to think about, as text."""
    return (
        version_id,
        item.uid,
        item.split.value,
        item.position,
        orjson.dumps(item.context).decode(),
        orjson.dumps(item.inputs).decode(),
        orjson.dumps(item.gold).decode(),
        _array(item.tags),
        item.annotator,
        item.is_fooling,
        item.is_verified,
        item.context_digest,
        item.original_uid,
        item.transform,
    )


def _array(texts: Sequence[str]) -> str:
    r"""Return texts as PostgreSQL writes an array of them.

    Example:
        >>> _array(["a", 'b"\\'])
        '{"a","b\\"\\\\"}'
    """
    quoted = (text_.replace("\\", "\\\\").replace('"', '\\"') for text_ in texts)
    return "{" + ",".join(f'"{text_}"' for text_ in quoted) + "}"
