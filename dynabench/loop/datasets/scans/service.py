"""Use case of scoring: read all items of a split in blocks, the next while one is worked on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from uuid import UUID

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.scans.repository import ScanRepository
from dynabench.loop.datasets.scans.values import ItemBlock, Variation
from dynabench.loop.datasets.values import Split


class ItemScan:
    """Reads versions whose items are known to be there, whoever asks."""

    def __init__(self, *, db: Database) -> None:
        self._db = db

    async def blocks(
        self, version_id: UUID, split: Split, *, size: int
    ) -> AsyncIterator[ItemBlock]:
        """Give a split's items in order, so many at a time.

        The same version always gives the same blocks. One is read ahead.
        """
        ahead = asyncio.create_task(self._block(version_id, split, after=-1, size=size))
        try:
            while (block := await ahead) is not None:
                ahead = asyncio.create_task(
                    self._block(version_id, split, after=block.position, size=size)
                )
                yield block
        finally:
            ahead.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ahead

    async def variations(
        self, version_id: UUID, split: Split, *, size: int
    ) -> AsyncIterator[list[Variation]]:
        """Give what a perturbed split says of its originals, so many at a time."""
        after = ""
        while True:
            async with self._db.read() as session:
                found = await ScanRepository(session).variations(
                    version_id, split=split, after=after, limit=size
                )
            if not found:
                return
            yield found
            after = found[-1].uid

    async def _block(
        self, version_id: UUID, split: Split, *, after: int, size: int
    ) -> ItemBlock | None:
        async with self._db.read() as session:
            return await ScanRepository(session).block(
                version_id, split=split, after=after, limit=size
            )
