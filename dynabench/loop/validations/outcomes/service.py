"""Keeps each example's outcome equal to what its row and its votes add up to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from dynabench.engines.jobs.outbox import announcing
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import Query, send
from dynabench.loop.examples.judging.rules import fooled_by
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import EXAMPLE_CHANGED, ExampleChanged, StoredExample
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import GoldFrom, Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.outcomes.repository import (
    OutcomeRepository,
    locking,
    reading_votes,
    saving,
)
from dynabench.loop.validations.outcomes.rules import decide, is_wanted
from dynabench.loop.validations.outcomes.values import CastVote, Outcome, Rule
from dynabench.loop.validations.values import Verdict
from dynabench.science.task_config.schema import TaskConfig


def rule_of(round_: Round) -> Rule:
    """Return how a round's votes decide."""
    rule = round_.validation
    return Rule(quorum=rule.quorum, maximum=rule.maximum, gold_from=rule.gold_from)


def _fooled_by(
    gold: dict[str, object] | None, example: StoredExample, round_: Round, config: TaskConfig
) -> bool | None:
    """Return whether an example fooled, judged by whose answer the round takes for gold."""
    if round_.validation.gold_from is GoldFrom.AUTHOR:
        return example.fooled_by_author_answer
    if gold is None or not example.predictions:
        return None
    wrong = [
        config.decide_fooled(answer=gold, prediction=found.outputs) for found in example.predictions
    ]
    return fooled_by(wrong, policy=round_.target_policy, config=config)


def derive_outcome(
    example: StoredExample,
    *,
    votes: Sequence[CastVote],
    round_: Round,
    config: TaskConfig,
    voided_at: datetime | None,
    decided_at: datetime | None,
    now: datetime,
) -> Outcome:
    """Return the outcome of an example; `dynabench db verify` calls it again on every row."""
    rule = rule_of(round_)
    decision = decide(
        votes,
        author=example.answer,
        rule=rule,
        answers_match=config.answers_match,
        shared_answer=config.gold_from_answers,
    )
    seems_fooled = example.fooled_by_author_answer
    is_out = bool(example.retracted_at or example.flagged_at or voided_at)
    return Outcome(
        example_id=example.id,
        round_id=example.round_id,
        annotator_id=example.annotator_id,
        context_id=example.context_id,
        is_wanted=not is_out
        and is_wanted(
            example_id=example.id,
            seems_fooled=seems_fooled,
            rule=rule,
            share_of_others=round_.validation.share_of_others,
        ),
        priority=0 if seems_fooled else 1,
        verdict=decision.verdict,
        gold=decision.gold,
        fooled=_fooled_by(decision.gold, example, round_, config),
        agrees_with_author=decision.agrees_with_author,
        votes=decision.votes,
        leading=decision.leading,
        example_created_at=example.created_at,
        arm=example.arm,
        is_retracted=example.retracted_at is not None,
        decided_at=None if decision.verdict is Verdict.PENDING else decided_at or now,
        voided_at=voided_at,
    )


class OutcomeService:
    """Writes outcomes in the transaction of what changed them."""

    def __init__(
        self, *, clock: Clock, tasks: TaskService, rounds: RoundService, examples: ExampleService
    ) -> None:
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._examples = examples

    def holding(self, example_id: UUID) -> Query[dict[UUID, Outcome]]:
        """Return the query that reads an example's outcome, by its id, and holds it."""
        return locking([example_id])

    def reading_votes(self, example_id: UUID) -> Query[dict[UUID, list[CastVote]]]:
        """Return the query for every vote on an example, by its id, in the order cast."""
        return reading_votes([example_id])

    async def begin(self, session: Session, example: StoredExample) -> None:
        """Write the outcome row of an example that has none yet, and hold it."""
        repository = OutcomeRepository(session)
        await repository.add_missing([await self._derive(example, votes=[])])
        await repository.lock([example.id])

    async def after(
        self, example: StoredExample, votes: Sequence[CastVote], *, held: Outcome
    ) -> list[Query[None]]:
        """Return the queries that bring a held outcome up to these votes and announce it."""
        outcome = await self._derive(example, votes=votes, held=held)
        saved = [saving(outcome)] if outcome != held else []
        return [*saved, announcing_change(outcome)]

    async def refresh(self, session: Session, example_ids: Sequence[UUID]) -> dict[UUID, Outcome]:
        """Bring outcomes up to their examples and votes; rows are held meanwhile."""
        found = await self._examples.get_many(session, example_ids)
        repository = OutcomeRepository(session)
        held = await repository.lock(example_ids)
        missing = [example for example in found if example.id not in held]
        if missing:
            await repository.add_missing(
                [await self._derive(example, votes=[]) for example in missing]
            )
            held |= await repository.lock([example.id for example in missing])
        votes = await repository.votes(example_ids)
        derived = {
            example.id: await self._derive(
                example, votes=votes.get(example.id, ()), held=held[example.id]
            )
            for example in found
        }
        await repository.save([outcome for key, outcome in derived.items() if outcome != held[key]])
        return derived

    async def refresh_and_announce(
        self, session: Session, example_ids: Sequence[UUID]
    ) -> dict[UUID, Outcome]:
        """Bring outcomes up to date and have the counts folded again."""
        changed = await self.refresh(session, example_ids)
        await send(session, *(announcing_change(outcome) for outcome in changed.values()))
        return changed

    async def void(
        self, session: Session, example_ids: Sequence[UUID], *, by: UUID, reason: str
    ) -> None:
        """Take examples out of every count, with the reason."""
        repository = OutcomeRepository(session)
        await self.refresh(session, example_ids)
        await repository.void(example_ids, by=by, reason=reason, now=self._clock.now())
        await self.refresh_and_announce(session, example_ids)

    async def get_many(
        self, session: Session, example_ids: Sequence[UUID]
    ) -> Mapping[UUID, Outcome]:
        """Return the outcomes of examples; those not folded yet are derived on the spot."""
        repository = OutcomeRepository(session)
        found = await repository.get_many(example_ids)
        missing = [example_id for example_id in example_ids if example_id not in found]
        for example in await self._examples.get_many(session, missing):
            found[example.id] = await self._derive(example, votes=[])
        return found

    async def mismatches(self, session: Session, example_ids: Sequence[UUID]) -> list[UUID]:
        """Return the examples whose stored outcome is not what their rows add up to."""
        repository = OutcomeRepository(session)
        stored = await repository.get_many(example_ids)
        votes = await repository.votes(example_ids)
        wrong = []
        for example in await self._examples.get_many(session, example_ids):
            kept = stored.get(example.id)
            derived = await self._derive(example, votes=votes.get(example.id, ()), held=kept)
            if kept != (derived if kept is None else replace(derived, decided_at=kept.decided_at)):
                wrong.append(example.id)
        return wrong

    async def _derive(
        self, example: StoredExample, *, votes: Sequence[CastVote], held: Outcome | None = None
    ) -> Outcome:
        round_ = await self._rounds.get(example.round_id)
        task = await self._tasks.get_by_id(example.task_id)
        return derive_outcome(
            example,
            votes=votes,
            round_=round_,
            config=task.config,
            voided_at=held.voided_at if held else None,
            decided_at=held.decided_at if held else None,
            now=self._clock.now(),
        )


def announcing_change(outcome: Outcome) -> Query[None]:
    """Return the query that has the counts folded again that an outcome is part of."""
    change = ExampleChanged(
        example_id=outcome.example_id,
        round_id=outcome.round_id,
        annotator_id=outcome.annotator_id,
        context_id=outcome.context_id,
        created_at=outcome.example_created_at,
    )
    return announcing(consumer=EXAMPLE_CHANGED, payload=change.payload())
