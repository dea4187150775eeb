"""Use cases of validators: take the next examples, vote, withdraw a vote, pass over."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in, require_writer
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.db.pipeline import Query, send
from dynabench.kit.idempotency import (
    AlreadyDone,
    RequestKey,
    claiming,
    finding,
    require_first,
)
from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.errors import ExampleNotFoundError
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus, ValidationMode
from dynabench.loop.tasks.permissions import require_annotator
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.admission.service import AdmissionService
from dynabench.loop.validations.errors import (
    AlreadyVotedError,
    NotLentError,
    OwnExampleError,
    ValidationNotFoundError,
)
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService, rule_of
from dynabench.loop.validations.permissions import can_judge
from dynabench.loop.validations.repository import (
    Queue,
    Taken,
    ValidationRepository,
    VoteRow,
    adding_vote,
    asking_whether_lent,
    asking_whether_voted,
    ending_lease,
)
from dynabench.loop.validations.rules import (
    claim_of,
    require_collected_here,
    require_skip_left,
    require_vote_fits,
    require_wanted,
    require_withdrawable,
    takes_votes,
    unnamed,
)
from dynabench.loop.validations.schemas import (
    ItemToValidate,
    NextToValidateRead,
    ValidationCreate,
    ValidationRead,
)
from dynabench.loop.validations.values import LEASE_DURATION, WITHDRAWAL_WINDOW, Vote


class ValidationService:
    """Hands out examples to judge and keeps the votes, one by one."""

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
        media: MediaResolver,
        admission: AdmissionService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._examples = examples
        self._outcomes = outcomes
        self._folds = folds
        self._media = media
        self._admission = admission

    async def next_items(self, round_id: UUID, *, count: int, actor: Actor) -> NextToValidateRead:
        """Lease the next examples: fooling first, then closest to a quorum, then oldest."""
        validator_id = require_writer(actor)
        round_, task = await self._judging(round_id, actor)
        barred = await self._admission.barred_authors(
            validator_id, role=await self._tasks.role_of(task.id, actor)
        )
        await self._folds.catch_up()
        now = self._clock.now()
        queue = _queue_of(round_, validator_id=validator_id, barred=barred, now=now)
        taken = await self._take(queue, count=count)
        if not taken.items:
            # Nobody is sent away for what was written since the last fold.
            await self._folds.catch_up(at_once=True)
            taken = await self._take(queue, count=count)
        is_blind = round_.validation.mode is ValidationMode.BLIND
        judged: dict[UUID, StoredExample] = {}
        if task.config.asks_author and taken.items:
            async with self._db.read() as session:
                ids = [item.example_id for item in taken.items]
                judged = {one.id: one for one in await self._examples.get_many(session, ids)}
        items = [
            ItemToValidate(
                example_id=item.example_id,
                round_id=round_.id,
                mode=round_.validation.mode,
                context=item.context,
                inputs=unnamed(item.inputs, task.config),
                answer=None if is_blind else item.answer,
                **claim_of(judged.get(item.example_id)),
                lease_expires_at=now + LEASE_DURATION,
            )
            for item in taken.items
        ]
        return NextToValidateRead(items=items, my_votes=taken.votes, waiting=taken.waiting)

    async def _take(self, queue: Queue, *, count: int) -> Taken:
        async with self._db.transaction() as session:
            return await ValidationRepository(session).take_next(
                queue, expires_at=queue.now + LEASE_DURATION, count=count
            )

    async def skip(self, example_id: UUID, *, actor: Actor) -> None:
        """Pass over a lent example; it is not offered to this validator again.

        Raises:
            TooManySkipsError: If they have passed over too many for what they judged.
        """
        validator_id = require_signed_in(actor)
        async with self._db.read() as session:
            example = await self._examples.get(session, example_id)
        await self._judging(example.round_id, actor)
        async with self._db.transaction() as session:
            repository = ValidationRepository(session)
            await self._skip(repository, example_id, example.round_id, by=validator_id)

    async def _skip(
        self, repository: ValidationRepository, example_id: UUID, round_id: UUID, *, by: UUID
    ) -> None:
        skipped, judged = await repository.passed_over(round_id=round_id, validator_id=by)
        require_skip_left(skipped=skipped, judged=judged)
        await repository.skip(example_id=example_id, validator_id=by, now=self._clock.now())

    async def vote(
        self, example_id: UUID, body: ValidationCreate, *, actor: Actor, key: RequestKey | None
    ) -> ValidationRead:
        """Store a vote and what it makes of the example's verdict, in one transaction."""
        validator_id = require_signed_in(actor)
        reading = self._examples.reading(example_id)
        earlier = [] if key is None else [finding(key)]
        async with self._db.read() as session:
            await send(session, *earlier, *reading.queries)
        for one in earlier:
            if one.result is not None:
                return await self._read_own(one.result, validator_id)
        example = reading.found().get(example_id)
        if example is None:
            raise ExampleNotFoundError
        if not can_judge(actor, annotator_id=example.annotator_id):
            raise OwnExampleError
        round_, task = await self._judging(example.round_id, actor)
        require_collected_here(round_)
        body = await self._with_files(body, task=task, actor=actor)
        row = await self._vote_row(body, example, round_=round_, task=task, by=validator_id)
        try:
            async with self._db.transaction() as session:
                await self._store(session, row, example=example, round_=round_, key=key)
        except AlreadyDone as done_meanwhile:
            return await self._read_own(done_meanwhile.resource_id, validator_id)
        return _describe(row)

    async def _store(
        self,
        session: Session,
        row: VoteRow,
        *,
        example: StoredExample,
        round_: Round,
        key: RequestKey | None,
    ) -> None:
        """Store a vote and the outcome that it makes."""
        ballot = self._ballot(row, key)
        # Of two clicks at once the second waits here for the first.
        await send(session, *ballot.queries)
        if example.id not in ballot.held.result:
            await self._outcomes.begin(session, example)
            ballot = self._ballot(row, key)
            await send(session, *ballot.queries)
        for earlier in ballot.earlier:
            if earlier.result is not None:
                raise AlreadyDone(earlier.result)
        if ballot.has_voted.result:
            raise AlreadyVotedError
        if not ballot.is_lent.result:
            raise NotLentError
        held = ballot.held.result[example.id]
        require_wanted(held, example=example, rule=rule_of(round_), status=ballot.round_status)
        cast = [*ballot.votes.result.get(example.id, []), row.as_cast()]
        claimed = [claiming(key, row.id)] if key is not None else []
        await send(
            session,
            *claimed,
            adding_vote(row),
            ending_lease(example_id=example.id, validator_id=row.validator_id),
            *await self._outcomes.after(example, cast, held=held),
        )
        if key is not None:
            await require_first(session, key, is_first=claimed[0].result)

    async def withdraw(self, validation_id: UUID, *, actor: Actor) -> None:
        """Withdraw an own vote within ten seconds; the verdict is recomputed.

        The example is lent to the same person again, but for a blind round: whoever saw what
        their answer changed could try the next one. There it goes to others.
        """
        validator_id = require_signed_in(actor)
        async with self._db.transaction() as session:
            repository = ValidationRepository(session)
            vote = await repository.get(validation_id)
            if vote is None or vote.validator_id != validator_id or vote.is_expert:
                raise ValidationNotFoundError
            await self._rounds.hold_unreleased(session, vote.round_id)
            require_withdrawable(
                cast_at=vote.created_at,
                now=self._clock.now(),
                is_withdrawn=vote.withdrawn_at is not None,
            )
            now = self._clock.now()
            await repository.withdraw(validation_id, now=now)
            round_ = await self._rounds.get(vote.round_id)
            if round_.validation.mode is ValidationMode.BLIND:
                await self._skip(repository, vote.example_id, vote.round_id, by=validator_id)
            else:
                await repository.lend_again(
                    example_id=vote.example_id,
                    validator_id=validator_id,
                    expires_at=now + LEASE_DURATION,
                )
            await self._outcomes.refresh_and_announce(session, [vote.example_id])

    def _ballot(self, row: VoteRow, key: RequestKey | None) -> "_Ballot":
        return _Ballot(row, key, rounds=self._rounds, outcomes=self._outcomes)

    async def _judging(self, round_id: UUID, actor: Actor) -> tuple[Round, Task]:
        """Return a round and its task to somebody who may judge its examples."""
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        role = await self._tasks.role_of(task.id, actor)
        require_annotator(task, role, actor)
        if round_.validation.mode is ValidationMode.BLIND:
            await self._admission.require_blind(require_signed_in(actor), role=role, round_=round_)
        return round_, task

    async def _with_files(
        self, body: ValidationCreate, *, task: Task, actor: Actor
    ) -> ValidationCreate:
        """Return a vote whose pictures and sounds are stored here."""
        config, answer = task.config, body.answer
        if answer is not None:
            answer = await self._media.resolve(
                config.gold_fields, answer, prefix="answer", actor=actor
            )
        metadata = await self._media.resolve_metadata(
            config.validate_metadata, body.metadata, actor=actor
        )
        return body.model_copy(update={"answer": answer, "metadata": metadata})

    async def _vote_row(
        self,
        body: ValidationCreate,
        example: StoredExample,
        *,
        round_: Round,
        task: Task,
        by: UUID,
    ) -> VoteRow:
        mode = round_.validation.mode
        require_vote_fits(mode, vote=body.vote, answer=body.answer)
        answer, vote = None, body.vote
        texts: Values = {}
        if body.answer is not None or body.metadata:
            context = (await self._contexts.get(example.context_id)).content
            texts = {**context, **example.inputs}
        if body.answer is not None:
            answer = task.config.check_answer(body.answer, context=texts)
            agrees = task.config.answers_match(example.answer, answer)
            vote = Vote.CORRECT if agrees else Vote.INCORRECT
        assert vote is not None
        return VoteRow(
            id=new_id(),
            example_id=example.id,
            round_id=example.round_id,
            validator_id=by,
            vote=vote,
            answer=answer,
            # In blind mode nobody sees a vote, so no field may depend on it but a flag's.
            metadata=task.config.check_metadata(
                body.metadata,
                stage="validate",
                vote=None if answer else vote.value,
                context=texts,
            ),
            is_expert=False,
            time_spent_seconds=body.time_spent_seconds,
            created_at=self._clock.now(),
            withdrawn_at=None,
        )

    async def _read_own(self, validation_id: UUID, validator_id: UUID) -> ValidationRead:
        async with self._db.transaction() as session:
            row = await ValidationRepository(session).get(validation_id)
        if row is None or row.validator_id != validator_id:
            raise ValidationNotFoundError
        return _describe(row)


class _Ballot:
    """The queries that hold a round and an outcome, and read all that a vote needs."""

    def __init__(
        self,
        row: VoteRow,
        key: RequestKey | None,
        *,
        rounds: RoundService,
        outcomes: OutcomeService,
    ) -> None:
        self._round = rounds.holding(row.round_id)
        self.held = outcomes.holding(row.example_id)
        self.earlier = [finding(key)] if key is not None else []
        self.has_voted = asking_whether_voted(
            example_id=row.example_id, validator_id=row.validator_id
        )
        self.is_lent = asking_whether_lent(
            example_id=row.example_id, validator_id=row.validator_id, now=row.created_at
        )
        self.votes = outcomes.reading_votes(row.example_id)

    @property
    def queries(self) -> list[Query[Any]]:
        """In the order in which they run: what follows a lock sees what it waited for."""
        return [
            *self._round,
            self.held,
            *self.earlier,
            self.has_voted,
            self.is_lent,
            self.votes,
        ]

    @property
    def round_status(self) -> RoundStatus:
        """What the round is until the transaction ends."""
        found = self._round.state.result
        assert found is not None, "an example has a round"
        return found.status


def _queue_of(round_: Round, *, validator_id: UUID, barred: Sequence[UUID], now: datetime) -> Queue:
    return Queue(
        round_id=round_.id,
        validator_id=validator_id,
        quorum=round_.validation.quorum,
        maximum=round_.validation.maximum if takes_votes(round_) else 0,
        now=now,
        barred_authors=barred,
    )


def _describe(row: VoteRow) -> ValidationRead:
    return ValidationRead(
        id=row.id,
        example_id=row.example_id,
        # A blind answer: whether it is the author's as well stays untold.
        vote=row.vote if row.answer is None else None,
        created_at=row.created_at,
        withdrawable_until=row.created_at + WITHDRAWAL_WINDOW,
    )
