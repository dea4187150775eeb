"""Use case of storing: an answered draft becomes a row, or a sentence says why not."""

import hashlib
from datetime import datetime
from uuid import UUID

from dynabench.engines.jobs.outbox import announce
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.answering.values import AnsweredDraft
from dynabench.loop.examples.errors import RoundNotOpenError, TriesSpentError
from dynabench.loop.examples.repository import ExampleRepository
from dynabench.loop.examples.rules import Author, refuse_duplicates, text_of
from dynabench.loop.examples.schemas import ExampleCreate
from dynabench.loop.examples.values import EXAMPLE_CHANGED, ExampleChanged, StoredExample
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.science.texts.near_duplicates import bands_of, duplicate_key


async def announce_change(session: Session, example: StoredExample) -> None:
    """Have everything that is derived from an attempt brought up to it."""
    change = ExampleChanged(
        example_id=example.id,
        round_id=example.round_id,
        annotator_id=example.annotator_id,
        context_id=example.context_id,
        created_at=example.created_at,
    )
    await announce(session, consumer=EXAMPLE_CHANGED, payload=change.payload())


class StoringService:
    """Stores answered drafts."""

    def __init__(
        self, *, db: Database, clock: Clock, rounds: RoundService, contexts: ContextService
    ) -> None:
        self._db = db
        self._clock = clock
        self._rounds = rounds
        self._contexts = contexts

    async def store(
        self,
        body: ExampleCreate,
        *,
        answered: AnsweredDraft,
        round_: Round,
        annotator_id: UUID,
        key: RequestKey | None,
    ) -> StoredExample:
        """Store an attempt, fooling or not, in one transaction.

        Raises:
            AlreadyDone: If the same request has stored it meanwhile.
            DuplicateExampleError: If it repeats an example of the round.
            NearDuplicateExampleError: If it is too close to one.
            TriesSpentError: If the annotator has used all tries on the context.
            RoundNotOpenError: If the round was closed meanwhile.
        """
        try:
            async with self._db.transaction() as session:
                example = await self._add(
                    session,
                    body,
                    answered=answered,
                    round_=round_,
                    annotator_id=annotator_id,
                    key=key,
                )
                if key is not None:
                    await claim(session, key, example.id)
        except RoundStateError as error:
            raise RoundNotOpenError(
                round_number=round_.number, status=str(error.facts["status"])
            ) from error
        return example

    async def _add(
        self,
        session: Session,
        body: ExampleCreate,
        *,
        answered: AnsweredDraft,
        round_: Round,
        annotator_id: UUID,
        key: RequestKey | None,
    ) -> StoredExample:
        repository = ExampleRepository(session)
        await self._rounds.hold_open(session, round_.id)
        scope = round_.id.bytes
        same_key, bands = _fingerprint(body, answered, scope=scope)
        own_tries = scope + annotator_id.bytes + body.context_id.bytes
        await repository.queue_up({*bands, _number_of(same_key), _number_of(own_tries)})
        # Of two clicks at once the second has waited here for the first.
        if key is not None and (earlier := await find(session, key)) is not None:
            raise AlreadyDone(earlier)
        refuse_duplicates(
            answered.draft.inputs,
            author=Author(annotator_id=annotator_id, context_id=body.context_id),
            candidates=await repository.candidates(
                round_id=round_.id, duplicate_key=same_key, bands=bands
            ),
        )
        tries = await repository.tries(
            round_id=round_.id, annotator_id=annotator_id, context_id=body.context_id
        )
        if tries >= round_.max_tries:
            raise TriesSpentError(max_tries=round_.max_tries)
        now = self._clock.now()
        example = _example_of(
            body,
            answered=answered,
            round_=round_,
            annotator_id=annotator_id,
            attempt_number=tries + 1,
            now=now,
        )
        await repository.add(example, duplicate_key=same_key, bands=bands)
        await self._contexts.lease(
            session,
            round_id=round_.id,
            context_id=body.context_id,
            annotator_id=annotator_id,
            now=now,
        )
        await announce_change(session, example)
        return example


def _fingerprint(
    body: ExampleCreate, answered: AnsweredDraft, *, scope: bytes
) -> tuple[bytes, list[int]]:
    """Return the key that a repetition would share, and the bands that a likeness would."""
    inputs, answer = answered.draft.inputs, answered.draft.answer
    # Where nothing but an answer is written, the same answer on another context is no
    # duplicate.
    same_scope = scope if inputs else scope + body.context_id.bytes
    return duplicate_key(same_scope, inputs, answer), bands_of(text_of(inputs), scope)


def _number_of(key: bytes) -> int:
    """Return a key's place in line; two keys that share one only wait for each other."""
    return int.from_bytes(hashlib.sha256(key).digest()[:4], "big", signed=True)


def _example_of(
    body: ExampleCreate,
    *,
    answered: AnsweredDraft,
    round_: Round,
    annotator_id: UUID,
    attempt_number: int,
    now: datetime,
) -> StoredExample:
    return StoredExample(
        id=new_id(),
        task_id=round_.task_id,
        round_id=round_.id,
        context_id=body.context_id,
        annotator_id=annotator_id,
        attempt_number=attempt_number,
        inputs=answered.draft.inputs,
        answer=answered.draft.answer,
        explanations={},
        fooled_by_author_answer=answered.fooled,
        origin=body.origin,
        suggestion_kept=body.suggestion_kept,
        time_spent_seconds=body.time_spent_seconds,
        contrast_of=body.contrast_of,
        created_at=now,
        retracted_at=None,
        flagged_at=None,
        flag_reason=None,
        predictions=answered.predictions,
    )
