"""Use case of schedules: close the rounds whose time has come."""

from uuid import UUID

import structlog

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.rounds.schedules.repository import ScheduleRepository
from dynabench.loop.rounds.schedules.rules import why_over
from dynabench.loop.rounds.service import RoundService

_log = structlog.get_logger(__name__)


class ScheduleService:
    """Closes rounds at their set times.

    However many processes do so, and however late: a round closes once. Examples that come
    after its time are refused meanwhile.
    """

    def __init__(self, *, db: Database, clock: Clock, rounds: RoundService) -> None:
        self._db = db
        self._clock = clock
        self._rounds = rounds

    async def close_due(self) -> list[UUID]:
        """Close the open rounds whose closing time or days are over; returns which it closed.

        Each closes in a transaction of its own: what keeps one open keeps no other open. It
        is logged, and tried again the next time.
        """
        async with self._db.read() as session:
            found = await ScheduleRepository(session).with_an_end()
        return [round_id for round_id in found if await self._close(round_id)]

    async def _close(self, round_id: UUID) -> bool:
        now = self._clock.now()
        try:
            return await self._rounds.close_by_itself(
                round_id, why=lambda round_: why_over(round_, now=now)
            )
        # Whatever is wrong with one round, the others close at their times.
        except Exception:  # noqa: BLE001
            _log.exception("a round could not be closed", round_id=str(round_id))
            return False
