"""Tells whether a text is like one whose right answer a release withholds."""

from datetime import datetime, timedelta
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.datasets.withheld.repository import WithheldRepository, WithheldRounds
from dynabench.loop.examples.rules import NEAR_DUPLICATE_SIMILARITY, compared_text
from dynabench.loop.examples.values import Writer
from dynabench.science.task_config.schema import TaskConfig
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
        config: TaskConfig,
        context: Values,
        inputs: Values,
        writer: Writer | None = None,
    ) -> bool:
        """Tell whether inputs are those of a withheld test item, or close to them.

        What no model sees makes no difference: values that are not shown to it are compared
        neither here nor there. Examples of a blind round that is not released are withheld
        too: where fooling examples are judged, the author's answer is one that the target did
        not give. A writer is not kept from the round written for, whose duplicates are refused
        anyway, nor from their own texts; whoever tries is kept from all.
        About a picture or a sound the same words are common: there it counts too.
        """
        text = compared_text(config.seen_by_model(inputs))
        rounds = await self._withheld_rounds(task_id)
        blind = [one for one in rounds.blind if writer is None or one != writer.round_id]
        if not text or not (rounds.released or blind):
            return False
        # Examples of before unseen fields were left out are indexed by all their inputs.
        texts = dict.fromkeys((text, compared_text(inputs)))
        signatures = [signature(one) for one in texts]
        pictures = _pictures(config, context) if config.is_about_media else None
        async with self._db.transaction() as session:
            repository = WithheldRepository(session)
            found = await repository.released(rounds.released, signatures, pictures=pictures)
            found += await repository.collected(
                blind,
                signatures,
                pictures=pictures,
                not_by=None if writer is None else writer.annotator_id,
            )
        mine = shingles(text)
        return any(
            jaccard(mine, shingles(compared_text(config.seen_by_model(one))))
            >= NEAR_DUPLICATE_SIMILARITY
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


def _pictures(config: TaskConfig, context: Values) -> Values:
    """Return the pictures and sounds of a context that models see, by their bytes alone."""
    seen = config.seen_by_model(context)
    return {
        one.name: {"media": value["media"]}
        for one in config.media_fields
        if isinstance(value := seen.get(one.name), dict)
    }
