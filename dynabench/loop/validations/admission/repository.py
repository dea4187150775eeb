"""SQL of admission: what the audit trail says of a person's roles."""

from uuid import UUID

from sqlalchemy import and_, func, or_, select

from dynabench.kit.db.database import Session
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.audit.tables import audit_entries

_TOLD = (TaskRole.OWNER, TaskRole.EXPERT)


class AdmissionRepository:
    """Reads the audit trail."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def has_read(self, user_id: UUID, *, task_id: UUID, round_id: UUID) -> bool:
        """Tell whether somebody could read a round's answers once, and cannot any more.

        So it is where they lost a role that shows them, in the task or over all tasks, after
        the round was opened. Entries are compared by their numbers, not by the clock. Of a
        round whose opening is older than the trail every loss counts.
        """
        entry = audit_entries.c
        in_task = and_(
            entry.task_id == task_id,
            entry.act.in_(("member.changed", "member.removed")),
            entry.before["role"].astext.in_(_TOLD),
        )
        over_all = and_(entry.act == "account.changed", entry.before["is_admin"].astext == "true")
        lost = select(func.max(entry.number)).where(
            entry.subject_id == str(user_id), or_(in_task, over_all)
        )
        opened = select(func.min(entry.number)).where(
            entry.subject_id == str(round_id),
            entry.act.in_(("round.added", "round.changed")),
            entry.after["status"].astext == RoundStatus.OPEN,
        )
        found = await self._session.execute(
            select(lost.scalar_subquery() > func.coalesce(opened.scalar_subquery(), 0))
        )
        return bool(found.scalar_one())
