"""Use cases of examples: submit an attempt, explain it, retract it, flag it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, find
from dynabench.kit.wire import Values
from dynabench.loop.chats.rules import with_conversation
from dynabench.loop.chats.service import ChatService
from dynabench.loop.chats.values import Chat
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.answering.service import AnsweringService, check_draft
from dynabench.loop.examples.answering.values import AnsweredDraft
from dynabench.loop.examples.describing.service import describe_example, is_hidden_from
from dynabench.loop.examples.errors import (
    BudgetSpentError,
    ExampleNotFoundError,
    NotYourExampleError,
    RoundNotOpenError,
)
from dynabench.loop.examples.files.service import with_files, with_files_explaining
from dynabench.loop.examples.judging.rules import needs_judge, with_author, with_judgements
from dynabench.loop.examples.permissions import can_read, is_author
from dynabench.loop.examples.repository import ExampleRepository, Reading
from dynabench.loop.examples.rules import require_contrast, require_retractable
from dynabench.loop.examples.schemas import ExampleCreate, ExamplePatch, ExampleRead, FlagCreate
from dynabench.loop.examples.storing.service import StoringService, announce_change
from dynabench.loop.examples.values import StoredExample, StoredPrediction, Writer
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.models.judges.rules import has_rubric
from dynabench.loop.rounds.rules import are_models_named, draw_arm, models_of, pick_targets
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, Round, RoundStatus, Target, TargetPolicy
from dynabench.loop.tasks.permissions import require_annotator
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.directory.service import UserDirectory
from dynabench.science.task_config.schema import TaskConfig

_MINE_LIMIT = 200


class ExampleService:
    """Keeps every attempt, fooling or not."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        contexts: ContextService,
        people: UserDirectory,
        answering: AnsweringService,
        chats: ChatService,
        media: MediaResolver,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._people = people
        self._answering = answering
        self._chats = chats
        self._media = media
        self._storing = StoringService(
            db=db, clock=clock, rounds=rounds, contexts=contexts, chats=chats
        )

    async def submit(
        self, round_id: UUID, body: ExampleCreate, *, actor: Actor, key: RequestKey | None
    ) -> ExampleRead:
        """Show an attempt to the round's target models and keep it, fooled or not."""
        annotator_id = require_signed_in(actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self.read(done, actor=actor)
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        require_annotator(task, await self._tasks.role_of(task.id, actor), actor)
        await self._require_collecting(round_)
        context = await self._contexts.get(body.context_id)
        if context.task_id != task.id:
            raise ContextNotFoundError
        await self._require_own_contrast(body.contrast_of, round_, annotator_id)
        body = await with_files(body, media=self._media, config=task.config, actor=actor)
        chat = await self._chats.take_up(
            body.inputs,
            config=task.config,
            round_id=round_id,
            context_id=context.id,
            annotator_id=annotator_id,
        )
        inputs = body.inputs if chat is None else with_conversation(body.inputs, chat)
        draft = check_draft(task.config, context=context.content, inputs=inputs, answer=body.answer)
        arm = draw_arm(round_, context_id=context.id, annotator_id=annotator_id)
        targets = (
            await self._targets(round_, arm, annotator_id, context.id)
            if chat is None
            else tuple(one for one in models_of(round_, arm) if one.model_id in chat.model_ids)
        )
        answered = await self._answering.ask(
            draft,
            task=task,
            context=context.content,
            targets=targets,
            policy=round_.target_policy,
            is_secret=arm is Arm.NO_MODEL or not are_models_named(round_),
            writer=Writer(round_id=round_id, annotator_id=annotator_id),
        )
        return await self._store(
            body, answered=answered, round_=round_, arm=arm, actor=actor, key=key, chat=chat
        )

    async def mine(
        self, round_id: UUID, *, context_id: UUID | None, actor: Actor
    ) -> list[ExampleRead]:
        """Return the actor's own attempts in a round, newest first."""
        annotator_id = require_signed_in(actor)
        round_ = await self._rounds.get_visible(round_id, actor)
        async with self._db.read() as session:
            found = await ExampleRepository(session).mine(
                round_id=round_id,
                annotator_id=annotator_id,
                context_id=context_id,
                limit=_MINE_LIMIT,
            )
        return [
            describe_example(one, round_=round_, annotator=actor.username, viewer_id=annotator_id)
            for one in found
        ]

    async def read(self, example_id: UUID, *, actor: Actor) -> ExampleRead:
        """Return an attempt to its author, an owner or an expert."""
        example = await self._get_visible(example_id, actor)
        round_ = await self._rounds.get(example.round_id)
        names = await self._people.usernames([example.annotator_id])
        return describe_example(
            example,
            round_=round_,
            annotator=names[example.annotator_id],
            viewer_id=actor.user_id,
            tries_left=max(round_.max_tries - example.attempt_number, 0),
        )

    async def change(self, example_id: UUID, body: ExamplePatch, *, actor: Actor) -> ExampleRead:
        """Add explanations, or the author's word where the rule is to ask."""
        example = await self._get_own(example_id, actor)
        task = await self._tasks.get_by_id(example.task_id)
        body = await with_files_explaining(body, media=self._media, config=task.config, actor=actor)
        context: Values = {}
        if body.explanations:
            context = (await self._contexts.get(example.context_id)).content
        word = body.user_says_fooled
        judged = None if word is None else await self._judged(example, task)
        round_ = await self._rounds.get(example.round_id)
        policy = round_.target_policy
        is_hidden = is_hidden_from(actor.user_id, example, round_)
        async with self._db.transaction() as session:
            example = await self._hold(session, example)
            changes: dict[str, object] = {}
            if word is not None:
                example = example if judged is None else with_judgements(example, judged)
                example = with_author(example, says_wrong=word, policy=policy, config=task.config)
                await ExampleRepository(session).change_predictions(example)
                changes["fooled_by_author_answer"] = example.fooled_by_author_answer
            changes |= _explanations(
                body,
                example,
                config=task.config,
                context=context,
                fooled=None if is_hidden else example.fooled_by_author_answer,
            )
            if changes:
                await self._change(session, example, changes)
        return await self.read(example_id, actor=actor)

    async def retract(self, example_id: UUID, *, actor: Actor) -> ExampleRead:
        """Take an own attempt back; it stays below the line of every rate."""
        example = await self._get_own(example_id, actor)
        async with self._db.transaction() as session:
            example = await self._hold(session, example)
            require_retractable(example)
            await self._change(session, example, {"retracted_at": self._clock.now()})
        return await self.read(example_id, actor=actor)

    async def flag(self, example_id: UUID, body: FlagCreate, *, actor: Actor) -> ExampleRead:
        """Say that something is wrong with an own attempt or its context."""
        example = await self._get_own(example_id, actor)
        changes = {"flagged_at": self._clock.now(), "flag_reason": body.reason}
        async with self._db.transaction() as session:
            example = await self._hold(session, example)
            await self._change(session, example, changes)
        return await self.read(example_id, actor=actor)

    async def get_many(self, session: Session, example_ids: Sequence[UUID]) -> list[StoredExample]:
        """Return attempts in the order of the ids, within the caller's transaction."""
        return await ExampleRepository(session).get_many(example_ids)

    async def get(self, session: Session, example_id: UUID) -> StoredExample:
        """Return an attempt, within the caller's transaction.

        Raises:
            ExampleNotFoundError: If there is none.
        """
        example = await ExampleRepository(session).get(example_id)
        if example is None:
            raise ExampleNotFoundError
        return example

    def reading(self, example_id: UUID) -> Reading:
        """Return the queries that read an attempt, to be sent with others."""
        return Reading([example_id])

    async def page_ids(
        self,
        session: Session,
        *,
        round_id: UUID,
        after: tuple[datetime, UUID] | None,
        limit: int,
    ) -> Sequence[tuple[datetime, UUID]]:
        """Return the next (time, id) pairs of a round's attempts, in stored order."""
        return await ExampleRepository(session).page_ids(
            round_id=round_id, after=after, limit=limit
        )

    async def tries(
        self, session: Session, *, round_id: UUID, annotator_id: UUID, context_id: UUID
    ) -> int:
        """Return how many attempts an annotator made on a context in a round."""
        return await ExampleRepository(session).tries(
            round_id=round_id, annotator_id=annotator_id, context_id=context_id
        )

    async def _require_collecting(self, round_: Round) -> None:
        if round_.status is not RoundStatus.OPEN:
            raise RoundNotOpenError(round_number=round_.number, status=round_.status)
        self._rounds.require_within(round_)
        if round_.days_end_at is not None and self._clock.now() >= round_.days_end_at:
            await self._rounds.close_for_budget(round_.id, reason="Its days are over.")
            raise BudgetSpentError(round_number=round_.number)

    async def _require_own_contrast(
        self, contrast_of: UUID | None, round_: Round, annotator_id: UUID
    ) -> None:
        if contrast_of is None:
            return
        async with self._db.read() as session:
            other = await ExampleRepository(session).get(contrast_of)
        require_contrast(other, round_id=round_.id, annotator_id=annotator_id)

    async def _targets(
        self, round_: Round, arm: Arm, annotator_id: UUID, context_id: UUID
    ) -> tuple[Target, ...]:
        if arm is Arm.EARLIER_TARGET or round_.target_policy is not TargetPolicy.RANDOM:
            return models_of(round_, arm)
        async with self._db.read() as session:
            tries = await self.tries(
                session, round_id=round_.id, annotator_id=annotator_id, context_id=context_id
            )
        return pick_targets(
            round_, context_id=context_id, annotator_id=annotator_id, attempt_number=tries + 1
        )

    async def _store(
        self,
        body: ExampleCreate,
        *,
        answered: AnsweredDraft,
        round_: Round,
        arm: Arm,
        actor: Actor,
        key: RequestKey | None,
        chat: Chat | None,
    ) -> ExampleRead:
        try:
            example = await self._storing.store(
                body,
                answered=answered,
                round_=round_,
                annotator_id=require_signed_in(actor),
                arm=arm,
                key=key,
                chat=chat,
            )
        except AlreadyDone as done:
            return await self.read(done.resource_id, actor=actor)
        return describe_example(
            example,
            round_=round_,
            annotator=actor.username,
            viewer_id=actor.user_id,
            tries_left=round_.max_tries - example.attempt_number,
        )

    async def _judged(self, example: StoredExample, task: Task) -> list[StoredPrediction] | None:
        """Ask the judge again where it had no word yet; None where no rubric holds."""
        if not has_rubric(task.config) or not needs_judge(example.predictions):
            return None
        context = await self._contexts.get(example.context_id)
        values = {**context.content, **example.inputs}
        return await self._answering.judge(example.predictions, task=task, values=values)

    async def _hold(self, session: Session, example: StoredExample) -> StoredExample:
        """Return an attempt as it is now, which nobody else changes or releases meanwhile."""
        await self._rounds.hold_unreleased(session, example.round_id)
        held = await ExampleRepository(session).get(example.id, lock=True)
        assert held is not None, "an attempt is never deleted"
        return held

    async def _change(
        self, session: Session, example: StoredExample, changes: dict[str, object]
    ) -> None:
        """Change an attempt that is held, and have its outcome follow."""
        await ExampleRepository(session).change(example.id, **changes)
        await announce_change(session, example)

    async def _get_visible(self, example_id: UUID, actor: Actor) -> StoredExample:
        async with self._db.read() as session:
            example = await self.get(session, example_id)
        role = await self._tasks.role_of(example.task_id, actor)
        if not can_read(actor, example, role):
            raise ExampleNotFoundError
        return example

    async def _get_own(self, example_id: UUID, actor: Actor) -> StoredExample:
        require_signed_in(actor)
        example = await self._get_visible(example_id, actor)
        if not is_author(actor, example):
            raise NotYourExampleError
        return example


def _explanations(
    body: ExamplePatch,
    example: StoredExample,
    *,
    config: TaskConfig,
    context: Values,
    fooled: bool | None,
) -> dict[str, object]:
    """Return the column that an author's explanations change.

    Which may be given hangs on `fooled`; None, where its author may not know, forbids none.
    """
    if body.explanations is None:
        return {}
    checked = config.check_metadata(
        body.explanations,
        stage="create",
        model_wrong=fooled,
        context={**context, **example.inputs},
    )
    return {"explanations": example.explanations | checked}
