"""Folds announced changes into outcomes and counts: by whoever reads next, and in background."""

import asyncio
import time
from collections.abc import Collection, Sequence
from datetime import date, datetime
from uuid import UUID

from dynabench.engines.jobs.outbox import drain
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.loop.examples.values import EXAMPLE_CHANGED
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, Round, RoundStatus
from dynabench.loop.validations.folds.repository import FoldRepository
from dynabench.loop.validations.folds.rules import Recount, spent
from dynabench.loop.validations.folds.values import ContextTally, StaleKey, Tally
from dynabench.loop.validations.outcomes.service import OutcomeService

_BATCH = 500


def _key_of(payload: dict[str, object]) -> tuple[UUID, StaleKey]:
    return UUID(str(payload["example_id"])), StaleKey(
        round_id=UUID(str(payload["round_id"])),
        annotator_id=UUID(str(payload["annotator_id"])),
        context_id=UUID(str(payload["context_id"])),
        day=date.fromisoformat(str(payload["day"])),
    )


class FoldService:
    """Brings outcomes and counts up to the rows they are derived from."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        rounds: RoundService,
        outcomes: OutcomeService,
        patience_seconds: float = 0.0,
    ) -> None:
        """Make a fold.

        Args:
            db: The database.
            clock: The clock of the `as_of` that is shown beside counts.
            rounds: Closes rounds whose budget is reached.
            outcomes: Derives the outcomes of changed examples.
            patience_seconds: How old a fold of this process may be for a reader to do
                without a new one.
        """
        self._db = db
        self._clock = clock
        self._rounds = rounds
        self._outcomes = outcomes
        self._patience = patience_seconds
        self._folded_at = float("-inf")
        self._turn = asyncio.Lock()

    async def catch_up(self, *, at_once: bool = False) -> None:
        """Fold everything announced so far, unless this was done a moment ago.

        Args:
            at_once: Fold however short that moment is: something will be decided by it.
        """
        was_just_done = time.monotonic() - self._folded_at < self._patience
        is_being_done = bool(self._patience) and self._turn.locked()
        if not at_once and (was_just_done or is_being_done):
            return
        async with self._turn:
            while await self._fold_batch() == _BATCH:
                pass
            self._folded_at = time.monotonic()

    async def _fold_batch(self) -> int:
        touched: set[UUID] = set()
        async with self._db.transaction() as session:
            repository = FoldRepository(session)
            if not await repository.take_turn():
                return 0
            payloads = await drain(session, EXAMPLE_CHANGED, limit=_BATCH)
            if payloads:
                changes = dict(_key_of(dict(payload)) for payload in payloads)
                await self._fold(session, changes)
                touched = {key.round_id for key in changes.values()}
                # Told here and not with each attempt: those who wait for their answer do not
                # queue for the one lock under which PostgreSQL commits what tells others.
                await repository.tell(touched)
        for round_id in touched:
            await self._close_if_spent(round_id)
        return len(payloads)

    async def _fold(self, session: Session, changes: dict[UUID, StaleKey]) -> None:
        now: datetime = self._clock.now()
        repository = FoldRepository(session)
        await self._outcomes.refresh(session, sorted(changes))
        keys = list(changes.values())
        await repository.fold_days(keys, now=now)
        await repository.fold_contexts(keys, now=now)

    async def _close_if_spent(self, round_id: UUID) -> None:
        """Close an open round that has collected what it was meant to."""
        round_ = await self._rounds.get(round_id)
        reason = await self.spent_budget(round_)
        if round_.status is RoundStatus.OPEN and reason is not None:
            await self._rounds.close_for_budget(round_id, reason=reason)

    async def spent_budget(self, round_: Round) -> str | None:
        """Return which part of its budget a round has spent, by its counts, as a sentence."""
        budget = round_.budget
        if budget.examples is None and budget.validated_fooling is None:
            return None
        async with self._db.read() as session:
            per_arm = await FoldRepository(session).per_arm(round_.id)
        return spent(budget, per_arm)

    async def per_annotator(
        self, round_ids: Sequence[UUID], *, arms: Collection[Arm] = (Arm.TARGET,)
    ) -> dict[UUID, dict[UUID, Tally]]:
        """Return each annotator's tally over some arms, by round and annotator."""
        async with self._db.read() as session:
            rows = await FoldRepository(session).per_annotator(round_ids, arms=arms)
        found: dict[UUID, dict[UUID, Tally]] = {}
        for round_id, annotator_id, tally in rows:
            found.setdefault(round_id, {})[annotator_id] = tally
        return found

    async def recounted(self, session: Session, round_id: UUID) -> dict[UUID, Tally]:
        """Return each annotator's tally at a round's targets, from the outcomes themselves.

        For whoever freezes what it says: a fold may be under way in another process, and what
        it has in hand is in no count yet.
        """
        return await FoldRepository(session).recounted(round_id)

    async def per_day(self, round_id: UUID, *, arms: Collection[Arm]) -> list[tuple[date, Tally]]:
        """Return the tally of some of a round's arms per day, oldest first."""
        async with self._db.read() as session:
            return await FoldRepository(session).per_day(round_id, arms=arms)

    async def of_person(self, annotator_id: UUID) -> dict[UUID, dict[Arm, Tally]]:
        """Return a person's tallies by round and arm."""
        async with self._db.read() as session:
            rows = await FoldRepository(session).of_person(annotator_id)
        found: dict[UUID, dict[Arm, Tally]] = {}
        for round_id, arm, tally in rows:
            found.setdefault(round_id, {})[arm] = tally
        return found

    async def mismatches(self, round_id: UUID, recount: Recount) -> list[str]:
        """Return a sentence for each stored count of a round that its outcomes contradict.

        Args:
            round_id: The round.
            recount: All of the round's outcomes, counted by the rules.
        """
        async with self._db.read() as session:
            repository = FoldRepository(session)
            stored_days = {
                (row.annotator_id, row.day, row.arm): row.tally
                for row in await repository.all_days(round_id)
            }
            stored_contexts = await repository.all_contexts(round_id)
        days, contexts = recount.days(), recount.contexts()
        return [
            f"Annotator {key[0]} on {key[1]}, arm {key[2]}: stored are "
            f"{stored_days.get(key, Tally())}, "
            f"the outcomes add up to {days.get(key, Tally())}."
            for key in sorted(stored_days.keys() | days.keys())
            if stored_days.get(key, Tally()) != days.get(key, Tally())
        ] + [
            f"Context {key}: stored are {stored_contexts.get(key, ContextTally())}, "
            f"the outcomes add up to {contexts.get(key, ContextTally())}."
            for key in sorted(stored_contexts.keys() | contexts.keys())
            if stored_contexts.get(key, ContextTally()) != contexts.get(key, ContextTally())
        ]
