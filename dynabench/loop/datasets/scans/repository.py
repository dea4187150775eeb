"""The statements of a scan, past the layers that an item at a time can afford."""

from typing import Any
from uuid import UUID

import orjson
import psycopg

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.scans.values import ItemBlock, Variation
from dynabench.loop.datasets.values import Split

# JSON is taken as text and read here: the driver would call back for each single value.
_BLOCK = b"""
    SELECT position, uid, (context || inputs)::text, gold::text, array_to_json(tags)::text,
           context_digest
    FROM dataset_items
    WHERE version_id = %s AND split = %s AND position > %s ORDER BY position LIMIT %s
"""
# Variants of one context are alike, so the original's counts and not the changed one.
_VARIATIONS = b"""
    SELECT item.uid, item.original_uid, item.transform, original.context_digest
    FROM dataset_items item
    JOIN dataset_versions version ON version.id = item.version_id
    JOIN dataset_items original
      ON original.version_id = version.perturbs_id AND original.uid = item.original_uid
    WHERE item.version_id = %s AND item.split = %s AND item.uid > %s
    ORDER BY item.uid LIMIT %s
"""
_NO_TAGS = "[]"


class ScanRepository:
    """Reads blocks of items."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def block(
        self, version_id: UUID, *, split: Split, after: int, limit: int
    ) -> ItemBlock | None:
        """Return the next items of a split behind a position; None if there is none."""
        rows = await self._rows(_BLOCK, (version_id, split.value, after, limit))
        if not rows:
            return None
        positions, uids, values, gold, tags, contexts = zip(*rows, strict=True)
        return ItemBlock(
            position=positions[-1],
            uids=uids,
            values=[orjson.loads(one) for one in values],
            sizes=[len(one) for one in values],
            gold=[orjson.loads(one) for one in gold],
            tags=[() if one == _NO_TAGS else orjson.loads(one) for one in tags],
            contexts=contexts,
        )

    async def variations(
        self, version_id: UUID, *, split: Split, after: str, limit: int
    ) -> list[Variation]:
        """Return the next items of a perturbed split behind a uid."""
        rows = await self._rows(_VARIATIONS, (version_id, split.value, after, limit))
        return [
            Variation(uid=uid, original_uid=original, transform=how, context_digest=digest)
            for uid, original, how, digest in rows
        ]

    # What a column holds is known to whoever reads it, not to the row.
    async def _rows(self, statement: bytes, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        # A session that is open has its connection; nothing is waited for here.
        assert self._session.sync_connection is not None
        connection = self._session.sync_connection.connection.driver_connection
        assert isinstance(connection, psycopg.AsyncConnection)
        async with connection.cursor(binary=True) as cursor:
            await cursor.execute(statement, values)
            return await cursor.fetchall()
