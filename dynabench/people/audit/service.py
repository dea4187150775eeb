"""Use cases of the audit trail: reading it."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.paging import BadCursorError, Page, cut, decode_cursor, encode_cursor
from dynabench.people.audit.repository import AuditRepository
from dynabench.people.audit.schemas import AuditEntryRead, AuditFilter
from dynabench.people.permissions import require_admin

_PAGE_SIZE = 50
# Acts whose row in the database knows the person by id alone.
# As many as the table's numbers reach.
_MOST_ENTRIES = 2**63
_ABOUT_PEOPLE = frozenset({"member", "password_reset"})


class AuditService:
    """Shows who changed what."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def page(self, wanted: AuditFilter, *, actor: Actor) -> Page[AuditEntryRead]:
        """Show administrators what was changed anywhere, newest first.

        Raises:
            AdminNeededError: If the actor is somebody else.
            BadCursorError: If the cursor is of another list.
        """
        require_admin(actor)
        return await self._page(wanted, task_id=None)

    async def of_task(self, wanted: AuditFilter, *, task_id: UUID) -> Page[AuditEntryRead]:
        """Show what was changed in one task; the caller knows who may see it.

        Raises:
            BadCursorError: If the cursor is of another list.
        """
        return await self._page(wanted, task_id=task_id)

    async def roles_since(
        self, session: Session, *, task_id: UUID, user_id: UUID, link_id: UUID
    ) -> list[tuple[str | None, str | None]]:
        """Return how a person's role in a task changed since a join link was made.

        That is the role before and after each change, None for no role, within the caller's
        transaction. Of a link that is older than the trail it is all changes.
        """
        repository = AuditRepository(session)
        made = await repository.last_number(act="join_link.added", subject_id=link_id)
        changes = await repository.changes_since(
            acts=("member.added", "member.changed", "member.removed"),
            subject_id=user_id,
            task_id=task_id,
            after=made,
        )
        return [(_role(before), _role(after)) for before, after in changes]

    async def _page(self, wanted: AuditFilter, *, task_id: UUID | None) -> Page[AuditEntryRead]:
        before = None if wanted.cursor is None else decode_cursor(wanted.cursor, int)[0]
        if before is not None and not 0 <= before < _MOST_ENTRIES:
            raise BadCursorError
        async with self._db.read() as session:
            repository = AuditRepository(session)
            rows = await repository.page(
                wanted, task_id=task_id, before=before, limit=_PAGE_SIZE + 1
            )
            shown, has_more = cut(rows, size=_PAGE_SIZE)
            entries = [AuditEntryRead.model_validate(row) for row in shown]
            items = await _named(repository, entries)
        next_cursor = encode_cursor([items[-1].number]) if has_more else None
        return Page[AuditEntryRead](items=items, next_cursor=next_cursor)


async def _named(
    repository: AuditRepository, entries: Sequence[AuditEntryRead]
) -> list[AuditEntryRead]:
    """Return the entries, those about a person with the person's name and not the id alone."""
    people = [
        UUID(entry.subject_id)
        for entry in entries
        if entry.subject_id and entry.subject_name is None and _is_about_a_person(entry)
    ]
    names = await repository.usernames(people) if people else {}
    return [
        entry.model_copy(update={"subject_name": names.get(entry.subject_id or "")})
        if entry.subject_name is None and _is_about_a_person(entry)
        else entry
        for entry in entries
    ]


def _role(values: Mapping[str, object]) -> str | None:
    role = values.get("role")
    return None if role is None else str(role)


def _is_about_a_person(entry: AuditEntryRead) -> bool:
    return entry.act.split(".", 1)[0] in _ABOUT_PEOPLE
