"""All SQL of the audit trail."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import select

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

    async def usernames(self, user_ids: Collection[UUID]) -> dict[str, str]:
        """Return what people are called now, by their id; who is gone is left out."""
        found = await self._session.execute(
            select(users.c.id, users.c.username).where(users.c.id.in_(user_ids))
        )
        return {str(row.id): row.username for row in found}
