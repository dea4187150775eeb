"""SQL of the time that the attempts of each arm took."""

from uuid import UUID

from sqlalchemy import func, not_, select

from dynabench.kit.db.database import Session
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.arms.values import TimeSpent
from dynabench.loop.validations.outcomes.tables import outcomes


class ArmRepository:
    """Reads how long authors took."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def times(self, round_id: UUID, *, without: UUID | None) -> dict[Arm, TimeSpent]:
        """Return the time of a round's collected attempts by arm.

        Args:
            round_id: The round.
            without: Whose attempts without a model are left out, if anybody's.
        """
        seconds = examples.c.time_spent_seconds
        statement = (
            select(
                outcomes.c.arm,
                func.count(seconds).label("attempts"),
                func.coalesce(func.sum(seconds), 0.0).label("seconds"),
            )
            .join(examples, examples.c.id == outcomes.c.example_id)
            .where(
                outcomes.c.round_id == round_id,
                outcomes.c.voided_at.is_(None),
            )
            .group_by(outcomes.c.arm)
        )
        if without is not None:
            is_theirs = (outcomes.c.annotator_id == without) & (outcomes.c.arm == Arm.NO_MODEL)
            statement = statement.where(not_(is_theirs))
        return {
            row.arm: TimeSpent(attempts=row.attempts, seconds=row.seconds)
            for row in await self._session.execute(statement)
        }
