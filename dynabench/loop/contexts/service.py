"""Use cases of contexts: upload them, hand them out, lease one to an annotator."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.db.pipeline import Query, ask
from dynabench.kit.paging import DEFAULT_PAGE_SIZE, Page, cut, decode_cursor, encode_cursor
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.permissions import can_see
from dynabench.loop.contexts.repository import ContextRepository, putting_lease
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.contexts.schemas import ContextRead, ContextUploadRead, TagRead
from dynabench.loop.contexts.uploads.rules import UploadReader
from dynabench.loop.contexts.values import LEASE_DURATION, AddedContexts, Context, ContextItem
from dynabench.loop.media.resolving.rules import Outstanding
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus

_BATCH = 1_000
_CACHE_ENTRIES = 2_000


class ContextService:
    """Contexts of all tasks; the most recently used are remembered, for they never change."""

    def __init__(
        self, *, db: Database, clock: Clock, tasks: TaskService, media: MediaResolver
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._media = media
        self._cache: OrderedDict[UUID, Context] = OrderedDict()

    async def upload(
        self, slug: str, *, chunks: AsyncIterator[bytes], actor: Actor
    ) -> ContextUploadRead:
        """Add the contexts of a file, all of them or none."""
        task = await self._owned(slug, actor)
        if task.status is TaskStatus.ARCHIVED:
            raise TaskStateError(slug=task.slug, status=task.status, wanted="a draft or active")
        outstanding = Outstanding(task.config.context)
        reader = UploadReader(
            check_content=lambda content: task.config.check_context(outstanding.stand_in(content))
        )
        async for chunk in chunks:
            reader.feed(chunk)
            # Other requests get their turn between two pieces.
            await asyncio.sleep(0)
        items = reader.finish()
        settled, misfits = await self._media.settle(
            outstanding, [item.content for item in items], created_by=actor.user_id
        )
        if misfits:
            reader.refuse((one.position, f"“{one.name}”: {one.sentence}") for one in misfits)
        items = [
            replace(item, content=content) for item, content in zip(items, settled, strict=True)
        ]
        async with self._db.transaction() as session:
            done = await self.add(session, task_id=task.id, items=items, uploaded_by=actor.user_id)
        return ContextUploadRead(added=done.added, already_there=done.already_there)

    async def tags(self, slug: str, *, actor: Actor) -> list[TagRead]:
        """Return the tags of the contexts that are still handed out."""
        task = await self._tasks.get_for(slug, actor)
        async with self._db.read() as session:
            found = await ContextRepository(session).tags(task.id)
        return [TagRead(tag=tag, contexts=count) for tag, count in found]

    async def read(self, context_id: UUID, *, actor: Actor) -> ContextRead:
        """Return a context of a task that the actor may see."""
        return _read(await self._get_visible(context_id, actor))

    async def retire(self, context_id: UUID, *, actor: Actor) -> None:
        """Hand a context out no more; examples on it stay."""
        context = await self._get_visible(context_id, actor)
        task = await self._tasks.get_by_id(context.task_id)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        async with self._db.transaction() as session:
            await ContextRepository(session).retire(context_id, now=self._clock.now())
        self._cache.pop(context_id, None)

    async def get(self, context_id: UUID) -> Context:
        """Return a context; whether it is retired may be known late by other processes.

        Raises:
            ContextNotFoundError: If there is none.
        """
        known = self._cache.get(context_id)
        if known is not None:
            self._cache.move_to_end(context_id)
            return known
        async with self._db.read() as session:
            context = await ContextRepository(session).get(context_id)
        if context is None:
            raise ContextNotFoundError
        self._cache[context_id] = context
        if len(self._cache) > _CACHE_ENTRIES:
            self._cache.popitem(last=False)
        return context

    async def add(
        self,
        session: Session,
        *,
        task_id: UUID,
        items: Sequence[ContextItem],
        uploaded_by: UUID | None = None,
    ) -> AddedContexts:
        """Store checked contexts in the caller's transaction; equal ones once.

        A context that is there already keeps its tag and metadata, retired or not.
        """
        repository = ContextRepository(session)
        by_digest = {content_digest(item.content): item for item in reversed(items)}
        ids: dict[bytes, UUID] = {}
        added = 0
        remaining = iter(sorted(by_digest.items()))
        while batch := dict(islice(remaining, _BATCH)):
            new = await repository.add(
                batch, task_id=task_id, uploaded_by=uploaded_by, now=self._clock.now()
            )
            added += len(new)
            ids |= new
            there = batch.keys() - new.keys()
            if there:
                ids |= await repository.by_digests(there, task_id=task_id)
        return AddedContexts(added=added, already_there=len(items) - added, ids=ids)

    async def lease(
        self,
        session: Session,
        *,
        round_id: UUID,
        context_id: UUID,
        annotator_id: UUID,
        now: datetime,
    ) -> datetime:
        """Give a context to an annotator, or renew that, in the caller's transaction.

        Returns:
            When the lease runs out.
        """
        await ask(
            session,
            self.leasing(
                round_id=round_id, context_id=context_id, annotator_id=annotator_id, now=now
            ),
        )
        return now + LEASE_DURATION

    def leasing(
        self, *, round_id: UUID, context_id: UUID, annotator_id: UUID, now: datetime
    ) -> Query[None]:
        """Return the query by which a lease begins or is renewed, to be sent with others."""
        return putting_lease(
            round_id=round_id,
            context_id=context_id,
            annotator_id=annotator_id,
            expires_at=now + LEASE_DURATION,
        )

    async def lease_of(
        self, session: Session, *, round_id: UUID, context_id: UUID, annotator_id: UUID
    ) -> datetime | None:
        """Return when an annotator's lease runs or ran out; None if there never was one."""
        return await ContextRepository(session).lease_end(
            round_id=round_id, context_id=context_id, annotator_id=annotator_id
        )

    async def list(
        self, slug: str, *, actor: Actor, tag: str | None, cursor: str | None
    ) -> Page[ContextRead]:
        """Return the contexts that are still handed out, newest first."""
        task = await self._owned(slug, actor)
        after = None if cursor is None else decode_cursor(cursor, UUID)[0]
        async with self._db.read() as session:
            rows = await ContextRepository(session).page(
                task_id=task.id, tag=tag, after=after, limit=DEFAULT_PAGE_SIZE + 1
            )
        shown, has_more = cut(rows, size=DEFAULT_PAGE_SIZE)
        return Page(
            items=[_read(context) for context in shown],
            next_cursor=encode_cursor([shown[-1].id]) if has_more else None,
        )

    async def _get_visible(self, context_id: UUID, actor: Actor) -> Context:
        context = await self.get(context_id)
        try:
            slug = (await self._tasks.get_by_id(context.task_id)).slug
            task = await self._tasks.get_for(slug, actor)
        except TaskNotFoundError as error:
            raise ContextNotFoundError from error
        role = await self._tasks.role_of(task.id, actor)
        if not can_see(context, role=role):
            raise ContextNotFoundError
        return context

    async def _owned(self, slug: str, actor: Actor) -> Task:
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        return task


def _read(context: Context) -> ContextRead:
    return ContextRead.model_validate(context)
