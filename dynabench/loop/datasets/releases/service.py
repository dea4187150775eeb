"""Use case of a release: read a closed round, split it, and write it in one transaction."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.errors import (
    NothingToReleaseError,
    ReleaseIncompleteError,
    VerdictsOpenError,
)
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.releases.errata.service import ErrataSource
from dynabench.loop.datasets.releases.gathering.service import Progress, RoundReader
from dynabench.loop.datasets.releases.mixing.values import NOTHING_EARLIER, Splitting
from dynabench.loop.datasets.releases.notes.rules import what_is_missing
from dynabench.loop.datasets.releases.repository import ReleaseRepository
from dynabench.loop.datasets.releases.rules import least_of, plan_release
from dynabench.loop.datasets.releases.values import Gathered, Source
from dynabench.loop.datasets.releases.writing.service import write_release
from dynabench.loop.datasets.releases.writing.values import Decided
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.values import DatasetVersion, OpenVerdicts, ReleaseOrder, Split
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService

Ending: TypeAlias = Callable[[Session, DatasetVersion], Awaitable[None]]

_SPLITTING = Phrase("doing.splitting", "splitting").say()

_DERIVED_AT_ONCE = 1_000
# How much of all the work is done when reading, and when splitting, is done; of ten parts.
_READ, _SPLIT, _DONE = 3, 4, 10


class ReleaseService:
    """Freezes closed rounds as datasets."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        outcomes: OutcomeService,
        folds: FoldService,
        errata: ErrataSource,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._outcomes = outcomes
        self._folds = folds
        self._errata = errata
        self._reader = RoundReader(folds=folds)
        self._publisher = Publisher(queue=queue)

    async def release(
        self, order: ReleaseOrder, *, progress: Progress, ending: Ending | None = None
    ) -> DatasetVersion:
        """Write a round's dataset, or return the one that is there already.

        Everything happens in one transaction: the round counts as released, the dataset is
        whole and its evaluations are asked for, or nothing of it.

        Args:
            order: What is to be released, and how.
            progress: Called as it goes on.
            ending: Called last in the transaction that writes the dataset; raises to undo it.

        Raises:
            RoundStateError: If the round is not closed.
            VerdictsOpenError: If examples wait for their verdict, and the order with them.
            NothingToReleaseError: If no example of it stands.
            ReleaseIncompleteError: If it would be less than it should be, and may not be.
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
                version = await self._freeze(session, round_, order, progress)
                if ending is not None:
                    await ending(session, version)
                return version
        except RoundStateError:
            done = await self._released(order.round_id)
            if done is None:
                raise
            return done

    async def _released(self, round_id: UUID) -> DatasetVersion | None:
        async with self._db.read() as session:
            return await DatasetRepository(session).of_round(round_id)

    async def _freeze(
        self, session: Session, round_: Round, order: ReleaseOrder, progress: Progress
    ) -> DatasetVersion:
        repository = ReleaseRepository(session)
        await repository.take_time()
        await self._derive_rest(session, round_.id)
        waiting = await repository.open_verdicts(round_.id)
        if waiting and order.open_verdicts is OpenVerdicts.WAIT:
            raise VerdictsOpenError(waiting=waiting)
        task = await self._tasks.get_by_id(round_.task_id)
        decided = await self._decide(session, round_, order, task=task, progress=progress)
        version = await write_release(
            session,
            _version_of(round_, decided, order, now=self._clock.now()),
            decided,
            order=order,
            config=task.config,
            progress=_between(progress, _SPLIT, _DONE),
        )
        await repository.forget_order(round_.id)
        await self._publisher.publish(session, version, task.config)
        return version

    async def _derive_rest(self, session: Session, round_id: UUID) -> None:
        """Write the outcomes that a fold has not come to yet."""
        ids = await ReleaseRepository(session).underived(round_id)
        for start in range(0, len(ids), _DERIVED_AT_ONCE):
            await self._outcomes.refresh(session, ids[start : start + _DERIVED_AT_ONCE])

    async def _decide(
        self,
        session: Session,
        round_: Round,
        order: ReleaseOrder,
        *,
        task: Task,
        progress: Progress,
    ) -> Decided:
        gathered = await self._reader.gather(
            session, round_.id, config=task.config, progress=_between(progress, 0, _READ)
        )
        if not gathered.candidates:
            raise NothingToReleaseError(reason="it holds no example that stands.")
        source = replace(
            await self._reader.describe(session, round_, task=task),
            errata=await self._errata.of_task(session, task.id),
        )
        await progress(_READ, _DONE, _SPLITTING)
        # A million examples take seconds, in which other jobs go on.
        earlier = NOTHING_EARLIER
        if order.apart_from_earlier:
            earlier = await ReleaseRepository(session).earlier(task.id)
        splitting = Splitting(
            seed=order.seed,
            people_are_known=source.people_are_known,
            dev_share=order.dev_share,
            test_share=order.test_share,
            share_of_others=order.share_of_others,
            earlier=earlier,
        )
        decided = await asyncio.to_thread(_plan, gathered, source, splitting)
        if decided.missing and not order.allow_incomplete:
            raise ReleaseIncompleteError(missing=[one.sentence for one in decided.missing])
        return decided


def _plan(gathered: Gathered, source: Source, splitting: Splitting) -> Decided:
    plan = plan_release(gathered.candidates, splitting)
    missing = what_is_missing(
        gathered.candidates,
        plan,
        least=least_of(splitting),
        people_are_known=splitting.people_are_known,
    )
    return Decided(gathered=gathered, plan=plan, source=source, missing=missing)


def _version_of(
    round_: Round, decided: Decided, order: ReleaseOrder, *, now: datetime
) -> DatasetVersion:
    sizes = Counter(decided.plan.splits.values())
    version_id = new_id()
    return DatasetVersion(
        id=version_id,
        dataset_id=new_id(),
        task_id=round_.task_id,
        round_id=round_.id,
        name=f"Round {round_.number}",
        version=1,
        # Nobody sees it: the digest is known once all items are there.
        digest=f"unfinished {version_id}",
        licence=order.licence,
        card={},
        sizes={split: sizes[split] for split in Split},
        created_at=now,
    )


def _between(progress: Progress, first: float, last: float) -> Progress:
    """Return what tells a part's progress as that of the whole, which has ten parts."""

    async def tell(done: float, total: float, message: str) -> None:
        share = done / total if total else 1.0
        await progress(first + (last - first) * share, _DONE, message)

    return tell
