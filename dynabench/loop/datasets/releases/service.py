"""Use case of a release: read a closed round, split it, and write it in one transaction."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.contexts.rules import content_digest as context_digest
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.datasets.cards.rules import build_card, build_items
from dynabench.loop.datasets.errors import NothingToReleaseError
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.releases.rules import plan_release
from dynabench.loop.datasets.releases.values import Candidate, Collected, Exclusion, Source
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import content_digest, uid_of
from dynabench.loop.datasets.values import (
    DatasetItem,
    DatasetVersion,
    ReleaseOrder,
    Split,
)
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.outcomes.values import Outcome
from dynabench.loop.validations.values import Verdict
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.schema import TaskConfig

_PAGE = 1_000

Progress: TypeAlias = Callable[[float, float, str], Awaitable[None]]


def exclusion_of(
    example: StoredExample, outcome: Outcome, *, config: TaskConfig
) -> Exclusion | None:
    """Return why an example is in no split, whatever its context and author; None if it may be.

    What its author took back is not given out either.
    """
    if outcome.voided_at is not None:
        return Exclusion.VOIDED
    if example.flagged_at is not None or outcome.verdict is Verdict.FLAGGED:
        return Exclusion.FLAGGED
    if example.retracted_at is not None:
        return Exclusion.RETRACTED
    if outcome.verdict is Verdict.INCORRECT:
        return Exclusion.INCORRECT
    is_answered = outcome.gold or example.answer or not config.gold_names
    return None if is_answered else Exclusion.NO_ANSWER


def label_of(config: TaskConfig, gold: Values) -> str | None:
    """Return the gold label where a task's answer is a single choice."""
    fields = config.gold_fields
    if len(fields) == 1 and isinstance(fields[0].type, MulticlassType):
        return str(gold[fields[0].name])
    return None


class ReleaseService:
    """Freezes closed rounds as datasets."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        contexts: ContextService,
        examples: ExampleService,
        outcomes: OutcomeService,
        folds: FoldService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._examples = examples
        self._outcomes = outcomes
        self._folds = folds
        self._publisher = Publisher(queue=queue)

    async def release(self, order: ReleaseOrder, *, progress: Progress) -> DatasetVersion:
        """Write a round's dataset, or return the one that is there already.

        Everything happens in one transaction: the round counts as released, the dataset is
        whole and its evaluations are asked for, or nothing of it.

        Raises:
            RoundStateError: If the round is not closed.
            NothingToReleaseError: If no example of it stands.
        """
        done = await self._released(order.round_id)
        if done is not None:
            return done
        await self._folds.catch_up(at_once=True)
        round_ = await self._rounds.get(order.round_id)
        try:
            async with self._db.transaction() as session:
                # First, since it holds the round: nobody else releases it meanwhile.
                await self._rounds.mark_released(session, order.round_id)
                return await self._write(session, round_, order, progress)
        except RoundStateError:
            done = await self._released(order.round_id)
            if done is None:
                raise
            return done

    async def _released(self, round_id: UUID) -> DatasetVersion | None:
        async with self._db.read() as session:
            return await DatasetRepository(session).of_round(round_id)

    async def _write(
        self, session: Session, round_: Round, order: ReleaseOrder, progress: Progress
    ) -> DatasetVersion:
        collected, source = await self._collect(session, round_, progress)
        await progress(6, 10, "splitting")
        # A million examples take seconds, in which other jobs go on.
        items, card, digest = await asyncio.to_thread(_freeze, collected, source, order)
        if not items:
            raise NothingToReleaseError(reason="it holds no example that stands.")
        sizes = Counter(item.split for item in items)
        version = DatasetVersion(
            id=new_id(),
            dataset_id=new_id(),
            task_id=round_.task_id,
            round_id=round_.id,
            name=f"Round {round_.number}",
            version=1,
            digest=digest,
            licence=order.licence,
            card=card,
            sizes={split: sizes[split] for split in Split},
            created_at=self._clock.now(),
        )
        await progress(8, 10, "writing")
        await DatasetRepository(session).add_version(version, items)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._publisher.publish(session, version, task.config)
        return version

    async def _collect(
        self, session: Session, round_: Round, progress: Progress
    ) -> tuple[list[Collected], Source]:
        task = await self._tasks.get_by_id(round_.task_id)
        tallies = (await self._folds.per_annotator([round_.id])).get(round_.id, {})
        total = sum(tally.collected + tally.flagged for tally in tallies.values())
        collected: list[Collected] = []
        excluded: Counter[Exclusion] = Counter()
        stored = 0
        after: tuple[datetime, UUID] | None = None
        while True:
            page = await self._examples.page_ids(
                session, round_id=round_.id, after=after, limit=_PAGE
            )
            if not page:
                break
            after = page[-1]
            stored += len(page)
            ids = [example_id for _, example_id in page]
            outcomes = await self._outcomes.get_many(session, ids)
            for example in await self._examples.get_many(session, ids):
                outcome = outcomes[example.id]
                exclusion = exclusion_of(example, outcome, config=task.config)
                if exclusion is None:
                    collected.append(await self._read(example, outcome, task.config))
                else:
                    excluded[exclusion] += 1
            await progress(5 * min(stored / max(total, stored), 1), 10, "reading the examples")
        config = task.config
        warning = config.content_warning
        source = Source(
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
            stored=stored,
            excluded=excluded,
        )
        return collected, source

    async def _read(
        self, example: StoredExample, outcome: Outcome, config: TaskConfig
    ) -> Collected:
        context = await self._contexts.get(example.context_id)
        is_verified = outcome.verdict is Verdict.CORRECT
        gold = outcome.gold or example.answer
        return Collected(
            candidate=Candidate(
                uid=uid_of(example.id),
                context=context_digest(context.content).hex(),
                annotator=str(example.annotator_id),
                label=label_of(config, gold),
                is_eligible=is_verified and outcome.fooled is True,
            ),
            context=context.content,
            inputs=example.inputs,
            gold=gold,
            tags=(context.tag,) if context.tag else (),
            is_fooling=outcome.fooled,
            is_verified=is_verified,
        )


def _freeze(
    collected: list[Collected], source: Source, order: ReleaseOrder
) -> tuple[list[DatasetItem], Values, str]:
    plan = plan_release(
        [one.candidate for one in collected],
        seed=order.seed,
        people_are_known=source.people_are_known,
    )
    items = build_items(collected, plan, seed=order.seed)
    card = build_card(collected, plan, source=source, seed=order.seed, licence=order.licence)
    return items, card, content_digest(items)
