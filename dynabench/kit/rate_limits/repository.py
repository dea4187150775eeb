"""SQL of rates."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Double, bindparam, delete, func, update
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import PlainRow, Prepared, ask
from dynabench.kit.rate_limits.tables import rate_limits
from dynabench.kit.rate_limits.values import RateLimit, RateName


@dataclass(frozen=True, slots=True)
class Granted:
    """What came of asking for some.

    Attributes:
        count: How many may be done now.
        free_at: From when on nothing will have been taken, in seconds since 1970.
    """

    count: int
    free_at: float


def _prepared() -> Prepared:
    """Return the one statement that counts: the generic cell rate algorithm.

    What was taken lies ahead of now as time. A row is locked while it is changed, so that
    many at the same time get no more than many in a row.
    """
    now, interval, window, wanted = (
        bindparam(name, type_=Double) for name in ("now", "interval", "window", "wanted")
    )
    first = insert(rate_limits).values(
        name=bindparam("name"),
        subject=bindparam("subject"),
        free_at=bindparam("first_free_at"),
        granted=wanted,
    )
    begins = func.greatest(rate_limits.c.free_at, now)
    fitting = func.floor((now + window - begins) / interval + 1e-6)
    granted = func.greatest(0, func.least(wanted, fitting))
    statement = first.on_conflict_do_update(
        index_elements=["name", "subject"],
        set_={"granted": granted, "free_at": begins + granted * interval},
    )
    return Prepared(statement.returning(rate_limits.c.granted, rate_limits.c.free_at))


_TAKE = _prepared()


def _granted(rows: Sequence[PlainRow]) -> Granted:
    (row,) = rows
    return Granted(row["granted"], row["free_at"])


class RateRepository:
    """Reads and writes rates."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take(self, limit: RateLimit, subject: str, *, wanted: int, now: float) -> Granted:
        """Take some of a rate, or as many as there are."""
        query = _TAKE.with_values(
            _granted,
            name=limit.name.value,
            subject=subject,
            wanted=wanted,
            now=now,
            interval=limit.interval,
            window=limit.seconds,
            first_free_at=now + wanted * limit.interval,
        )
        return await ask(self._session, query)

    async def give_back(self, limit: RateLimit, subject: str) -> None:
        """Give one back."""
        await self._session.execute(
            update(rate_limits)
            .where(rate_limits.c.name == limit.name.value, rate_limits.c.subject == subject)
            .values(free_at=rate_limits.c.free_at - limit.interval)
        )

    async def forget(self, name: RateName, subject: str) -> None:
        """Give back everything of a subject."""
        await self._session.execute(
            delete(rate_limits).where(
                rate_limits.c.name == name.value, rate_limits.c.subject == subject
            )
        )

    async def forget_all(self, name: RateName, *, beginning: str) -> None:
        """Give back everything of the subjects that begin with a text."""
        await self._session.execute(
            delete(rate_limits).where(
                rate_limits.c.name == name.value,
                rate_limits.c.subject.startswith(beginning, autoescape=True),
            )
        )

    async def remove_before(self, time: float) -> int:
        """Delete what says nothing any more; returns how much."""
        done = await self._session.execute(delete(rate_limits).where(rate_limits.c.free_at < time))
        return done.rowcount
