"""Tells whether a text is like one whose right answer a release withholds."""

from datetime import datetime, timedelta
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.datasets.withheld.repository import WithheldRepository, WithheldRounds
from dynabench.loop.examples.rules import NEAR_DUPLICATE_SIMILARITY, compared_text
from dynabench.science.texts.near_duplicates import jaccard, shingles, signature

# A release is withheld from the texts of tries this long after it came out, at most.
_REMEMBERED = timedelta(seconds=5)


class WithheldTexts:
    """Finds what a model must not answer, for its answer would tell a withheld one."""

    def __init__(self, *, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._rounds: dict[UUID, tuple[datetime, WithheldRounds]] = {}

    async def is_withheld(
        self,
        task_id: UUID,
        *,
        context: Values,
        inputs: Values,
        is_about_media: bool,
        is_try: bool = False,
    ) -> bool:
        """Tell whether inputs are those of a withheld test item, or close to them.

        A try must not be like an example of a blind round that is not released either: where
        fooling examples are judged, the author's answer is one that the target did not give.
        About a picture or a sound the same words are common: there the context counts too.
        """
        text = compared_text(inputs)
        rounds = await self._withheld_rounds(task_id)
        blind = rounds.blind if is_try else []
        if not text or not (rounds.released or blind):
            return False
        digest = content_digest(context) if is_about_media else None
        minima = signature(text)
        async with self._db.transaction() as session:
            repository = WithheldRepository(session)
            found = await repository.released(rounds.released, minima, context_digest=digest)
            found += await repository.collected(blind, minima, context_digest=digest)
        mine = shingles(text)
        return any(
            jaccard(mine, shingles(compared_text(one))) >= NEAR_DUPLICATE_SIMILARITY
            for one in found
        )

    async def _withheld_rounds(self, task_id: UUID) -> WithheldRounds:
        now = self._clock.now()
        known = self._rounds.get(task_id)
        if known is not None and now < known[0] + _REMEMBERED:
            return known[1]
        async with self._db.read() as session:
            found = await WithheldRepository(session).rounds(task_id)
        self._rounds[task_id] = (now, found)
        return found
