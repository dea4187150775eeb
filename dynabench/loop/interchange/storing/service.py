"""Writes the records of a collection, a batch in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from dynabench.kit.db.database import Database, Session
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.values import ContextItem
from dynabench.loop.examples.replays.service import add_replayed as add_examples
from dynabench.loop.examples.replays.service import link_contrasts
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import Origin, StoredExample, StoredPrediction
from dynabench.loop.interchange.errors import SourceFileError
from dynabench.loop.interchange.rules import (
    example_id_of,
    fooled_by_author,
    judge,
    vote_id_of,
)
from dynabench.loop.interchange.storing.values import StoredBatch, StoredRecord
from dynabench.loop.interchange.values import SourceCollection, SourceRecord
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.replays.service import add_replayed as add_votes
from dynabench.loop.validations.replays.values import AddedVotes, ReplayedVote
from dynabench.people.directory.service import UserDirectory
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig


class RecordStore:
    """Stores records that are not here yet, with their contexts, people and votes."""

    def __init__(
        self,
        *,
        db: Database,
        models: ModelService,
        rounds: RoundService,
        contexts: ContextService,
        people: UserDirectory,
        examples: ExampleService,
        outcomes: OutcomeService,
    ) -> None:
        self._db = db
        self._models = models
        self._rounds = rounds
        self._contexts = contexts
        self._people = people
        self._examples = examples
        self._outcomes = outcomes

    async def store(
        self,
        records: Sequence[SourceRecord],
        *,
        collection: SourceCollection,
        task: Task,
        number: int,
    ) -> StoredBatch:
        """Store a batch of one round; what is there already is left as it is.

        Raises:
            SourceFileError: If a record does not fit the task, naming file, line and field.
            RoundReleasedError: If a record or vote is new and the round is released.
        """
        checked = [check_record(record, task.config, task_slug=task.slug) for record in records]
        people = await self._people_of(checked, collection)
        round_ = await self._make_round(collection, task, number)
        async with self._db.transaction() as session:
            # Taken again for its lock: two replays into one task take turns.
            await self._round(session, round_.target_model_ids, collection, task, number)
            contexts = await self._add_contexts(session, checked, task)
            desk = _Desk(
                collection, config=task.config, round_=round_, people=people, contexts=contexts
            )
            attempts = [desk.example(one) for one in checked]
            ids = sorted({one.id for one in attempts})
            found = {one.id: one for one in await self._examples.get_many(session, ids)}
            missing = [one for one in attempts if one.id not in found]
            new = await self._number_all(session, missing, desk)
            added = await add_examples(session, list(new.values()), config=task.config)
            votes = await add_votes(
                session,
                [vote for one in checked for vote in desk.votes(one)],
                new_examples=added,
                example_ids=ids,
                outcomes=self._outcomes,
            )
            if added or votes.added:
                await self._rounds.hold_unreleased(session, round_.id)
        found |= new
        return StoredBatch(
            round=round_,
            records=tuple(
                _stored(record, attempt, found=found, votes=votes)
                for record, attempt in zip(checked, attempts, strict=True)
            ),
            examples_added=len(added),
            votes_added=votes.added,
        )

    async def link_contrasts(self, round_: Round, pairs: Mapping[str, str]) -> None:
        """Link the halves of contrast pairs, both of which are here."""
        async with self._db.transaction() as session:
            await link_contrasts(
                session,
                {
                    example_id_of(round_.id, one): example_id_of(round_.id, other)
                    for one, other in pairs.items()
                },
            )

    async def _people_of(
        self, records: Sequence[SourceRecord], collection: SourceCollection
    ) -> dict[str, UUID]:
        """Return the pseudonyms of everybody in some records, by their names in the source."""
        names = {
            name: f"{collection.format.value}-{name}"
            for one in records
            for name in (one.author, *(vote.voter for vote in one.votes))
        }
        ids = await self._people.create_synthetic(list(names.values()))
        return {name: ids[username] for name, username in names.items()}

    async def _make_round(self, collection: SourceCollection, task: Task, number: int) -> Round:
        async with self._db.transaction() as session:
            targets: tuple[UUID, ...] = ()
            if collection.model_name is not None:
                name = collection.model_name.format(round=number)
                description = (
                    f"The model in the loop of {collection.title}; its answers are recorded."
                )
                model = await self._models.register_recorded(
                    session, name, task=task, description=description
                )
                targets = (model.id,)
            return await self._round(session, targets, collection, task, number)

    async def _round(
        self,
        session: Session,
        targets: tuple[UUID, ...],
        collection: SourceCollection,
        task: Task,
        number: int,
    ) -> Round:
        plan = RoundPlan(target_model_ids=targets, validation=collection.validation)
        return await self._rounds.create_closed(
            session,
            plan,
            task=task,
            number=number,
            reason=f"It was collected elsewhere: {collection.title}.",
            people_are_known=collection.people_are_known,
            provenance=collection.provenance,
        )

    async def _add_contexts(
        self, session: Session, records: Sequence[SourceRecord], task: Task
    ) -> Mapping[bytes, UUID]:
        items = [ContextItem(content=one.context) for one in records]
        return (await self._contexts.add(session, task_id=task.id, items=items)).ids

    async def _number_all(
        self, session: Session, attempts: Sequence[StoredExample], desk: "_Desk"
    ) -> dict[UUID, StoredExample]:
        """Return numbered attempts by their ids; of records with one id the first counts."""
        numbered: dict[UUID, StoredExample] = {}
        for attempt in attempts:
            if attempt.id not in numbered:
                numbered[attempt.id] = await self._number(session, attempt, desk)
        return numbered

    async def _number(
        self, session: Session, attempt: StoredExample, desk: "_Desk"
    ) -> StoredExample:
        """Give an attempt its place among its author's on the same context."""
        if not desk.people_are_known:
            # Its author is a pseudonym of this record alone.
            return attempt
        place = (attempt.annotator_id, attempt.context_id)
        if place not in desk.tries:
            desk.tries[place] = await self._examples.tries(
                session,
                round_id=attempt.round_id,
                annotator_id=attempt.annotator_id,
                context_id=attempt.context_id,
            )
        desk.tries[place] += 1
        return replace(attempt, attempt_number=desk.tries[place])


class _Desk:
    """Turns the checked records of one batch into rows."""

    def __init__(
        self,
        collection: SourceCollection,
        *,
        config: TaskConfig,
        round_: Round,
        people: Mapping[str, UUID],
        contexts: Mapping[bytes, UUID],
    ) -> None:
        self.people_are_known = collection.people_are_known
        self._quorum = collection.validation.quorum
        self._config = config
        self._round = round_
        self._people = people
        self._contexts = contexts
        self.tries: dict[tuple[UUID, UUID], int] = {}

    def example(self, record: SourceRecord) -> StoredExample:
        """Return a record's row; it is as old as its round, for sources tell no times."""
        fooled = fooled_by_author(self._config, answer=record.answer, prediction=record.prediction)
        return StoredExample(
            id=example_id_of(self._round.id, record.uid),
            task_id=self._round.task_id,
            round_id=self._round.id,
            context_id=self._contexts[content_digest(record.context)],
            annotator_id=self._people[record.author],
            attempt_number=1,
            inputs=record.inputs,
            answer=record.answer,
            explanations=record.explanations,
            fooled_by_author_answer=fooled,
            origin=Origin.HUMAN,
            suggestion_kept=None,
            time_spent_seconds=None,
            contrast_of=None,
            created_at=self._round.created_at,
            retracted_at=None,
            flagged_at=None,
            flag_reason=None,
            predictions=self._predictions(record, is_wrong=fooled),
        )

    def votes(self, record: SourceRecord) -> list[ReplayedVote]:
        """Return a record's votes, a microsecond apart so that their order is kept."""
        example_id = example_id_of(self._round.id, record.uid)
        judged = judge(record.votes, answer=record.answer, config=self._config, quorum=self._quorum)
        return [
            ReplayedVote(
                id=vote_id_of(example_id, vote.voter),
                example_id=example_id,
                round_id=self._round.id,
                validator_id=self._people[vote.voter],
                vote=says,
                answer=vote.answer or None,
                created_at=self._round.created_at + timedelta(microseconds=slot),
            )
            for slot, (vote, says) in enumerate(zip(record.votes, judged, strict=True), start=1)
        ]

    def _predictions(
        self, record: SourceRecord, *, is_wrong: bool | None
    ) -> tuple[StoredPrediction, ...]:
        if record.prediction is None:
            return ()
        probabilities = self._config.probabilities_of(record.prediction)
        return tuple(
            StoredPrediction(
                model_id=model_id,
                outputs=record.prediction,
                probabilities=probabilities if isinstance(probabilities, dict) else None,
                is_wrong=is_wrong,
                latency_ms=None,
            )
            for model_id in self._round.target_model_ids
        )


def _stored(
    record: SourceRecord,
    attempt: StoredExample,
    *,
    found: Mapping[UUID, StoredExample],
    votes: AddedVotes,
) -> StoredRecord:
    return StoredRecord(
        record=record,
        example=found[attempt.id],
        outcome=votes.outcomes[attempt.id],
        is_left=attempt.id in votes.left or _differ(attempt, found[attempt.id]),
    )


def _differ(attempt: StoredExample, stored: StoredExample) -> bool:
    """Tell whether a record says something else than the row that is here under its id."""
    return _content(attempt) != _content(stored)


def _content(example: StoredExample) -> tuple[object, ...]:
    return (
        example.context_id,
        example.annotator_id,
        example.inputs,
        example.answer,
        example.explanations,
        [one.outputs for one in example.predictions],
    )


def check_record(record: SourceRecord, config: TaskConfig, *, task_slug: str) -> SourceRecord:
    """Return a record with its values in the form in which they are stored.

    Raises:
        SourceFileError: If a value does not fit the task's fields.
    """
    try:
        context = config.check_context(record.context)
        inputs = config.check_inputs(record.inputs, context=context)
        whole = {**context, **inputs}
        return replace(
            record,
            context=context,
            inputs=inputs,
            answer=config.check_answer(record.answer, context=whole) if record.answer else {},
            prediction=None
            if record.prediction is None
            else config.check_prediction(record.prediction, context=whole),
            votes=tuple(
                replace(vote, answer=config.check_answer(vote.answer, context=whole))
                if vote.answer
                else vote
                for vote in record.votes
            ),
            explanations=config.check_metadata(record.explanations, stage="create", context=whole),
        )
    except FieldValueError as error:
        field, reason = next(iter(error.fields.items()))
        raise SourceFileError(
            file=record.file,
            line=record.line,
            field=field,
            reason=f"{reason} (Checked against the task “{task_slug}”.)",
        ) from error
