"""Use case of owners: compare what a round's control arms collect with what its targets do."""

from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.rounds.rules import is_anyone_blind
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.arms.repository import ArmRepository
from dynabench.loop.validations.arms.rules import (
    can_compare,
    has_controls,
    seconds_per_verified_fooled,
)
from dynabench.loop.validations.arms.values import TimeSpent
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import error_rates
from dynabench.loop.validations.rates.service import describe_rate
from dynabench.loop.validations.schemas import ArmRead


class ArmService:
    """Shows the arms of a round side by side."""

    def __init__(
        self, *, db: Database, tasks: TaskService, rounds: RoundService, folds: FoldService
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._folds = folds

    async def of_round(self, round_id: UUID, *, actor: Actor) -> list[ArmRead]:
        """Return a round's arms, the targets' first; none where the reader may not compare.

        While the round is open, what owners wrote without a model is left out of their own
        figures: they are not to learn from these whether it fooled.
        """
        round_ = await self._rounds.get_visible(round_id, actor)
        role = await self._tasks.role_of(round_.task_id, actor)
        if not has_controls(round_) or not can_compare(round_, role=role):
            return []
        await self._folds.catch_up()
        blind = actor.user_id if is_anyone_blind(round_) else None
        async with self._db.read() as session:
            times = await ArmRepository(session).times(round_.id, without=blind)
        return [await self._describe(round_, arm, blind=blind, time=times.get(arm)) for arm in Arm]

    async def _describe(
        self, round_: Round, arm: Arm, *, blind: UUID | None, time: TimeSpent | None
    ) -> ArmRead:
        people = (await self._folds.per_annotator([round_.id], arms=[arm])).get(round_.id, {})
        if arm is Arm.NO_MODEL:
            people = {one: tally for one, tally in people.items() if one != blind}
        tallies = list(people.values())
        total = sum(tallies, start=Tally())
        rates = error_rates(tallies, people_are_known=round_.people_are_known)
        return ArmRead(
            arm=arm,
            collected=total.collected,
            fooled=total.fooled,
            verified_fooled=total.verified_fooled,
            pending=total.pending,
            model_error_rate=describe_rate(rates.model_error_rate),
            validated_model_error_rate=describe_rate(rates.validated_model_error_rate),
            seconds_per_verified_fooled=None
            if time is None
            else seconds_per_verified_fooled(time, total),
        )
