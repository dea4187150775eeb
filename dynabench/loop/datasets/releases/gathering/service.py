"""Use case of every release: read what a round holds, as small as it can be kept."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TypeAlias
from uuid import UUID

from dynabench.kit.db.database import Session
from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.releases.repository import Judged, ReleaseRepository
from dynabench.loop.datasets.releases.rules import candidate_of, exclusion_of
from dynabench.loop.datasets.releases.values import Candidate, Exclusion, Gathered, Source
from dynabench.loop.rounds.values import Arm, Round
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.science.statistics.agreement import Agreement, describe_agreement
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.schema import TaskConfig

_READING = Phrase("doing.reading_examples", "reading the examples").say()

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]


def label_name_of(config: TaskConfig) -> str | None:
    """Return the field with the gold label where a task's answer is a single choice."""
    fields = config.gold_fields
    is_single = len(fields) == 1 and isinstance(fields[0].type, MulticlassType)
    return fields[0].name if is_single else None


class RoundReader:
    """Reads rounds in the caller's transaction."""

    def __init__(self, *, folds: FoldService) -> None:
        self._folds = folds

    async def gather(
        self,
        session: Session,
        round_id: UUID,
        *,
        config: TaskConfig,
        progress: Progress,
        blind: UUID | None = None,
    ) -> Gathered:
        """Return a round's attempts without what they say.

        A million of them take some hundred megabytes: contexts and people are many times the
        same text, which is kept once.

        Args:
            session: The caller's transaction.
            round_id: The round.
            config: The task's.
            progress: Told how far this is.
            blind: Whose attempts without a model are left out, if anybody's.
        """
        unseen = None if blind is None else (str(blind), Arm.NO_MODEL)
        tallies = await self.tallies(round_id)
        total = sum(tally.collected for tally in tallies.values())
        excluded: Counter[Exclusion] = Counter()
        arms: Counter[Arm] = Counter()
        candidates: list[Candidate] = []
        people: dict[str, str] = {}
        contexts: dict[bytes, str] = {}
        pages = ReleaseRepository(session).attempts(
            round_id, label_name=label_name_of(config), asks_gold=bool(config.gold_names)
        )
        async for page in pages:
            for one in page:
                if (one.annotator, one.arm) == unseen:
                    continue
                arms[Arm(one.arm)] += 1
                exclusion = exclusion_of(one)
                if exclusion is not None:
                    excluded[exclusion] += 1
                    continue
                if one.context not in contexts:
                    contexts[one.context] = one.context.hex()
                annotator = people.setdefault(one.annotator, one.annotator)
                candidates.append(
                    candidate_of(one, context=contexts[one.context], annotator=annotator)
                )
            stored = arms.total()
            await progress(stored, max(total, stored), _READING)
        return Gathered(candidates=candidates, excluded=excluded, arms=arms)

    async def describe(self, session: Session, round_: Round, *, task: Task) -> Source:
        """Return what a card says about where a round's examples come from."""
        # Counted anew: another process may be folding the last votes at this moment.
        tallies = await self._folds.recounted(session, round_.id)
        repository = ReleaseRepository(session)
        judged = await repository.judgements(round_.id)
        config = task.config
        warning = config.content_warning
        return Source(
            round_id=round_.id,
            round_number=round_.number,
            task_slug=task.slug,
            title=config.text(config.title) or task.slug,
            language=config.language,
            content_warning=None if warning is None else config.text(warning),
            targets=tuple(
                {"name": one.name, "version": one.version, "digest": one.digest}
                for one in round_.targets
            ),
            gold_from=round_.validation.gold_from.value,
            is_replay=round_.is_replay,
            people_are_known=round_.people_are_known,
            tallies=tuple(tallies[annotator_id] for annotator_id in sorted(tallies)),
            agreement=await asyncio.to_thread(_agreement, judged),
            time_spent=await repository.time_spent(round_.id),
            provenance=await repository.provenance(round_.id),
        )

    async def tallies(self, round_id: UUID) -> dict[UUID, Tally]:
        """Return the counts of a round's annotators."""
        return (await self._folds.per_annotator([round_id])).get(round_id, {})


def _agreement(judged: list[Judged]) -> Agreement:
    return describe_agreement([one.votes for one in judged for _ in range(one.examples)])
