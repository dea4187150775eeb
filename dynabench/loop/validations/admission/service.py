"""Use case of admission: may this person judge now, and whose examples not."""

from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.admission.rules import require_old_enough
from dynabench.loop.validations.admission.values import AdmissionRule
from dynabench.people.directory.service import UserDirectory


class AdmissionService:
    """Keeps people who made their accounts themselves from judging at once, or each other."""

    def __init__(self, *, clock: Clock, people: UserDirectory, rule: AdmissionRule) -> None:
        self._clock = clock
        self._people = people
        self._rule = rule

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
