"""Counts how often something is done, and refuses what comes too often."""

import asyncio
import math
from collections import OrderedDict
from dataclasses import dataclass

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.rate_limits.errors import TooOftenError
from dynabench.kit.rate_limits.repository import RateRepository
from dynabench.kit.rate_limits.values import RateLimit, RateLimits, RateName

_LONGEST_SUBJECT = 200
# A share that was taken and not used is forgotten: nobody saves them up in many processes.
_SHARE_LASTS_SECONDS = 60.0


@dataclass(slots=True)
class _Share:
    """What this process may let through of one rate, or until when nothing.

    Attributes:
        left: How many may still be done.
        until: When the share is forgotten.
        refused_until: When one more fits; 0 where that is now.
    """

    left: int
    until: float
    refused_until: float = 0.0


class RateLimiter:
    """Lets things be done as often as the rates of this installation say.

    A process takes a share of a rate from the database, some twentieth, and counts that down
    by itself. So most of what is allowed costs no statement, nothing that is refused does, and
    however many processes there are, no more is let through than the rate says.

    Args:
        db: Where all processes count.
        clock: Tells the time; machines' clocks may differ by seconds.
        limits: The rates; what has none is not counted.
        remembers: How many shares are kept at most.
    """

    def __init__(
        self, db: Database, clock: Clock, *, limits: RateLimits, remembers: int = 20_000
    ) -> None:
        self._db = db
        self._clock = clock
        self._limits = limits
        self._remembers = remembers
        self._shares: OrderedDict[tuple[RateName, str], _Share] = OrderedDict()
        self._asking: dict[tuple[RateName, str], asyncio.Future[None]] = {}

    async def take(self, name: RateName, subject: str) -> None:
        """Count something that is about to be done.

        Raises:
            TooOftenError: If it comes too often.
        """
        seconds = await self.wait_for(name, subject)
        if seconds is not None:
            raise TooOftenError(limit=name, seconds=seconds)

    async def wait_for(self, name: RateName, subject: str) -> int | None:
        """Count something and return None, or return after how many seconds it may be done."""
        limit = self._limits.get(name)
        if limit is None:
            return None
        key = (name, subject[:_LONGEST_SUBJECT])
        while True:
            now = self._now()
            share = self._shares.get(key)
            if share is not None and now < share.refused_until:
                return max(1, math.ceil(share.refused_until - now))
            if share is not None and share.left and now < share.until:
                share.left -= 1
                return None
            asking = self._asking.get(key)
            if asking is None:
                await self._ask(limit, key)
            else:
                # Many at once would each take a share.
                await asyncio.wait({asking})

    async def give_back(self, name: RateName, subject: str) -> None:
        """Do as if something had not been done: it does not count after all."""
        limit = self._limits.get(name)
        if limit is None:
            return
        key = (name, subject[:_LONGEST_SUBJECT])
        share = self._shares.get(key)
        if share is not None and self._now() < share.until and not share.refused_until:
            share.left += 1
            return
        async with self._db.transaction() as session:
            await RateRepository(session).give_back(limit, key[1])
        self._shares.pop(key, None)

    async def forget(self, name: RateName, subject: str) -> None:
        """Forget what was counted of a subject."""
        subject = subject[:_LONGEST_SUBJECT]
        async with self._db.transaction() as session:
            await RateRepository(session).forget(name, subject)
        self._shares.pop((name, subject), None)

    async def forget_all(self, name: RateName, *, beginning: str) -> None:
        """Forget what was counted of the subjects that begin with a text."""
        async with self._db.transaction() as session:
            await RateRepository(session).forget_all(name, beginning=beginning)
        for key in [key for key in self._shares if key[0] is name and key[1].startswith(beginning)]:
            del self._shares[key]

    async def purge(self) -> int:
        """Delete what says nothing any more; returns how much."""
        async with self._db.transaction() as session:
            return await RateRepository(session).remove_before(self._now())

    async def _ask(self, limit: RateLimit, key: tuple[RateName, str]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asking[key] = done
        try:
            now = self._now()
            async with self._db.transaction() as session:
                got = await RateRepository(session).take(limit, key[1], wanted=limit.share, now=now)
        finally:
            del self._asking[key]
            done.set_result(None)
        lasts = min(limit.seconds, _SHARE_LASTS_SECONDS)
        refused_until = 0.0
        if not got.count:
            refused_until = got.free_at + limit.interval - limit.seconds
        self._shares[key] = _Share(got.count, now + lasts, refused_until)
        self._shares.move_to_end(key)
        while len(self._shares) > self._remembers:
            self._shares.popitem(last=False)

    def _now(self) -> float:
        return self._clock.now().timestamp()
