"""Use cases of proposals: propose, revise, withdraw, decide."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.kit.paging import Page, cut, decode_cursor, encode_cursor
from dynabench.loop.proposals.errors import ProposalNotFoundError, TooManyProposalsError
from dynabench.loop.proposals.permissions import is_author, may_see
from dynabench.loop.proposals.repository import ProposalRepository
from dynabench.loop.proposals.rules import (
    require_decidable,
    require_reason,
    require_revisable,
    require_withdrawable,
)
from dynabench.loop.proposals.schemas import (
    ProposalCreate,
    ProposalDecision,
    ProposalNoteRead,
    ProposalPatch,
    ProposalRead,
    ProposalSummaryRead,
)
from dynabench.loop.proposals.values import (
    OPEN_LIMIT,
    PAGE_SIZE,
    WAITING,
    Decision,
    Proposal,
    ProposalStatus,
    ProposalText,
)
from dynabench.loop.tasks.errors import SlugTakenError, TaskNotFoundError
from dynabench.loop.tasks.lookup.service import parse_config
from dynabench.loop.tasks.schemas import TaskCreate
from dynabench.loop.tasks.service import TaskService
from dynabench.people.notifications.service import NotificationService
from dynabench.people.notifications.values import News, NotificationKind
from dynabench.people.permissions import require_admin
from dynabench.science.task_config.schema import TaskConfig

_KINDS = {
    Decision.ACCEPTED: NotificationKind.PROPOSAL_ACCEPTED,
    Decision.CHANGES_ASKED: NotificationKind.PROPOSAL_CHANGES_ASKED,
    Decision.REJECTED: NotificationKind.PROPOSAL_REJECTED,
}


class ProposalService:
    """Takes proposed tasks, and makes drafts of those that are accepted."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        notifications: NotificationService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._notifications = notifications

    async def propose(
        self, body: ProposalCreate, *, actor: Actor, key: RequestKey | None
    ) -> ProposalRead:
        """Propose a task; every administrator is told.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            TaskConfigError: If the config cannot be used.
            SlugTakenError: If a task has the slug.
            TooManyProposalsError: If too many of the actor's wait already.
        """
        user_id = require_signed_in(actor)
        done = await self._find(key)
        if done is not None:
            return await self.read(done, actor=actor)
        await parse_config(body.config)
        await self._require_free(body.slug)
        proposal_id, now = new_id(), self._clock.now()
        try:
            async with self._db.transaction() as session:
                if key is not None:
                    await claim(session, key, proposal_id)
                await _require_room(session, user_id)
                text = ProposalText(slug=body.slug, config=body.config, reason=body.reason)
                await ProposalRepository(session).add(
                    proposal_id, text, proposed_by=user_id, now=now
                )
                admins = await self._notifications.admin_ids(session)
                news = _news(NotificationKind.PROPOSAL_OPENED, proposal_id, body.slug, actor=actor)
                await self._notifications.notify(session, admins, news, actor=actor)
        except AlreadyDone as already:
            proposal_id = already.resource_id
        return await self.read(proposal_id, actor=actor)

    async def read(self, proposal_id: UUID, *, actor: Actor) -> ProposalRead:
        """Show a proposal with all that was said about it.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            ProposalNotFoundError: If there is none that the actor may see.
        """
        require_signed_in(actor)
        async with self._db.read() as session:
            proposal = await _visible(session, proposal_id, actor)
            notes = await ProposalRepository(session).notes(proposal_id)
        summary = ProposalSummaryRead.model_validate(proposal)
        return ProposalRead(
            **summary.model_dump(),
            config=proposal.config,
            notes=[ProposalNoteRead.model_validate(note) for note in notes],
        )

    async def revise(self, proposal_id: UUID, body: ProposalPatch, *, actor: Actor) -> ProposalRead:
        """Propose another text, which waits for a decision again; who asked for it is told.

        The same text once more is no new revision while it waits for a decision.

        Raises:
            ProposalNotFoundError: If the actor has proposed no such thing.
            ProposalRevisedError: If it was revised from elsewhere.
            ProposalStateError: If it was accepted or rejected.
            TaskConfigError: If the config cannot be used.
            SlugTakenError: If a task has the slug.
            TooManyProposalsError: If it was withdrawn and too many others wait by now.
        """
        user_id = require_signed_in(actor)
        async with self._db.read() as session:
            text = _text_of(await _own(session, proposal_id, actor), body)
        await parse_config(text.config)
        await self._require_free(text.slug)
        async with self._db.transaction() as session:
            proposals = ProposalRepository(session)
            await proposals.lock_author(user_id)
            await proposals.lock(proposal_id)
            known = await _own(session, proposal_id, actor)
            is_repeated = known.status is ProposalStatus.OPEN and _same(known, text)
            if not is_repeated:
                require_revisable(known, revision=body.revision)
                if known.status not in WAITING:
                    await _require_room(session, user_id)
                await self._write_revision(session, known, text, body.answer, actor=actor)
        return await self.read(proposal_id, actor=actor)

    async def withdraw(self, proposal_id: UUID, *, actor: Actor) -> ProposalRead:
        """Take one's own proposal back; a revision would propose it again.

        Raises:
            ProposalNotFoundError: If the actor has proposed no such thing.
            ProposalStateError: If it was accepted or rejected.
        """
        user_id = require_signed_in(actor)
        now = self._clock.now()
        async with self._db.transaction() as session:
            proposals = ProposalRepository(session)
            await proposals.lock(proposal_id)
            known = await _own(session, proposal_id, actor)
            if known.status is not ProposalStatus.WITHDRAWN:
                require_withdrawable(known)
                await proposals.set_status(proposal_id, ProposalStatus.WITHDRAWN, now=now)
                await proposals.add_note(
                    proposal_id,
                    revision=known.revision,
                    status=ProposalStatus.WITHDRAWN,
                    text="",
                    written_by=user_id,
                    now=now,
                )
        return await self.read(proposal_id, actor=actor)

    async def decide(
        self,
        proposal_id: UUID,
        body: ProposalDecision,
        *,
        actor: Actor,
        key: RequestKey | None,
    ) -> ProposalRead:
        """Accept a proposal, ask for changes or reject it; its author is told.

        To accept it makes a draft of it that the author owns, or nothing at all.

        Raises:
            AdminNeededError: If the actor is no administrator.
            ProposalNotFoundError: If there is none.
            ProposalReasonNeededError: If it is turned down without a word.
            ProposalRevisedError: If its author has revised it meanwhile.
            ProposalStateError: If it does not wait for a decision.
            TaskConfigError: If the config cannot be used any more.
            SlugTakenError: If a task has the slug by now.
        """
        require_admin(actor)
        user_id = require_signed_in(actor)
        if await self._find(key) is not None:
            return await self.read(proposal_id, actor=actor)
        require_reason(body.status, body.text)
        async with self._db.read() as session:
            seen = await _visible(session, proposal_id, actor)
        require_decidable(seen, revision=body.revision)
        is_accepted = body.status is Decision.ACCEPTED
        config = await parse_config(seen.config) if is_accepted else None
        with suppress(AlreadyDone):
            async with self._db.transaction() as session:
                if key is not None:
                    await claim(session, key, proposal_id)
                await ProposalRepository(session).lock(proposal_id)
                known = await _visible(session, proposal_id, actor)
                require_decidable(known, revision=body.revision)
                task_id = None if config is None else await self._draft(session, known, config)
                await self._write_decision(session, known, body, task_id=task_id, by=user_id)
                news = _news(_KINDS[body.status], known.id, known.slug, actor=actor)
                author = [known.proposed_by_id]
                await self._notifications.notify(session, author, news, actor=actor)
        return await self.read(proposal_id, actor=actor)

    async def _write_decision(
        self,
        session: Session,
        known: Proposal,
        body: ProposalDecision,
        *,
        task_id: UUID | None,
        by: UUID,
    ) -> None:
        proposals, now = ProposalRepository(session), self._clock.now()
        status = ProposalStatus(body.status)
        await proposals.set_status(known.id, status, now=now, task_id=task_id)
        await proposals.add_note(
            known.id,
            revision=known.revision,
            status=status,
            text=body.text,
            written_by=by,
            now=now,
        )

    async def _draft(self, session: Session, proposal: Proposal, config: TaskConfig) -> UUID:
        task_id = new_id()
        body = TaskCreate(slug=proposal.slug, config=proposal.config)
        await self._tasks.add_draft(
            session, task_id, body, config, created_by=proposal.proposed_by_id
        )
        return task_id

    async def _write_revision(
        self,
        session: Session,
        known: Proposal,
        text: ProposalText,
        answer: str,
        *,
        actor: Actor,
    ) -> None:
        proposals, now = ProposalRepository(session), self._clock.now()
        revision = await proposals.revise(known.id, text, now=now)
        await proposals.add_note(
            known.id,
            revision=revision,
            status=ProposalStatus.OPEN,
            text=answer,
            written_by=known.proposed_by_id,
            now=now,
        )
        admins = await self._notifications.admin_ids(session)
        # Where nobody has asked for it, whoever looks next sees it as it is then.
        asked = await proposals.asked_by(known.id) & admins
        told = admins if known.status is ProposalStatus.WITHDRAWN else asked
        news = _news(NotificationKind.PROPOSAL_REVISED, known.id, text.slug, actor=actor)
        await self._notifications.notify(session, told, news, actor=actor)

    async def _find(self, key: RequestKey | None) -> UUID | None:
        if key is None:
            return None
        async with self._db.read() as session:
            return await find(session, key)

    async def _require_free(self, slug: str) -> None:
        try:
            await self._tasks.get(slug)
        except TaskNotFoundError:
            return
        raise SlugTakenError(slug=slug)

    # Last, so that above it `list` still is the built-in type.
    async def list(
        self, *, actor: Actor, status: ProposalStatus | None, cursor: str | None
    ) -> Page[ProposalSummaryRead]:
        """List proposals, newest first: one's own, or for administrators everybody's.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            BadCursorError: If the cursor is of another list.
        """
        user_id = require_signed_in(actor)
        before = None if cursor is None else decode_cursor(cursor, datetime, UUID)
        async with self._db.read() as session:
            found = await ProposalRepository(session).page(
                proposed_by=None if actor.is_admin else user_id,
                status=status,
                before=before,
                limit=PAGE_SIZE + 1,
            )
        shown, has_more = cut(found, size=PAGE_SIZE)
        return Page(
            items=[ProposalSummaryRead.model_validate(one) for one in shown],
            next_cursor=encode_cursor([shown[-1].created_at, shown[-1].id]) if has_more else None,
        )


async def _visible(session: Session, proposal_id: UUID, actor: Actor) -> Proposal:
    found = await ProposalRepository(session).get(proposal_id)
    if found is None or not may_see(found, actor):
        raise ProposalNotFoundError
    return found


async def _own(session: Session, proposal_id: UUID, actor: Actor) -> Proposal:
    found = await ProposalRepository(session).get(proposal_id)
    if found is None or not is_author(found, actor):
        raise ProposalNotFoundError
    return found


async def _require_room(session: Session, user_id: UUID) -> None:
    proposals = ProposalRepository(session)
    await proposals.lock_author(user_id)
    if await proposals.waiting(user_id) >= OPEN_LIMIT:
        raise TooManyProposalsError(limit=OPEN_LIMIT)


def _text_of(known: Proposal, body: ProposalPatch) -> ProposalText:
    return ProposalText(
        slug=known.slug if body.slug is None else body.slug,
        config=known.config if body.config is None else body.config,
        reason=known.reason if body.reason is None else body.reason,
    )


def _same(known: Proposal, text: ProposalText) -> bool:
    return (known.slug, known.config, known.reason) == (text.slug, text.config, text.reason)


def _news(kind: NotificationKind, proposal_id: UUID, slug: str, *, actor: Actor) -> News:
    is_accepted = kind is NotificationKind.PROPOSAL_ACCEPTED
    return News(
        kind=kind,
        details={"slug": slug, "by": actor.username},
        path=f"/tasks/{slug}/owner/config" if is_accepted else f"/proposals/{proposal_id}",
    )
