"""Use cases of whoever watches a round: its numbers now, and as they change."""

import asyncio
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import orjson

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.streams import Snapshot, Source
from dynabench.loop.leaderboards.live.repository import LiveRepository
from dynabench.loop.leaderboards.live.rules import (
    backlog_by_day,
    budget_ends,
    fill_hours,
    human_gap,
    pace,
    running_curve,
    seconds_per_validated_fooling,
    settling_hours,
)
from dynabench.loop.leaderboards.live.schemas import (
    BacklogDay,
    BacklogRead,
    BudgetEndRead,
    CollectionRead,
    CurvePointRead,
    EffortRead,
    HourRead,
    LiveGapRead,
    PaceRead,
    RoundNumbersRead,
)
from dynabench.loop.leaderboards.live.values import Pace, RoundFacts
from dynabench.loop.rounds.rules import counted_arms, is_model_shown
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import ROUND_CHANNEL, Arm, Round, RoundStatus, ValidationMode
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.service import describe_rate
from dynabench.loop.validations.rates.values import RateWithInterval
from dynabench.science.statistics.rates import Rate
from dynabench.science.task_config.schema import TaskConfig

ROUND_EVENT = "round"
TASK_EVENT = "task"

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
# A round whose numbers take long to compute has them computed less often: by so many times
# as long as they took.
_RELIEF = 10
_MOST_KEPT = 1_000
_DIGITS = 32
_UNKNOWN = RateWithInterval(rate=Rate(0, 0), interval=None)


@dataclass(slots=True)
class _Kept:
    """A round's numbers as this process last computed them, for everybody who asks."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    snapshot: Snapshot | None = None
    read_at: float = float("-inf")
    next_at: float = float("-inf")


class LiveNumbers:
    """The numbers of rounds, computed once in this process however many watch.

    Args:
        db: The database.
        clock: The clock.
        tasks: Whose rounds they are.
        rounds: The rounds.
        folds: Brings the counts up to the rows.
        pause_seconds: A round's numbers are computed no more often than this.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        folds: FoldService,
        pause_seconds: float = 1.0,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._folds = folds
        self._pause = pause_seconds
        self._kept: dict[UUID, _Kept] = {}
        self._latest: dict[UUID, tuple[float, UUID | None]] = {}

    async def of_round(self, round_id: UUID, *, actor: Actor) -> Snapshot:
        """Return a round's numbers.

        Raises:
            RoundNotFoundError: If there is none that the actor may see.
        """
        await self._rounds.get_visible(round_id, actor)
        return await self._numbers(round_id, not_before=None)

    async def of_task(self, slug: str, *, actor: Actor) -> Snapshot:
        """Return the numbers of a task's latest round.

        Raises:
            TaskNotFoundError: If there is none that the actor may see.
        """
        task = await self._tasks.get_for(slug, actor)
        return await self._task_numbers(slug, await self._latest_of(task.id), not_before=None)

    def watching_round(self, round_id: UUID) -> Source:
        """Return what a stream of a round's numbers watches; it ends with the release."""

        async def subject() -> str:
            return str(round_id)

        async def read(not_before: float) -> Snapshot:
            return await self._numbers(round_id, not_before=not_before)

        async def require_visible(actor: Actor) -> None:
            await self._rounds.get_visible(round_id, actor)

        return Source(
            event=ROUND_EVENT,
            channel=ROUND_CHANNEL,
            subject=subject,
            read=read,
            require_visible=require_visible,
        )

    async def watching_task(self, slug: str, *, actor: Actor) -> Source:
        """Return what a stream of a task's latest round watches; it goes on with the next one.

        Raises:
            TaskNotFoundError: If there is none that the actor may see.
        """
        task = await self._tasks.get_for(slug, actor)

        async def subject() -> str:
            return str(await self._latest_of(task.id))

        async def read(not_before: float) -> Snapshot:
            return await self._task_numbers(
                slug, await self._latest_of(task.id), not_before=not_before
            )

        async def require_visible(actor: Actor) -> None:
            await self._tasks.get_for(slug, actor)

        return Source(
            event=TASK_EVENT,
            channel=ROUND_CHANNEL,
            subject=subject,
            read=read,
            require_visible=require_visible,
        )

    async def _latest_of(self, task_id: UUID) -> UUID | None:
        """Return a task's latest round as it was at most a moment ago."""
        known = self._latest.get(task_id)
        if known is not None and time.monotonic() < known[0]:
            return known[1]
        found = (await self._rounds.latest([task_id])).get(task_id)
        round_id = None if found is None else found.id
        if len(self._latest) >= _MOST_KEPT:
            self._latest.clear()
        self._latest[task_id] = (time.monotonic() + self._pause, round_id)
        return round_id

    async def _task_numbers(
        self, slug: str, round_id: UUID | None, *, not_before: float | None
    ) -> Snapshot:
        if round_id is None:
            body = orjson.dumps({"task_slug": slug, "round": None})
            return Snapshot(body=body, digest="none")
        found = await self._numbers(round_id, not_before=not_before)
        body = b'{"task_slug":%b,"round":%b}' % (orjson.dumps(slug), found.body)
        return Snapshot(body=body, digest=found.digest)

    async def _numbers(self, round_id: UUID, *, not_before: float | None) -> Snapshot:
        """Return a round's numbers, computed anew where they are too old.

        Args:
            round_id: The round.
            not_before: Whether numbers will do is decided by when they were read; None asks
                for the newest that may be computed at this moment.
        """
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        kept = self._kept.setdefault(round_id, _Kept())
        async with kept.turn:
            now = time.monotonic()
            oldest = kept.next_at if not_before is None else not_before
            is_good = now < oldest if not_before is None else kept.read_at >= oldest
            if kept.snapshot is not None and is_good:
                return kept.snapshot
            await asyncio.sleep(max(0.0, kept.next_at - now))
            started = time.monotonic()
            snapshot = await self._compute(round_id)
            took = time.monotonic() - started
            kept.snapshot, kept.read_at = snapshot, started
            kept.next_at = started + max(self._pause, _RELIEF * took) if self._pause else started
            return snapshot

    async def _compute(self, round_id: UUID) -> Snapshot:
        await self._folds.catch_up()
        round_ = await self._rounds.get(round_id)
        task = await self._tasks.get_by_id(round_.task_id)
        now = self._clock.now()
        facts = await self._facts(round_, now=now)
        read = await asyncio.to_thread(describe_numbers, round_, facts, task.config, now=now)
        told = read.model_dump_json(exclude={"as_of"})
        digest = hashlib.sha256(told.encode()).hexdigest()[:_DIGITS]
        return Snapshot(
            body=read.model_dump_json().encode(),
            digest=digest,
            is_last=round_.status is RoundStatus.RELEASED,
        )

    async def _facts(self, round_: Round, *, now: datetime) -> RoundFacts:
        rule = round_.validation
        # What is asked of validators is mostly what fooled, so the number of those would tell
        # the author of an attempt without a model.
        arms = [arm for arm in Arm if is_model_shown(arm, status=round_.status)]
        async with self._db.read() as session:
            repository = LiveRepository(session, counted=counted_arms(round_))
            return RoundFacts(
                days=await repository.days(round_.id),
                collected=await repository.collected(round_.id),
                recent=await repository.recent(round_.id, arms=arms, now=now),
                queue=await repository.queue(
                    round_.id, arms=arms, quorum=rule.quorum, maximum=rule.maximum, now=now
                ),
                writing=await repository.writing(round_.id),
                voting=await repository.voting(round_.id),
                voted=await repository.voted(round_.id)
                if rule.mode is ValidationMode.BLIND
                else [],
            )


def describe_numbers(
    round_: Round, facts: RoundFacts, config: TaskConfig, *, now: datetime
) -> RoundNumbersRead:
    """Return the wire shape of a round's numbers."""
    total = sum((row.tally for row in facts.days), start=Tally())
    is_unknown = total.undecided == total.collected
    curve = (
        [] if is_unknown else running_curve(facts.days, people_are_known=round_.people_are_known)
    )
    last = curve[-1] if curve else None
    return RoundNumbersRead(
        round_id=round_.id,
        task_slug=round_.task_slug,
        round_number=round_.number,
        status=round_.status,
        collection=_collection(round_, facts, now) if round_.status is RoundStatus.OPEN else None,
        model_error_rate=describe_rate(last.model_error_rate if last else _UNKNOWN),
        validated_model_error_rate=describe_rate(
            last.validated_model_error_rate if last else _UNKNOWN
        ),
        pending=total.pending,
        curve=[
            CurvePointRead(
                day=point.day,
                collected=point.collected,
                pending=point.pending,
                model_error_rate=describe_rate(point.model_error_rate),
                validated_model_error_rate=describe_rate(point.validated_model_error_rate),
            )
            for point in curve
        ],
        backlog=_backlog(round_, facts, now),
        effort=_effort(facts, total),
        human_gap=_gap(round_, facts, config),
        ends=[
            BudgetEndRead(
                kind=end.kind,
                limit=end.limit,
                used=end.used,
                expected_at=_minute(end.expected_at),
                earliest_at=_minute(end.earliest_at),
                latest_at=_minute(end.latest_at),
                reason=end.reason,
            )
            for end in budget_ends(round_, facts, now=now)
        ],
        as_of=now,
    )


def _collection(round_: Round, facts: RoundFacts, now: datetime) -> CollectionRead:
    recent, opened_at = facts.recent, round_.opened_at
    since = now - _DAY if opened_at is None else max(now - _DAY, opened_at)
    return CollectionRead(
        last_hour=_pace(pace(recent.attempts_hour, window=_HOUR, opened_at=opened_at, now=now)),
        last_day=_pace(pace(recent.attempts_day, window=_DAY, opened_at=opened_at, now=now)),
        hours=[
            HourRead(starts_at=hour, attempts=attempts)
            for hour, attempts in fill_hours(recent.hours, since=since, now=now)
        ],
        annotators=recent.annotators,
    )


def _backlog(round_: Round, facts: RoundFacts, now: datetime) -> BacklogRead:
    queue, recent, opened_at = facts.queue, facts.recent, round_.opened_at
    day = pace(recent.votes_day, window=_DAY, opened_at=opened_at, now=now)
    hours_left = settling_hours(queue.votes_wanted, day)
    return BacklogRead(
        waiting=queue.waiting,
        votes_wanted=queue.votes_wanted,
        lent=queue.lent,
        disputed=queue.disputed,
        last_hour=_pace(pace(recent.votes_hour, window=_HOUR, opened_at=opened_at, now=now)),
        last_day=_pace(day),
        hours_left=None if hours_left is None else round(hours_left, 1),
        validators=recent.validators,
        days=[BacklogDay(day=one, waiting=count) for one, count in backlog_by_day(queue.days)],
    )


def _effort(facts: RoundFacts, total: Tally) -> EffortRead:
    seconds = seconds_per_validated_fooling(facts)
    return EffortRead(
        seconds_per_validated_fooling=None if seconds is None else round(seconds, 1),
        validated_fooling=total.verified_fooled,
        attempts=facts.writing.whole,
        timed_attempts=facts.writing.timed,
        votes=facts.voting.whole,
        timed_votes=facts.voting.timed,
    )


def _gap(round_: Round, facts: RoundFacts, config: TaskConfig) -> LiveGapRead:
    def is_same(one: object, other: object) -> bool:
        assert isinstance(one, Mapping)
        assert isinstance(other, Mapping)
        return config.answers_match(one, other)

    found = human_gap(facts.voted, round_, is_same)
    return LiveGapRead(
        people=describe_rate(found.people),
        targets=describe_rate(found.targets),
        gap=found.gap,
        low=found.low,
        high=found.high,
        reason=found.reason,
    )


def _pace(found: Pace) -> PaceRead:
    per_hour = found.per_hour
    return PaceRead(
        count=found.count,
        hours=round(found.hours, 1),
        per_hour=None if per_hour is None else round(per_hour, 2),
    )


def _minute(moment: datetime | None) -> datetime | None:
    """Return a projected moment without the seconds, which nobody can know."""
    return None if moment is None else moment.replace(second=0, microsecond=0)
