"""All SQL of the audit trail."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import func, select

from dynabench.kit.db.database import Session
from dynabench.people.audit.schemas import AuditFilter
from dynabench.people.audit.tables import audit_entries
from dynabench.people.tables import users


class AuditRepository:
    """Reads the trail; nothing but the database writes it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def page(
        self, wanted: AuditFilter, *, task_id: UUID | None, before: int | None, limit: int
    ) -> list[Mapping[str, object]]:
        """Return entries, newest first.

        Args:
            wanted: Narrows the list; an act without a dot stands for all that begin with it.
            task_id: Only those about this task.
            before: Only those with a smaller number.
            limit: At most so many.
        """
        table = audit_entries.c
        statement = select(audit_entries).order_by(table.number.desc()).limit(limit)
        if task_id is not None:
            statement = statement.where(table.task_id == task_id)
        if before is not None:
            statement = statement.where(table.number < before)
        if wanted.who is not None:
            statement = statement.where(table.actor_name == wanted.who)
        if wanted.act is not None:
            exactly = table.act == wanted.act
            kind = table.act.startswith(f"{wanted.act}.", autoescape=True)
            statement = statement.where(exactly if "." in wanted.act else kind)
        if wanted.since is not None:
            statement = statement.where(table.at >= wanted.since)
        if wanted.until is not None:
            statement = statement.where(table.at < wanted.until)
        return [dict(row) for row in (await self._session.execute(statement)).mappings()]

    async def changes_since(
        self, *, acts: Collection[str], subject_id: UUID, task_id: UUID, after: int
    ) -> list[tuple[Mapping[str, object], Mapping[str, object]]]:
        """Return what acts on something in a task changed, before and after, oldest first."""
        table = audit_entries.c
        statement = (
            select(table.before, table.after)
            .where(
                table.subject_id == str(subject_id),
                table.number > after,
                table.act.in_(acts),
                table.task_id == task_id,
            )
            .order_by(table.number)
        )
        found = await self._session.execute(statement)
        return [(row.before or {}, row.after or {}) for row in found]

    async def last_number(self, *, act: str, subject_id: UUID) -> int:
        """Return the number of the last such act on something; 0 where none was noted."""
        table = audit_entries.c
        statement = select(func.max(table.number)).where(
            table.subject_id == str(subject_id), table.act == act
        )
        return (await self._session.execute(statement)).scalar_one() or 0

    async def usernames(self, user_ids: Collection[UUID]) -> dict[str, str]:
        """Return what people are called now, by their id; who is gone is left out."""
        found = await self._session.execute(
            select(users.c.id, users.c.username).where(users.c.id.in_(user_ids))
        )
        return {str(row.id): row.username for row in found}
