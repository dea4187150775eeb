"""SQL of a round's live numbers: reads over examples, votes, outcomes and leases."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, DateTime, Row, Text, Uuid, bindparam, func, select, text

from dynabench.kit.db.database import Session
from dynabench.loop.leaderboards.humans.values import VotedItem
from dynabench.loop.leaderboards.live.values import (
    ACTIVE_FOR,
    PACE_WINDOW,
    Effort,
    Queue,
    Recent,
    VotedExample,
)
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.folds.tables import annotator_days
from dynabench.loop.validations.folds.values import AnnotatorDay, Tally
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Verdict

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)

_ROUND = bindparam("round_id", type_=Uuid)
_ARMS = bindparam("arms", type_=ARRAY(Text))
_COUNTED = bindparam("counted", type_=ARRAY(Text))
_TIMES = tuple(
    bindparam(name, type_=DateTime(timezone=True)) for name in ("hour", "day", "week", "active")
)
_ATTEMPTS = text(
    """
    SELECT count(*) FILTER (WHERE created_at > :hour) AS attempts_hour,
           count(*) FILTER (WHERE created_at > :day) AS attempts_day,
           count(*) AS attempts_week,
           count(DISTINCT annotator_id) FILTER (WHERE created_at > :active) AS annotators
      FROM examples WHERE round_id = :round_id AND created_at > :week
    """
).bindparams(_ROUND, *_TIMES)
_HOURS = text(
    """
    SELECT date_trunc('hour', created_at) AS hour, count(*) AS attempts
      FROM examples WHERE round_id = :round_id AND created_at > :day
     GROUP BY 1 ORDER BY 1
    """
).bindparams(_ROUND, _TIMES[1])
_VOTES = text(
    """
    SELECT count(*) FILTER (WHERE v.created_at > :hour) AS votes_hour,
           count(*) AS votes_day,
           count(DISTINCT v.validator_id) FILTER (WHERE v.created_at > :active) AS validators
      FROM validations v JOIN outcomes o ON o.example_id = v.example_id
     WHERE v.round_id = :round_id AND v.created_at > :day AND v.withdrawn_at IS NULL
       AND o.arm = ANY(:arms)
    """
).bindparams(_ROUND, _ARMS, _TIMES[0], _TIMES[1], _TIMES[3])
_FOOLING = text(
    """
    SELECT count(*) FROM outcomes
     WHERE round_id = :round_id AND verdict = 'correct' AND fooled AND NOT is_retracted
       AND voided_at IS NULL AND arm = ANY(:counted) AND decided_at > :week
    """
).bindparams(_ROUND, _COUNTED, _TIMES[2])
# The condition of the queue's partial index, so that counting what waits reads little else.
_WAITING = text(
    """
    SELECT count(*) AS waiting,
           COALESCE(sum(GREATEST(LEAST(:quorum - o."leading", :maximum - o.votes), 0)), 0)
             AS wanted,
           count(*) FILTER (WHERE EXISTS (
             SELECT FROM validation_leases l
              WHERE l.example_id = o.example_id AND l.expires_at > :now AND NOT l.is_skipped
           )) AS lent
      FROM outcomes o WHERE round_id = :round_id AND verdict = 'pending' AND is_wanted
       AND arm = ANY(:arms)
    """
).bindparams(_ROUND, _ARMS, bindparam("now", type_=DateTime(timezone=True)))
_DISPUTED = text(
    """
    SELECT count(*) FROM outcomes
     WHERE round_id = :round_id AND verdict = 'disputed' AND voided_at IS NULL
       AND arm = ANY(:arms)
    """
).bindparams(_ROUND, _ARMS)
_BACKLOG = text(
    """
    SELECT day, sum(came) AS came, sum(settled) AS settled
      FROM (SELECT example_created_at::date AS day, count(*) AS came, 0 AS settled
              FROM outcomes
             WHERE round_id = :round_id AND is_wanted AND arm = ANY(:arms)
             GROUP BY 1
            UNION ALL
            SELECT decided_at::date, 0, count(*)
              FROM outcomes
             WHERE round_id = :round_id AND is_wanted AND verdict <> 'pending'
               AND decided_at IS NOT NULL AND arm = ANY(:arms)
             GROUP BY 1) moves
     GROUP BY day ORDER BY day
    """
).bindparams(_ROUND, _ARMS)
_WRITING = text(
    """
    SELECT count(*) AS whole, count(e.time_spent_seconds) AS timed,
           COALESCE(sum(e.time_spent_seconds), 0) AS seconds
      FROM outcomes o JOIN examples e ON e.id = o.example_id
     WHERE o.round_id = :round_id AND o.arm = ANY(:counted)
       AND o.voided_at IS NULL
    """
).bindparams(_ROUND, _COUNTED)
_VOTING = text(
    """
    SELECT count(*) AS whole, count(v.time_spent_seconds) AS timed,
           COALESCE(sum(v.time_spent_seconds), 0) AS seconds
      FROM validations v JOIN outcomes o ON o.example_id = v.example_id
     WHERE v.round_id = :round_id AND NOT v.is_expert AND v.withdrawn_at IS NULL
       AND o.arm = ANY(:counted) AND o.voided_at IS NULL
    """
).bindparams(_ROUND, _COUNTED)
_COUNTS = (
    "collected",
    "fooled",
    "verified_fooled",
    "undecided",
    "pending",
    "disputed",
    "retracted",
    "flagged",
)


class LiveRepository:
    """Reads what the numbers of a round are computed from.

    Args:
        session: The transaction.
        counted: The arms that rates, effort and gap count.
    """

    def __init__(self, session: Session, *, counted: Collection[Arm]) -> None:
        self._session = session
        self._counted = list(counted)

    async def days(self, round_id: UUID) -> list[AnnotatorDay]:
        """Return the counts of a round's counted arms by annotator and day."""
        statement = select(annotator_days).where(
            annotator_days.c.round_id == round_id, annotator_days.c.arm.in_(self._counted)
        )
        return [
            AnnotatorDay(
                annotator_id=row.annotator_id,
                day=row.day,
                arm=row.arm,
                tally=Tally(*(getattr(row, name) for name in _COUNTS)),
            )
            for row in await self._session.execute(statement)
        ]

    async def collected(self, round_id: UUID) -> int:
        """Return how many attempts a round has collected in all its arms."""
        statement = select(func.coalesce(func.sum(annotator_days.c.collected), 0)).where(
            annotator_days.c.round_id == round_id
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def recent(self, round_id: UUID, *, arms: Collection[Arm], now: datetime) -> Recent:
        """Return what happened in a round lately; of votes, those on some arms."""
        hour, day, week = now - _HOUR, now - _DAY, now - PACE_WINDOW
        active = now - ACTIVE_FOR
        times = {"hour": hour, "day": day, "week": week, "active": active}
        wrote = (await self._session.execute(_ATTEMPTS, {"round_id": round_id, **times})).one()
        hours = await self._session.execute(_HOURS, {"round_id": round_id, "day": day})
        voted = (
            await self._session.execute(
                _VOTES,
                {
                    "round_id": round_id,
                    "arms": list(arms),
                    "hour": hour,
                    "day": day,
                    "active": active,
                },
            )
        ).one()
        fooling = await self._session.execute(
            _FOOLING, {"round_id": round_id, "counted": self._counted, "week": week}
        )
        return Recent(
            attempts_hour=wrote.attempts_hour,
            attempts_day=wrote.attempts_day,
            attempts_week=wrote.attempts_week,
            hours=[(row.hour, row.attempts) for row in hours],
            fooling_week=int(fooling.scalar_one()),
            votes_hour=voted.votes_hour,
            votes_day=voted.votes_day,
            annotators=wrote.annotators,
            validators=voted.validators,
        )

    async def queue(
        self, round_id: UUID, *, arms: Collection[Arm], quorum: int, maximum: int, now: datetime
    ) -> Queue:
        """Return what of some arms waits for validators, and how that came about."""
        which = {"round_id": round_id, "arms": list(arms)}
        waiting = (
            await self._session.execute(
                _WAITING, {**which, "quorum": quorum, "maximum": maximum, "now": now}
            )
        ).one()
        disputed = await self._session.execute(_DISPUTED, which)
        days = await self._session.execute(_BACKLOG, which)
        return Queue(
            waiting=waiting.waiting,
            votes_wanted=int(waiting.wanted),
            lent=waiting.lent,
            disputed=int(disputed.scalar_one()),
            days=[(row.day, int(row.came), int(row.settled)) for row in days],
        )

    async def writing(self, round_id: UUID) -> Effort:
        """Return how long the attempts of the counted arms took."""
        which = {"round_id": round_id, "counted": self._counted}
        row = (await self._session.execute(_WRITING, which)).one()
        return Effort(whole=row.whole, timed=row.timed, seconds=row.seconds)

    async def voting(self, round_id: UUID) -> Effort:
        """Return how long the votes on them took."""
        which = {"round_id": round_id, "counted": self._counted}
        row = (await self._session.execute(_VOTING, which)).one()
        return Effort(whole=row.whole, timed=row.timed, seconds=row.seconds)

    async def voted(self, round_id: UUID) -> list[VotedExample]:
        """Return the verified examples with what blind validators answered to them."""
        statement = (
            select(
                validations.c.example_id,
                validations.c.answer,
                validations.c.validator_id,
                outcomes.c.annotator_id,
                outcomes.c.gold,
                outcomes.c.fooled,
            )
            .join(outcomes, outcomes.c.example_id == validations.c.example_id)
            .where(
                validations.c.round_id == round_id,
                validations.c.is_expert.is_(False),
                validations.c.withdrawn_at.is_(None),
                validations.c.answer.is_not(None),
                outcomes.c.verdict == Verdict.CORRECT,
                outcomes.c.arm.in_(self._counted),
                outcomes.c.voided_at.is_(None),
                outcomes.c.gold.is_not(None),
            )
            .order_by(validations.c.created_at, validations.c.id)
        )
        # SQLAlchemy types each column of a row as Any.
        votes: dict[UUID, list[Row[Any, Any, Any, Any, Any, Any]]] = {}
        for row in await self._session.execute(statement):
            votes.setdefault(row.example_id, []).append(row)
        return [
            VotedExample(
                item=VotedItem(
                    str(key),
                    rows[0].gold,
                    b"",
                    [row.answer for row in rows],
                    [row.validator_id for row in rows],
                ),
                author=rows[0].annotator_id,
                fooled=rows[0].fooled,
            )
            for key, rows in votes.items()
        ]
