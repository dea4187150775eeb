"""All SQL of the folded counts."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    Date,
    DateTime,
    Row,
    Uuid,
    any_,
    bindparam,
    func,
    literal,
    select,
    text,
)
from sqlalchemy.sql.elements import Label

from dynabench.kit.db.database import Session
from dynabench.loop.rounds.values import ROUND_CHANNEL, Arm
from dynabench.loop.validations.folds.tables import annotator_days, context_counts
from dynabench.loop.validations.folds.values import AnnotatorDay, ContextTally, StaleKey, Tally

_FOLD_LOCK = 0x64796E61666F6C64  # "dynafold": one fold at a time in the whole installation.

_STANDS = "o.voided_at IS NULL"
_FOOLS = f"{_STANDS} AND NOT o.is_retracted AND o.fooled"
# Whatever its verdict: of a context all fooling examples may have failed validation.
_HAS_FOOLED = "o.arm = 'target' AND o.voided_at IS NULL AND NOT o.is_retracted AND o.fooled"
# In the order of `Tally`.
_COUNTED = f"""
           count(o.example_id) FILTER (WHERE {_STANDS}),
           count(o.example_id) FILTER (WHERE {_FOOLS}),
           count(o.example_id) FILTER (WHERE {_FOOLS} AND o.verdict = 'correct'),
           count(o.example_id) FILTER (WHERE {_STANDS} AND NOT o.is_retracted
                                         AND o.fooled IS NULL),
           count(o.example_id) FILTER (WHERE {_STANDS} AND o.is_wanted
                                         AND o.verdict = 'pending'),
           count(o.example_id) FILTER (WHERE {_STANDS} AND o.verdict = 'disputed'),
           count(o.example_id) FILTER (WHERE {_STANDS} AND o.is_retracted
                                         AND o.verdict <> 'flagged'),
           count(o.example_id) FILTER (WHERE {_STANDS} AND o.verdict = 'flagged')
"""

_DAYS_TYPES = (
    bindparam("rounds", type_=ARRAY(Uuid)),
    bindparam("annotators", type_=ARRAY(Uuid)),
    bindparam("days", type_=ARRAY(Date)),
    bindparam("as_of", type_=DateTime(timezone=True)),
)
_CONTEXTS_TYPES = (
    bindparam("rounds", type_=ARRAY(Uuid)),
    bindparam("contexts", type_=ARRAY(Uuid)),
    bindparam("as_of", type_=DateTime(timezone=True)),
)

# Only the constants above are put into the text.
_FOLD_DAYS = text(
    f"""
    INSERT INTO annotator_days (round_id, annotator_id, day, arm, collected, fooled,
                                verified_fooled, undecided, pending, disputed, retracted, flagged,
                                as_of)
    SELECT k.round_id, k.annotator_id, k.day, coalesce(o.arm, 'target'),
           {_COUNTED},
           :as_of
      FROM unnest(:rounds, :annotators, :days) AS k (round_id, annotator_id, day)
      LEFT JOIN outcomes o
        ON o.round_id = k.round_id AND o.annotator_id = k.annotator_id
       AND o.example_created_at >= k.day::timestamp AT TIME ZONE 'UTC'
       AND o.example_created_at < (k.day + 1)::timestamp AT TIME ZONE 'UTC'
     GROUP BY k.round_id, k.annotator_id, k.day, coalesce(o.arm, 'target')
    ON CONFLICT (round_id, annotator_id, day, arm) DO UPDATE SET
           collected = excluded.collected, fooled = excluded.fooled,
           verified_fooled = excluded.verified_fooled, undecided = excluded.undecided,
           pending = excluded.pending, disputed = excluded.disputed,
           retracted = excluded.retracted, flagged = excluded.flagged, as_of = excluded.as_of
    """  # noqa: S608
).bindparams(*_DAYS_TYPES)

# Only the constants above are put into the text.
_FOLD_CONTEXTS = text(
    f"""
    INSERT INTO context_counts (round_id, context_id, annotators, attempts, fooled,
                                failed_validation, as_of)
    SELECT k.round_id, k.context_id,
           count(DISTINCT o.annotator_id),
           count(o.context_id),
           count(o.context_id) FILTER (WHERE {_HAS_FOOLED}),
           count(o.context_id) FILTER (WHERE {_HAS_FOOLED}
                                         AND o.verdict IN ('incorrect', 'flagged')),
           :as_of
      FROM unnest(:rounds, :contexts) AS k (round_id, context_id)
      LEFT JOIN outcomes o ON o.round_id = k.round_id AND o.context_id = k.context_id
     GROUP BY k.round_id, k.context_id
    ON CONFLICT (round_id, context_id) DO UPDATE SET
           annotators = excluded.annotators, attempts = excluded.attempts,
           fooled = excluded.fooled, failed_validation = excluded.failed_validation,
           as_of = excluded.as_of
    """  # noqa: S608
).bindparams(*_CONTEXTS_TYPES)

# Only the constants above are put into the text.
_RECOUNT = text(
    f"""
    SELECT o.annotator_id, {_COUNTED}
      FROM outcomes o
     WHERE o.round_id = :round_id AND o.arm = 'target'
     GROUP BY o.annotator_id
    """  # noqa: S608
)


class FoldRepository:
    """Recomputes and reads counts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take_turn(self) -> bool:
        """Take the right to fold until the transaction ends; False if somebody else has it."""
        statement = select(func.pg_try_advisory_xact_lock(_FOLD_LOCK))
        return bool((await self._session.execute(statement)).scalar_one())

    async def fold_days(self, keys: Sequence[StaleKey], *, now: datetime) -> None:
        """Compute the counts of annotators' days again, from their outcomes."""
        wanted = sorted({(key.round_id, key.annotator_id, key.day) for key in keys})
        rounds, annotators, days = zip(*wanted, strict=True)
        await self._session.execute(
            _FOLD_DAYS,
            {
                "rounds": list(rounds),
                "annotators": list(annotators),
                "days": list(days),
                "as_of": now,
            },
        )

    async def fold_contexts(self, keys: Sequence[StaleKey], *, now: datetime) -> None:
        """Compute the counts of contexts again, from their outcomes."""
        wanted = sorted({(key.round_id, key.context_id) for key in keys})
        rounds, contexts = zip(*wanted, strict=True)
        await self._session.execute(
            _FOLD_CONTEXTS,
            {"rounds": list(rounds), "contexts": list(contexts), "as_of": now},
        )

    async def tell(self, round_ids: Collection[UUID]) -> None:
        """Tell listeners, once this is committed, that the counts of rounds have changed."""
        for round_id in round_ids:
            await self._session.execute(select(func.pg_notify(ROUND_CHANNEL, str(round_id))))

    async def per_annotator(
        self, round_ids: Sequence[UUID], *, arms: Collection[Arm]
    ) -> list[tuple[UUID, UUID, Tally]]:
        """Return (round, annotator, tally) over all days of some rounds, of some arms."""
        statement = (
            select(annotator_days.c.round_id, annotator_days.c.annotator_id, *_sums())
            .where(
                annotator_days.c.round_id == any_(literal(list(round_ids), type_=ARRAY(Uuid))),
                annotator_days.c.arm.in_(arms),
            )
            .group_by(annotator_days.c.round_id, annotator_days.c.annotator_id)
            .order_by(annotator_days.c.round_id, annotator_days.c.annotator_id)
        )
        return [
            (row.round_id, row.annotator_id, _tally(row))
            for row in await self._session.execute(statement)
        ]

    async def recounted(self, round_id: UUID) -> dict[UUID, Tally]:
        """Return each annotator's tally at a round's targets, from the outcomes themselves."""
        found = await self._session.execute(_RECOUNT, {"round_id": round_id})
        return {row[0]: Tally(*row[1:]) for row in found}

    async def per_day(self, round_id: UUID, *, arms: Collection[Arm]) -> list[tuple[date, Tally]]:
        """Return (day, tally) over all annotators of some of a round's arms, oldest first."""
        statement = (
            select(annotator_days.c.day, *_sums())
            .where(annotator_days.c.round_id == round_id, annotator_days.c.arm.in_(arms))
            .group_by(annotator_days.c.day)
            .order_by(annotator_days.c.day)
        )
        return [(row.day, _tally(row)) for row in await self._session.execute(statement)]

    async def of_person(self, annotator_id: UUID) -> list[tuple[UUID, Arm, Tally]]:
        """Return (round, arm, tally) of everything a person wrote."""
        statement = (
            select(annotator_days.c.round_id, annotator_days.c.arm, *_sums())
            .where(annotator_days.c.annotator_id == annotator_id)
            .group_by(annotator_days.c.round_id, annotator_days.c.arm)
        )
        return [
            (row.round_id, row.arm, _tally(row)) for row in await self._session.execute(statement)
        ]

    async def per_arm(self, round_id: UUID) -> dict[Arm, Tally]:
        """Return the tallies of a whole round by arm; an arm without an attempt is left out."""
        statement = (
            select(annotator_days.c.arm, *_sums())
            .where(annotator_days.c.round_id == round_id)
            .group_by(annotator_days.c.arm)
        )
        return {row.arm: _tally(row) for row in await self._session.execute(statement)}

    async def all_days(self, round_id: UUID) -> list[AnnotatorDay]:
        """Return every stored row of a round, for `dynabench db verify`."""
        statement = select(annotator_days).where(annotator_days.c.round_id == round_id)
        return [
            AnnotatorDay(annotator_id=row.annotator_id, day=row.day, arm=row.arm, tally=_tally(row))
            for row in await self._session.execute(statement)
        ]

    async def all_contexts(self, round_id: UUID) -> dict[UUID, ContextTally]:
        """Return every context's stored counts of a round, for `dynabench db verify`."""
        statement = select(context_counts).where(context_counts.c.round_id == round_id)
        return {
            row.context_id: ContextTally(
                annotators=row.annotators,
                attempts=row.attempts,
                fooled=row.fooled,
                failed_validation=row.failed_validation,
            )
            for row in await self._session.execute(statement)
        }


# The columns that are counts, in the order of the dataclass.
_COUNTS = tuple(field.name for field in fields(Tally))


def _sums() -> list[Label[int]]:
    return [func.coalesce(func.sum(annotator_days.c[name]), 0).label(name) for name in _COUNTS]


# SQLAlchemy types a row of chosen columns as Row[Any].
def _tally(row: Row[*tuple[Any, ...]]) -> Tally:
    return Tally(*(int(getattr(row, name)) for name in _COUNTS))
