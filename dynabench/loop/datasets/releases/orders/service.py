"""Use cases of owners: look at a release before it is made, ask for it, have it wait."""

import asyncio
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.loop.datasets.cards.rules import describe_part, exclusions, split_up
from dynabench.loop.datasets.errors import (
    NothingToReleaseError,
    ReleaseIncompleteError,
    ReleaseOrderNotFoundError,
)
from dynabench.loop.datasets.releases.gathering.service import RoundReader
from dynabench.loop.datasets.releases.mixing.rules import require_shares
from dynabench.loop.datasets.releases.mixing.values import NOTHING_EARLIER, Splitting
from dynabench.loop.datasets.releases.notes.rules import what_is_missing
from dynabench.loop.datasets.releases.orders.repository import OrderRepository
from dynabench.loop.datasets.releases.repository import ReleaseRepository
from dynabench.loop.datasets.releases.rules import least_of, plan_release
from dynabench.loop.datasets.releases.schemas import (
    ExclusionRead,
    MissingRead,
    PlannedSplitRead,
    ReleaseOrderRead,
    ReleasePlanQuery,
    ReleasePlanRead,
)
from dynabench.loop.datasets.releases.values import Gathered
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.datasets.values import RELEASE_ROUND, OpenVerdicts, ReleaseOrder, Split
from dynabench.loop.rounds.errors import RoundReleasedError, RoundStateError
from dynabench.loop.rounds.rules import is_anyone_blind
from dynabench.loop.rounds.schemas import RoundRead, RoundReopen
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.validations.folds.service import FoldService

# What is missing of a larger round is found out by its job, and not while somebody waits.
_LOOKED_AT_BEFORE = 20_000
_PLANNED = frozenset({RoundStatus.OPEN, RoundStatus.CLOSED})
_NOTHING = "it holds no example that stands."


class ReleaseDesk:
    """Takes orders of releases; a job carries them out (`ReleaseService`)."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        folds: FoldService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._folds = folds
        self._reader = RoundReader(folds=folds)
        self._queue = queue
        # A plan of a large round fills memory: one is made at a time.
        self._turn = asyncio.Lock()

    async def plan(
        self, round_id: UUID, wanted: ReleasePlanQuery, *, actor: Actor
    ) -> ReleasePlanRead:
        """Return what a release would hold if it were made now; nothing is changed.

        While the round is open, what its reader wrote without a model is left out: whether it
        fooled is not theirs to know yet.

        Raises:
            RoundStateError: If the round is a draft or released.
            SplitSharesError: If dev and test leave too little for train.
        """
        round_, task = await self._owned(round_id, actor)
        if round_.status not in _PLANNED:
            raise RoundStateError(round_number=round_.number, status=round_.status, wanted="closed")
        require_shares(dev=wanted.dev_share, test=wanted.test_share)
        await self._folds.catch_up(at_once=True)
        async with self._turn:
            blind = actor.user_id if is_anyone_blind(round_) else None
            return await self._plan(round_, task, wanted, blind=blind)

    async def release(
        self, round_id: UUID, body: ReleaseRequest, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a closed round to be frozen as a dataset; a job does it.

        Where verdicts are open and waited for, the job keeps the order (`keep`) and ends; it
        is asked for again when they are in (`release_due`).

        Raises:
            RoundStateError: If the round is not closed.
            SplitSharesError: If dev and test leave too little for train.
            NothingToReleaseError: If it holds nothing.
            ReleaseIncompleteError: If the release would be less than it should be.
        """
        round_, task = await self._owned(round_id, actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        require_shares(dev=body.dev_share, test=body.test_share)
        await self._require_releasable(round_, task, body)
        order = ReleaseOrder(
            round_id=round_id,
            seed=body.seed,
            licence=body.licence,
            open_verdicts=body.open_verdicts,
            allow_incomplete=body.allow_incomplete,
            dev_share=body.dev_share,
            test_share=body.test_share,
            share_of_others=body.share_of_others,
            apart_from_earlier=body.apart_from_earlier,
        )
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, RELEASE_ROUND, order.payload(), created_by=actor.user_id
                )
                # An earlier order that waits would release what this one was to.
                await OrderRepository(session).take(round_id)
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def waiting(self, round_id: UUID, *, actor: Actor) -> ReleaseOrderRead | None:
        """Return the release of a round that waits for verdicts, if one does."""
        await self._owned(round_id, actor)
        async with self._db.read() as session:
            found = await OrderRepository(session).get(round_id)
            if found is None:
                return None
            return ReleaseOrderRead(
                round_id=round_id,
                seed=found.order.seed,
                licence=found.order.licence,
                allow_incomplete=found.order.allow_incomplete,
                open_verdicts=await ReleaseRepository(session).open_verdicts(round_id),
                created_at=found.created_at,
            )

    async def cancel(self, round_id: UUID, *, actor: Actor) -> None:
        """Release a round no more when its verdicts are in.

        Raises:
            ReleaseOrderNotFoundError: If no release of it waits.
        """
        await self._owned(round_id, actor)
        async with self._db.transaction() as session:
            if not await OrderRepository(session).take(round_id):
                raise ReleaseOrderNotFoundError

    async def reopen(self, round_id: UUID, body: RoundReopen, *, actor: Actor) -> RoundRead:
        """Collect again in a closed round; a release of it that waits is given up.

        A release that is being made either comes first, so that this is refused, or is cancelled.

        Raises:
            RoundStateError: If the round is not closed.
            RoundNotReopenedError: If old and new examples would not be of one kind.
            DynabenchError: As opening a draft.
        """
        async with self._db.transaction() as session:
            await self._rounds.reopen(session, round_id, body, actor=actor)
            await OrderRepository(session).take(round_id)
            # One that was asked for before would release what is collected from now on.
            for job in await self._queue.list_jobs(
                session,
                name=RELEASE_ROUND,
                states=[JobState.QUEUED, JobState.RUNNING],
                payload={"round_id": str(round_id)},
            ):
                await self._queue.cancel(session, job.id)
        return await self._rounds.read(round_id, actor=actor)

    async def require_author(self, order: ReleaseOrder, author_id: UUID | None) -> None:
        """Refuse to begin a release whose author owns the task no more.

        Raises:
            OrderLapsedError: If somebody asked for it who may not any more.
        """
        round_ = await self._rounds.get(order.round_id)
        await self._tasks.require_still(round_.task_id, author_id=author_id)

    async def keep(self, order: ReleaseOrder, *, created_by: UUID | None) -> bool:
        """Have a release wait for the round's verdicts; False if another came out meanwhile."""
        try:
            async with self._db.transaction() as session:
                await self._rounds.hold_unreleased(session, order.round_id)
                await OrderRepository(session).put(order, created_by=created_by)
        except RoundReleasedError:
            return False
        return True

    async def release_due(self) -> int:
        """Ask for the releases whose verdicts are all in; returns how many."""
        async with self._db.read() as session:
            if not await OrderRepository(session).is_any():
                return 0
        await self._folds.catch_up(at_once=True)
        async with self._db.transaction() as session:
            repository = OrderRepository(session)
            due = await repository.due()
            for one in due:
                await self._queue.enqueue(
                    session, RELEASE_ROUND, one.order.payload(), created_by=one.created_by
                )
                await repository.take(one.order.round_id)
        return len(due)

    async def _owned(self, round_id: UUID, actor: Actor) -> tuple[Round, Task]:
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return round_, task

    async def _require_releasable(self, round_: Round, task: Task, body: ReleaseRequest) -> None:
        if round_.status is not RoundStatus.CLOSED:
            raise RoundStateError(round_number=round_.number, status=round_.status, wanted="closed")
        await self._folds.catch_up(at_once=True)
        tallies = await self._reader.tallies(round_.id)
        if not any(tally.collected > tally.retracted + tally.flagged for tally in tallies.values()):
            raise NothingToReleaseError(reason=_NOTHING)
        is_small = sum(tally.collected for tally in tallies.values()) <= _LOOKED_AT_BEFORE
        if is_small and not body.allow_incomplete:
            plan = await self._plan(round_, task, body)
            # What waits may still turn out to be what is missing.
            will_settle = not plan.open_verdicts or body.open_verdicts is OpenVerdicts.SETTLE
            if plan.missing and will_settle:
                raise ReleaseIncompleteError(missing=[one.sentence for one in plan.missing])

    async def _plan(
        self,
        round_: Round,
        task: Task,
        wanted: ReleasePlanQuery | ReleaseRequest,
        *,
        blind: UUID | None = None,
    ) -> ReleasePlanRead:
        # A cursor of the server lives in a transaction, even where nothing is written.
        async with self._db.transaction() as session:
            repository = ReleaseRepository(session)
            gathered = await self._reader.gather(
                session, round_.id, config=task.config, progress=_tell_nobody, blind=blind
            )
            waiting = await repository.open_verdicts(round_.id, blind=blind)
            disputed = await repository.disputed(round_.id, blind=blind)
            earlier = NOTHING_EARLIER
            if wanted.apart_from_earlier:
                earlier = await repository.earlier(task.id)
        splitting = Splitting(
            seed=wanted.seed,
            people_are_known=round_.people_are_known,
            dev_share=wanted.dev_share,
            test_share=wanted.test_share,
            share_of_others=wanted.share_of_others,
            earlier=earlier,
        )
        plan = await asyncio.to_thread(_describe, round_, gathered, splitting)
        return plan.model_copy(update={"open_verdicts": waiting, "disputed": disputed})

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))


async def _tell_nobody(done: float, total: float, message: str) -> None:
    """Somebody waits for the answer; nobody follows how it comes about."""


def _describe(round_: Round, gathered: Gathered, splitting: Splitting) -> ReleasePlanRead:
    known = splitting.people_are_known
    plan = plan_release(gathered.candidates, splitting)
    counts = exclusions(gathered, plan)
    parts = split_up(gathered.candidates, plan)
    return ReleasePlanRead(
        round_id=round_.id,
        seed=splitting.seed,
        stored=gathered.stored,
        splits=[
            PlannedSplitRead.model_validate(
                {"split": split, **describe_part(parts[split], people_are_known=known)},
                extra="ignore",
            )
            for split in Split
        ],
        test_only_annotators=len(plan.test_only_annotators),
        open_verdicts=0,
        disputed=0,
        missing=[
            MissingRead(code=one.code, sentence=one.sentence)
            for one in what_is_missing(
                gathered.candidates, plan, least=least_of(splitting), people_are_known=known
            )
        ],
        notes=list(plan.notes),
        exclusions=[
            ExclusionRead(reason=reason, examples=count)
            for reason, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
            if count
        ],
    )
