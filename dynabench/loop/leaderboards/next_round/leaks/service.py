"""Finds how many of the contexts that a round would draw are released for training."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from uuid import UUID

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.examples.rules import text_of
from dynabench.loop.leaderboards.next_round.leaks.rules import (
    MOST_RELEASED,
    MOST_SAMPLED,
    ReleasedTexts,
    near_repeats,
)
from dynabench.loop.leaderboards.next_round.repository import NextRoundRepository
from dynabench.loop.leaderboards.next_round.values import Leaks, TagUse

_PAGE = 500
_IN_MEMORY = 8
_SHOWN = 5


class LeakService:
    """Leaks of all tasks; the index of what is released never changes and is remembered."""

    def __init__(self, *, db: Database, datasets: DatasetService) -> None:
        self._db = db
        self._datasets = datasets
        self._indexes: OrderedDict[tuple[UUID, ...], ReleasedTexts] = OrderedDict()

    async def tags(self, task_id: UUID) -> list[TagUse]:
        """Return each tag's contexts that are handed out, and how many were written on."""
        async with self._db.read() as session:
            return await NextRoundRepository(session).tags(task_id)

    async def find(
        self,
        task_id: UUID,
        *,
        tags: Sequence[str],
        drawn: int,
        releases: Sequence[DatasetVersion],
    ) -> Leaks:
        """Return the leaks of the contexts of some tags; no tag means all contexts.

        Letter by letter all of them are compared with all released train items. Near
        repetitions are looked for among at most 500 of the others, in their order by chance,
        and at most 4,000 texts of the newest releases.
        """
        version_ids = [one.id for one in releases]
        async with self._db.read() as session:
            repository = NextRoundRepository(session)
            same = await repository.count_released(task_id, tags=tags, version_ids=version_ids)
            contents = await repository.sample_new(
                task_id, tags=tags, version_ids=version_ids, limit=MOST_SAMPLED
            )
        released = await self._index(tuple(version_ids))
        near = await asyncio.to_thread(near_repeats, contents, released)
        return Leaks(
            drawn=drawn,
            same=same,
            sampled=len(contents),
            near=len(near),
            compared=len(released),
            examples=tuple(near[:_SHOWN]),
        )

    async def _index(self, version_ids: tuple[UUID, ...]) -> ReleasedTexts:
        known = self._indexes.get(version_ids)
        if known is not None:
            self._indexes.move_to_end(version_ids)
            return known
        texts: list[str] = []
        for version_id in version_ids:
            async for items in self._datasets.pages(version_id, Split.TRAIN, size=_PAGE):
                for item in items:
                    texts += [text_of(dict(item.context)), text_of(dict(item.inputs))]
                if len(texts) >= 2 * MOST_RELEASED:
                    break
        found = await asyncio.to_thread(ReleasedTexts, [one for one in texts if one.strip()])
        self._indexes[version_ids] = found
        while len(self._indexes) > _IN_MEMORY:
            self._indexes.popitem(last=False)
        return found
