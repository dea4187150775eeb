"""Use case of storing: an answered draft becomes a row, or a sentence says why not."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from dynabench.engines.jobs.outbox import announcing
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.db.pipeline import Query, ask, send
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claiming, finding, require_first
from dynabench.kit.ids import new_id
from dynabench.loop.chats.service import ChatService
from dynabench.loop.chats.values import Chat
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.answering.values import AnsweredDraft, ExampleDraft
from dynabench.loop.examples.errors import RoundNotOpenError, TriesSpentError
from dynabench.loop.examples.repository import (
    adding,
    counting_tries,
    finding_candidates,
    finding_unreleased,
    queueing_up,
)
from dynabench.loop.examples.rules import Author, compared_text, refuse_duplicates
from dynabench.loop.examples.schemas import ExampleCreate
from dynabench.loop.examples.values import (
    EXAMPLE_CHANGED,
    ExampleChanged,
    Fingerprint,
    StoredExample,
)
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Arm, Round
from dynabench.science.texts.near_duplicates import Signature, bands, duplicate_key, signature

# A round's release is learned this long after, at most; until then its texts count as taken.
_REMEMBERED = timedelta(seconds=5)


async def announce_change(session: Session, example: StoredExample) -> None:
    """Have everything that is derived from an attempt brought up to it."""
    await ask(session, announcing_change(example))


def announcing_change(example: StoredExample) -> Query[None]:
    """Return the query that does so, to be sent with others."""
    change = ExampleChanged(
        example_id=example.id,
        round_id=example.round_id,
        annotator_id=example.annotator_id,
        context_id=example.context_id,
        created_at=example.created_at,
    )
    return announcing(consumer=EXAMPLE_CHANGED, payload=change.payload())


class StoringService:
    """Stores answered drafts."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        rounds: RoundService,
        contexts: ContextService,
        chats: ChatService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._rounds = rounds
        self._contexts = contexts
        self._chats = chats
        self._unreleased: dict[UUID, tuple[datetime, list[UUID]]] = {}

    async def store(
        self,
        body: ExampleCreate,
        *,
        answered: AnsweredDraft,
        round_: Round,
        annotator_id: UUID,
        arm: Arm,
        key: RequestKey | None,
        chat: Chat | None = None,
    ) -> StoredExample:
        """Store an attempt, fooling or not, in one transaction.

        Raises:
            ChatFinishedError: If its conversation is part of another attempt.
            ChatChangedError: If its conversation went on meanwhile.
            AlreadyDone: If the same request has stored it meanwhile.
            DuplicateExampleError: If it repeats an example of the round, or of another one of
                its task that is not released.
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
                    arm=arm,
                    key=key,
                )
                if chat is not None:
                    await self._chats.finish(session, chat)
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
        arm: Arm,
        key: RequestKey | None,
    ) -> StoredExample:
        author = Author(annotator_id=annotator_id, context_id=body.context_id)
        own, *others = await self._fingerprints(session, answered.draft, author, round_)
        tries = await self._require_new(
            session,
            answered.draft,
            author=author,
            round_=round_,
            fingerprints=(own, *others),
            key=key,
        )
        now = self._clock.now()
        example = _example_of(
            body,
            answered=answered,
            round_=round_,
            annotator_id=annotator_id,
            arm=arm,
            attempt_number=tries + 1,
            now=now,
        )
        claimed = [claiming(key, example.id)] if key is not None else []
        await send(
            session,
            *claimed,
            *adding(example, duplicate_key=own.key, bands=own.bands),
            self._contexts.leasing(
                round_id=round_.id,
                context_id=body.context_id,
                annotator_id=annotator_id,
                now=now,
            ),
            announcing_change(example),
        )
        if key is not None:
            await require_first(session, key, is_first=claimed[0].result)
        return example

    async def _require_new(
        self,
        session: Session,
        draft: ExampleDraft,
        *,
        author: Author,
        round_: Round,
        fingerprints: Sequence[Fingerprint],
        key: RequestKey | None,
    ) -> int:
        """Refuse what the round will not take; returns how often its author has tried."""
        own_tries = round_.id.bytes + author.annotator_id.bytes + author.context_id.bytes
        held = self._rounds.holding(round_.id)
        earlier = [finding(key)] if key is not None else []
        own = fingerprints[0]
        candidates = finding_candidates(fingerprints)
        tries = counting_tries(
            round_id=round_.id, annotator_id=author.annotator_id, context_id=author.context_id
        )
        # Of two clicks at once the second waits here for the first, and sees what it stored.
        await send(
            session,
            *held,
            queueing_up({*own.bands, _number_of(own.key), _number_of(own_tries)}),
            *earlier,
            candidates,
            tries,
        )
        self._rounds.require_held_open(round_.id, held)
        for one in earlier:
            if one.result is not None:
                raise AlreadyDone(one.result)
        seen = [
            replace(one, inputs=draft.config.seen_by_model(one.inputs)) for one in candidates.result
        ]
        refuse_duplicates(draft.seen, author=author, candidates=seen)
        if tries.result >= round_.max_tries:
            raise TriesSpentError(max_tries=round_.max_tries)
        return tries.result

    async def _fingerprints(
        self, session: Session, draft: ExampleDraft, author: Author, round_: Round
    ) -> list[Fingerprint]:
        """Return what a repetition would share in the round, then in others not released yet."""
        now = self._clock.now()
        known = self._unreleased.get(round_.task_id)
        if known is None or now >= known[0] + _REMEMBERED:
            known = now, await ask(session, finding_unreleased(round_.task_id))
            self._unreleased[round_.task_id] = known
        minima = signature(compared_text(draft.seen))
        others = [one for one in known[1] if one != round_.id]
        return [
            _fingerprint(draft, minima, round_id=one, author=author) for one in (round_.id, *others)
        ]


def _fingerprint(
    draft: ExampleDraft, minima: Signature | None, *, round_id: UUID, author: Author
) -> Fingerprint:
    """Return the key that a repetition would share, and the bands that a likeness would."""
    scope = round_id.bytes
    own_scope = scope + author.context_id.bytes
    # The same words about another picture are another example.
    if draft.config.is_about_media:
        scope = own_scope
    # Where nothing but an answer is written, the same answer on another context or of another
    # person is no duplicate: to refuse it would tell what the other person answered.
    same_scope = scope if draft.seen else own_scope + author.annotator_id.bytes
    return Fingerprint(
        round_id=round_id,
        key=duplicate_key(same_scope, draft.seen, draft.answer),
        bands=bands(minima, scope),
    )


def _number_of(key: bytes) -> int:
    """Return a key's place in line; two keys that share one only wait for each other."""
    return int.from_bytes(hashlib.sha256(key).digest()[:4], "big", signed=True)


def _example_of(
    body: ExampleCreate,
    *,
    answered: AnsweredDraft,
    round_: Round,
    annotator_id: UUID,
    arm: Arm,
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
        arm=arm,
        predictions=answered.predictions,
    )
