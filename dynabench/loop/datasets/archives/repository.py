"""The SQL of archives: a version's rows in portions, and the row that tells of the file."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.archives.columns.values import ItemRow
from dynabench.loop.datasets.archives.values import Archive, ArchivedFile
from dynabench.loop.datasets.tables import dataset_archives, dataset_items, dataset_versions
from dynabench.loop.datasets.values import Split

# JSON is taken as text: whoever reads it wants it written in another order anyway.
_ITEMS = b"""
    SELECT uid, context::text, inputs::text, gold::text, array_to_json(tags)::text, annotator,
           is_fooling, is_verified, original_uid, transform
    FROM dataset_items WHERE version_id = %s AND split = %s ORDER BY uid COLLATE "C"
"""
_PORTION_BYTES = 8 << 20
_MOST_ROWS = 4_000
# What a large value takes on the disk, where it is packed, against what it takes here.
_UNPACKED = 4


class ArchiveRepository:
    """Reads versions as rows of text, and keeps what is known of archives."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take_time(self) -> None:
        """Let this transaction run, and sort, as a large set needs."""
        await self._session.execute(text("SET LOCAL statement_timeout = 0"))
        await self._session.execute(text("SET LOCAL work_mem = '64MB'"))

    async def portion_rows(self, version_id: UUID) -> int:
        """Return how many rows to read at once, so that a portion of the largest fits."""
        size = func.pg_column_size
        columns = dataset_items.c
        largest = await self._session.scalar(
            select(func.max(size(columns.context) + size(columns.inputs) + size(columns.gold)))
            .select_from(dataset_items)
            .where(columns.version_id == version_id)
        )
        return max(1, min(_MOST_ROWS, _PORTION_BYTES // (_UNPACKED * (largest or 1))))

    async def several_answers(
        self, version_id: UUID, names: Sequence[str], *, are_lists: Sequence[str]
    ) -> set[str]:
        """Return the gold fields of which some item has more than one acceptable answer.

        Args:
            version_id: The version.
            names: The gold fields.
            are_lists: Those of which a single answer is a list already.
        """
        found = set()
        for name in names:
            answer = dataset_items.c.gold[name]
            if name in are_lists:
                answer = answer[0]
            query = select(
                select(dataset_items.c.uid)
                .where(
                    dataset_items.c.version_id == version_id,
                    func.jsonb_typeof(answer) == "array",
                )
                .exists()
            )
            if await self._session.scalar(query):
                found.add(name)
        return found

    async def rows(
        self, version_id: UUID, split: Split, *, portion: int
    ) -> AsyncIterator[list[ItemRow]]:
        """Give a split's rows in the order of their uids' code points, a portion at a time."""
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        async with connection.cursor(f"archive_{split.value}", binary=True) as cursor:
            await cursor.execute(_ITEMS, (version_id, split.value))
            while rows := await cursor.fetchmany(portion):
                yield [ItemRow(*row) for row in rows]

    async def get(self, version_id: UUID) -> Archive | None:
        """Return what is known of a version's archive."""
        query = select(dataset_archives).where(dataset_archives.c.version_id == version_id)
        row = (await self._session.execute(query)).mappings().first()
        if row is None:
            return None
        values: dict[str, Any] = dict(row)
        values["files"] = tuple(ArchivedFile(**one) for one in row["files"])
        return Archive(**values)

    async def hold_version(self, version_id: UUID) -> None:
        """Have nobody change the version until the end of this transaction."""
        await self._session.execute(
            select(dataset_versions.c.id)
            .where(dataset_versions.c.id == version_id)
            .with_for_update()
        )

    async def put(self, archive: Archive) -> None:
        """Keep what is known of an archive, instead of the one before."""
        values = asdict(archive) | {"files": [asdict(one) for one in archive.files]}
        await self._session.execute(
            delete(dataset_archives).where(dataset_archives.c.version_id == archive.version_id)
        )
        await self._session.execute(insert(dataset_archives).values(values))

    async def named(self, digests: Collection[str]) -> set[str]:
        """Return those of the digests that archives are stored under."""
        query = select(dataset_archives.c.digest).where(dataset_archives.c.digest.in_(digests))
        return set((await self._session.execute(query)).scalars())
