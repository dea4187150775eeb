"""All SQL of proposals."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, select, tuple_, update

from dynabench.kit.db.database import Session
from dynabench.kit.ids import new_id
from dynabench.loop.proposals.tables import task_proposal_notes, task_proposals
from dynabench.loop.proposals.values import (
    WAITING,
    Proposal,
    ProposalNote,
    ProposalStatus,
    ProposalSummary,
    ProposalText,
)
from dynabench.loop.tasks.tables import tasks
from dynabench.people.tables import users

_SUMMARY = (
    task_proposals.c.id,
    task_proposals.c.slug,
    task_proposals.c.revision,
    task_proposals.c.reason,
    task_proposals.c.status,
    task_proposals.c.proposed_by.label("proposed_by_id"),
    users.c.username.label("proposed_by"),
    tasks.c.slug.label("task_slug"),
    task_proposals.c.created_at,
    task_proposals.c.updated_at,
)
_WITH_NAMES = task_proposals.join(users, users.c.id == task_proposals.c.proposed_by).outerjoin(
    tasks, tasks.c.id == task_proposals.c.task_id
)


class ProposalRepository:
    """Reads and writes proposals and what was said about them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(
        self, proposal_id: UUID, text: ProposalText, *, proposed_by: UUID, now: datetime
    ) -> None:
        """Write a new proposal; it is open."""
        await self._session.execute(
            insert(task_proposals).values(
                id=proposal_id,
                slug=text.slug,
                config=text.config,
                reason=text.reason,
                revision=1,
                status=ProposalStatus.OPEN,
                proposed_by=proposed_by,
                created_at=now,
                updated_at=now,
            )
        )

    async def get(self, proposal_id: UUID) -> Proposal | None:
        """Return a proposal."""
        statement = (
            select(*_SUMMARY, task_proposals.c.config)
            .select_from(_WITH_NAMES)
            .where(task_proposals.c.id == proposal_id)
        )
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else Proposal(**row)

    async def lock(self, proposal_id: UUID) -> None:
        """Let nobody else change a proposal until this transaction ends."""
        await self._session.execute(
            select(task_proposals.c.id).where(task_proposals.c.id == proposal_id).with_for_update()
        )

    async def lock_author(self, user_id: UUID) -> None:
        """Count and add a person's proposals one at a time, until this transaction ends."""
        key = func.hashtextextended(f"proposals of {user_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def waiting(self, user_id: UUID) -> int:
        """Return how many of a person's proposals wait for a decision or a revision."""
        statement = select(func.count()).where(
            task_proposals.c.proposed_by == user_id, task_proposals.c.status.in_(list(WAITING))
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def page(
        self,
        *,
        proposed_by: UUID | None,
        status: ProposalStatus | None,
        before: tuple[datetime, UUID] | None,
        limit: int,
    ) -> list[ProposalSummary]:
        """Return proposals, newest first: one person's or everybody's, in one state or in all."""
        statement = select(*_SUMMARY).select_from(_WITH_NAMES)
        if proposed_by is not None:
            statement = statement.where(task_proposals.c.proposed_by == proposed_by)
        if status is not None:
            statement = statement.where(task_proposals.c.status == status)
        if before is not None:
            statement = statement.where(
                tuple_(task_proposals.c.created_at, task_proposals.c.id) < before
            )
        statement = statement.order_by(
            task_proposals.c.created_at.desc(), task_proposals.c.id.desc()
        ).limit(limit)
        rows = (await self._session.execute(statement)).mappings()
        return [ProposalSummary(**row) for row in rows]

    async def revise(self, proposal_id: UUID, text: ProposalText, *, now: datetime) -> int:
        """Write a locked proposal's next revision, which is open; returns its number."""
        statement = (
            update(task_proposals)
            .where(task_proposals.c.id == proposal_id)
            .values(
                slug=text.slug,
                config=text.config,
                reason=text.reason,
                revision=task_proposals.c.revision + 1,
                status=ProposalStatus.OPEN,
                updated_at=now,
            )
            .returning(task_proposals.c.revision)
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def set_status(
        self,
        proposal_id: UUID,
        status: ProposalStatus,
        *,
        now: datetime,
        task_id: UUID | None = None,
    ) -> None:
        """Write where a locked proposal stands, and the task that came of it."""
        await self._session.execute(
            update(task_proposals)
            .where(task_proposals.c.id == proposal_id)
            .values(status=status, task_id=task_id, updated_at=now)
        )

    async def add_note(
        self,
        proposal_id: UUID,
        *,
        revision: int,
        status: ProposalStatus,
        text: str,
        written_by: UUID,
        now: datetime,
    ) -> None:
        """Write what was said about a proposal."""
        await self._session.execute(
            insert(task_proposal_notes).values(
                id=new_id(),
                proposal_id=proposal_id,
                revision=revision,
                status=status,
                text=text,
                written_by=written_by,
                created_at=now,
            )
        )

    async def notes(self, proposal_id: UUID) -> list[ProposalNote]:
        """Return what was said about a proposal, oldest first."""
        statement = (
            select(
                task_proposal_notes.c.revision,
                task_proposal_notes.c.status,
                task_proposal_notes.c.text,
                users.c.username.label("written_by"),
                task_proposal_notes.c.created_at,
            )
            .join(users, users.c.id == task_proposal_notes.c.written_by)
            .where(task_proposal_notes.c.proposal_id == proposal_id)
            .order_by(task_proposal_notes.c.created_at, task_proposal_notes.c.id)
        )
        rows = (await self._session.execute(statement)).mappings()
        return [ProposalNote(**row) for row in rows]

    async def asked_by(self, proposal_id: UUID) -> set[UUID]:
        """Return who has asked for changes of a proposal."""
        statement = select(task_proposal_notes.c.written_by).where(
            task_proposal_notes.c.proposal_id == proposal_id,
            task_proposal_notes.c.status == ProposalStatus.CHANGES_ASKED,
        )
        return set((await self._session.execute(statement)).scalars())
