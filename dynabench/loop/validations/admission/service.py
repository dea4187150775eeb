"""Use case of admission: may this person judge now, and whose examples not."""

from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.admission.repository import AdmissionRepository
from dynabench.loop.validations.admission.rules import require_old_enough
from dynabench.loop.validations.admission.values import AdmissionRule
from dynabench.loop.validations.errors import AnswersKnownError, AnswersReadError
from dynabench.loop.validations.permissions import can_judge_blind
from dynabench.people.directory.service import UserDirectory


class AdmissionService:
    """Keeps people from judging at once or each other, and from judging blind what they read."""

    def __init__(
        self, *, db: Database, clock: Clock, people: UserDirectory, rule: AdmissionRule
    ) -> None:
        self._db = db
        self._clock = clock
        self._people = people
        self._rule = rule

    async def require_blind(self, user_id: UUID, *, role: TaskRole | None, round_: Round) -> None:
        """Refuse whoever can read a round's answers, or could while it collected.

        Raises:
            AnswersKnownError: If their role shows them.
            AnswersReadError: If a role that they had did.
        """
        if not can_judge_blind(role):
            raise AnswersKnownError
        async with self._db.read() as session:
            has_read = await AdmissionRepository(session).has_read(
                user_id, task_id=round_.task_id, round_id=round_.id
            )
        if has_read:
            raise AnswersReadError(round_number=round_.number)

    async def barred_authors(self, user_id: UUID, *, role: TaskRole | None) -> list[UUID]:
        """Return the people whose examples somebody may not judge.

        Whoever was let in by somebody else is asked nothing: by the operator, by an
        invitation, or with a role in the task.

        Raises:
            AccountTooNewError: If the account has to wait.
        """
        if role is not None or self._rule.asks_nothing:
            return []
        standing = await self._people.standing(
            user_id, same_address_within=self._rule.same_address_within
        )
        if not standing.let_themselves_in:
            return []
        require_old_enough(self._rule, made_at=standing.made_at, now=self._clock.now())
        return list(standing.neighbours)
