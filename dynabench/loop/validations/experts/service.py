"""Use cases of owners and experts: browse, decide, void and export a round's examples."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from uuid import UUID

import orjson

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.paging import Page, decode_cursor, encode_cursor
from dynabench.kit.wire import Values
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.describing.service import describe_example, is_hidden_from
from dynabench.loop.examples.errors import ExampleNotFoundError
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.rounds.rules import is_anyone_blind
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.validations.experts.repository import ExpertRepository
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.permissions import can_see_votes
from dynabench.loop.validations.repository import ValidationRepository, VoteRow
from dynabench.loop.validations.schemas import (
    ExpertDecision,
    ExpertDecisionRead,
    OutcomeFilter,
    OutcomeRead,
    VoidRequest,
    VoteRead,
)
from dynabench.loop.validations.values import Vote
from dynabench.people.directory.service import UserDirectory
from dynabench.people.errors import UserNotFoundError

_PAGE = 50
_EXPORT_BATCH = 200


class ExpertService:
    """Shows everything known of a round's examples, and lets experts decide."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        contexts: ContextService,
        examples: ExampleService,
        outcomes: OutcomeService,
        folds: FoldService,
        people: UserDirectory,
        media: MediaResolver,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._examples = examples
        self._outcomes = outcomes
        self._folds = folds
        self._people = people
        self._media = media

    async def browse(
        self, round_id: UUID, *, chosen: OutcomeFilter, cursor: str | None, actor: Actor
    ) -> Page[OutcomeRead]:
        """Return fifty of a round's examples with their votes, newest first."""
        round_, _ = await self._require_expert(round_id, actor)
        # The list is not read again by itself: what was written a moment ago is on its first page.
        await self._folds.catch_up(at_once=cursor is None)
        annotator_id = None
        if chosen.annotator:
            try:
                annotator_id = (await self._people.find(chosen.annotator)).id
            except UserNotFoundError:
                return Page(items=[], next_cursor=None)
        after = None if cursor is None else decode_cursor(cursor, datetime, UUID)
        async with self._db.read() as session:
            found = await ExpertRepository(session).browse(
                round_id=round_id,
                chosen=chosen,
                annotator_id=annotator_id,
                viewer_id=actor.user_id if is_anyone_blind(round_) else None,
                after=after,
                limit=_PAGE + 1,
            )
            page = found[:_PAGE]
            ids = [one for _, one in page]
            items = await self._describe(session, ids, round_=round_, actor=actor)
        has_more = len(found) > _PAGE
        last = page[-1] if has_more else None
        next_cursor = encode_cursor(last) if last else None
        return Page(items=items, next_cursor=next_cursor)

    async def read(self, example_id: UUID, *, actor: Actor) -> OutcomeRead:
        """Return one example with its votes."""
        async with self._db.read() as session:
            example = await self._examples.get(session, example_id)
            role = await self._tasks.role_of(example.task_id, actor)
            if not can_see_votes(role):
                raise ExampleNotFoundError
            round_ = await self._rounds.get(example.round_id)
            found = await self._describe(session, [example_id], round_=round_, actor=actor)
        if not found:
            raise ExampleNotFoundError
        return found[0]

    async def decide(
        self, round_id: UUID, body: ExpertDecision, *, actor: Actor
    ) -> ExpertDecisionRead:
        """Cast an expert vote on each example; own ones are passed over and named."""
        expert_id = require_signed_in(actor)
        _, task = await self._require_expert(round_id, actor)
        metadata = task.config.check_metadata(
            await self._media.resolve_metadata(
                task.config.validate_metadata, body.metadata, actor=actor
            ),
            stage="validate",
            vote=body.vote.value,
        )
        async with self._db.transaction() as session:
            await self._rounds.hold_unreleased(session, round_id)
            chosen, own = await self._chosen(session, round_id, body.example_ids, by=expert_id)
            await self._outcomes.refresh(session, chosen)
            repository = ValidationRepository(session)
            now = self._clock.now()
            for example_id in chosen:
                await repository.add(
                    _expert_vote(
                        example_id,
                        round_id=round_id,
                        by=expert_id,
                        vote=body.vote,
                        metadata=metadata,
                        now=now,
                    )
                )
            await self._outcomes.refresh_and_announce(session, chosen)
        return ExpertDecisionRead(decided=len(chosen), passed_over=own)

    async def void(self, round_id: UUID, body: VoidRequest, *, actor: Actor) -> ExpertDecisionRead:
        """Take examples out of every count; own ones are passed over and named."""
        expert_id = require_signed_in(actor)
        await self._require_expert(round_id, actor)
        async with self._db.transaction() as session:
            await self._rounds.hold_unreleased(session, round_id)
            chosen, own = await self._chosen(session, round_id, body.example_ids, by=expert_id)
            await self._outcomes.void(session, chosen, by=expert_id, reason=body.reason)
        return ExpertDecisionRead(decided=len(chosen), passed_over=own)

    async def export(self, round_id: UUID, *, actor: Actor) -> AsyncIterator[bytes]:
        """Return a round's examples with all votes as JSON lines, in stored order."""
        round_, task = await self._require_expert(round_id, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        await self._folds.catch_up(at_once=True)
        return self._lines(round_, actor)

    async def _lines(self, round_: Round, actor: Actor) -> AsyncIterator[bytes]:
        after: tuple[datetime, UUID] | None = None
        while True:
            async with self._db.read() as session:
                keys = await self._examples.page_ids(
                    session, round_id=round_.id, after=after, limit=_EXPORT_BATCH
                )
                ids = [example_id for _, example_id in keys]
                items = await self._describe(session, ids, round_=round_, actor=actor)
            for item in items:
                yield orjson.dumps(item.model_dump(mode="json")) + b"\n"
            if len(keys) < _EXPORT_BATCH:
                return
            after = keys[-1]

    async def _require_expert(self, round_id: UUID, actor: Actor) -> tuple[Round, Task]:
        require_signed_in(actor)
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.EXPERT)
        return round_, task

    async def _chosen(
        self, session: Session, round_id: UUID, example_ids: Sequence[UUID], *, by: UUID
    ) -> tuple[list[UUID], list[UUID]]:
        found = await self._examples.get_many(session, sorted(set(example_ids)))
        of_round = [example for example in found if example.round_id == round_id]
        if len(of_round) < len(set(example_ids)):
            raise ExampleNotFoundError
        chosen = [example.id for example in of_round if example.annotator_id != by]
        own = [example.id for example in of_round if example.annotator_id == by]
        return chosen, own

    async def _describe(
        self, session: Session, example_ids: Sequence[UUID], *, round_: Round, actor: Actor
    ) -> list[OutcomeRead]:
        """Describe examples, but for the reader's own ones of which they may not know yet."""
        found = [
            example
            for example in await self._examples.get_many(session, example_ids)
            if not is_hidden_from(actor.user_id, example, round_)
        ]
        outcomes = await self._outcomes.get_many(session, example_ids)
        votes = await ExpertRepository(session).votes(example_ids)
        people = {example.annotator_id for example in found}
        people |= {vote.validator_id for cast in votes.values() for vote in cast}
        names = await self._people.usernames(list(people))
        contexts = {
            context_id: await self._contexts.get(context_id)
            for context_id in {example.context_id for example in found}
        }
        return [
            OutcomeRead(
                example=describe_example(
                    example,
                    round_=round_,
                    annotator=names[example.annotator_id],
                    viewer_id=actor.user_id,
                ),
                context=contexts[example.context_id].content,
                context_tag=contexts[example.context_id].tag,
                verdict=outcomes[example.id].verdict,
                gold=outcomes[example.id].gold,
                fooled=outcomes[example.id].fooled,
                agrees_with_author=outcomes[example.id].agrees_with_author,
                is_voided=outcomes[example.id].voided_at is not None,
                votes=[_describe_vote(vote, names) for vote in votes.get(example.id, ())],
            )
            for example in found
        ]


def _describe_vote(vote: VoteRow, names: dict[UUID, str]) -> VoteRead:
    return VoteRead(
        id=vote.id,
        validator=names[vote.validator_id],
        vote=vote.vote,
        answer=vote.answer,
        metadata=vote.metadata,
        is_expert=vote.is_expert,
        created_at=vote.created_at,
        withdrawn_at=vote.withdrawn_at,
    )


def _expert_vote(
    example_id: UUID, *, round_id: UUID, by: UUID, vote: Vote, metadata: Values, now: datetime
) -> VoteRow:
    return VoteRow(
        id=new_id(),
        example_id=example_id,
        round_id=round_id,
        validator_id=by,
        vote=vote,
        answer=None,
        metadata=metadata,
        is_expert=True,
        time_spent_seconds=None,
        created_at=now,
        withdrawn_at=None,
    )
