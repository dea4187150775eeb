"""Tells whether a text is like one whose right answer a release withholds."""

from datetime import datetime, timedelta
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.datasets.withheld.repository import WithheldRepository
from dynabench.loop.examples.rules import NEAR_DUPLICATE_SIMILARITY, compared_text
from dynabench.science.texts.near_duplicates import bands, jaccard, shingles, signature

# A release is withheld from the texts of tries this long after it came out, at most.
_REMEMBERED = timedelta(seconds=5)


class WithheldTexts:
    """Finds what a model must not answer, for its answer would tell a withheld one."""

    def __init__(self, *, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._rounds: dict[UUID, tuple[datetime, list[UUID]]] = {}

    async def is_withheld(
        self, task_id: UUID, *, context: Values, inputs: Values, is_about_media: bool
    ) -> bool:
        """Tell whether inputs are those of a withheld test item, or close to them.

        About a picture or a sound the same words are common: there the context counts too.
        """
        round_ids = await self._withheld_rounds(task_id)
        text = compared_text(inputs)
        if not round_ids or not text:
            return False
        async with self._db.transaction() as session:
            repository = WithheldRepository(session)
            if is_about_media:
                found = await repository.on_context(round_ids, content_digest(context))
            else:
                minima = signature(text)
                keys = [key for one in round_ids for key in bands(minima, one.bytes)]
                found = await repository.alike(round_ids, keys)
        mine = shingles(text)
        return any(
            jaccard(mine, shingles(compared_text(one))) >= NEAR_DUPLICATE_SIMILARITY
            for one in found
        )

    async def _withheld_rounds(self, task_id: UUID) -> list[UUID]:
        now = self._clock.now()
        known = self._rounds.get(task_id)
        if known is not None and now < known[0] + _REMEMBERED:
            return known[1]
        async with self._db.read() as session:
            found = await WithheldRepository(session).rounds(task_id)
        self._rounds[task_id] = (now, found)
        return found
