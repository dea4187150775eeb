"""The SQL of files that a version's items name."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import CTE, collate, func, select, union

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.archives.columns.values import Column
from dynabench.loop.datasets.archives.media.values import NamedMedia
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.media.tables import media_files

_ROWS_AT_ONCE = 2_000


class ListedFile(NamedTuple):
    """A file as the database knows it."""

    digest: str
    media_type: str
    size_bytes: int


class NamedMediaRepository:
    """Finds the files that some columns of a version name.

    Args:
        session: A transaction that may take its time.
        version_id: The version.
        columns: Those of pictures and sounds; at least one.
    """

    def __init__(self, session: Session, version_id: UUID, columns: Sequence[Column]) -> None:
        self._session = session
        self._named = _named(version_id, columns)

    async def in_sum(self) -> NamedMedia:
        """Return how many there are, and how large they are together."""
        digest, known = self._named.c.digest, media_files.c
        query = (
            select(
                known.media_type,
                func.count(),
                func.coalesce(func.sum(known.size_bytes), 0),
                func.min(digest),
            )
            .select_from(self._named.outerjoin(media_files, known.digest == digest))
            .group_by(known.media_type)
        )
        rows = {row[0]: row for row in await self._session.execute(query)}
        unknown = rows.pop(None, None)
        return NamedMedia(
            files=sum(row[1] for row in rows.values()),
            size_bytes=int(sum(row[2] for row in rows.values())),
            types={one: rows[one][1] for one in sorted(rows)},
            missing=0 if unknown is None else unknown[1],
            first_missing=None if unknown is None else unknown[3],
        )

    async def listed(self) -> AsyncIterator[list[ListedFile]]:
        """Give each that is known, by digest, some at a time."""
        known = media_files.c
        query = (
            select(known.digest, known.media_type, known.size_bytes)
            .join(self._named, self._named.c.digest == known.digest)
            .order_by(collate(known.digest, "C"))
        )
        found = await self._session.stream(query, execution_options={"yield_per": _ROWS_AT_ONCE})
        async for rows in found.partitions():
            yield [ListedFile(*row) for row in rows]


def _named(version_id: UUID, columns: Sequence[Column]) -> CTE:
    """Return the digests that columns name, each once."""
    queries = []
    for column in columns:
        digest = dataset_items.c[column.part.value][column.key]["media"].astext
        queries.append(
            select(digest.label("digest")).where(
                dataset_items.c.version_id == version_id, digest.is_not(None)
            )
        )
    return union(*queries).cte("named")
