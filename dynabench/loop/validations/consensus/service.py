"""Use case of owners: what a round's votes say together, and how each validator votes."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.sentences import Phrase
from dynabench.loop.rounds.rules import is_anyone_blind
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, ValidationMode
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.consensus.repository import ConsensusRepository
from dynabench.loop.validations.consensus.schemas import (
    ConsensusItemRead,
    ConsensusRead,
    ValidatorConfusionRead,
)
from dynabench.loop.validations.consensus.values import WeighedVotes
from dynabench.people.directory.service import UserDirectory
from dynabench.science.statistics.dawid_skene import Consensus, VoteOf, dawid_skene
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.schema import TaskConfig

_MOST_VOTES = 200_000
_MOST_DIFFERING = 100
_NO_VOTES = Phrase("consensus.no_votes", "No validator's vote stands yet.").say()
_FREE_ANSWERS = Phrase(
    "consensus.free_answers",
    "Validators answer this task in their own words, so votes are no labels.",
).say()
_TOO_MANY = Phrase(
    "consensus.above_limit", "This round has too many votes to compute this while somebody waits."
).say()


class ConsensusService:
    """Dawid-Skene over the votes of a round."""

    def __init__(
        self, *, db: Database, tasks: TaskService, rounds: RoundService, people: UserDirectory
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._people = people

    async def of_round(self, round_id: UUID, *, actor: Actor) -> ConsensusRead:
        """Return what a round's votes say together (owners).

        Raises:
            TaskRoleNeededError: If the actor does not own the task.
        """
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        is_blind = round_.validation.mode is ValidationMode.BLIND
        field_name = _label_field(task.config) if is_blind else None
        if is_blind and field_name is None:
            return _empty(_FREE_ANSWERS)
        blind = actor.user_id if is_anyone_blind(round_) else None
        return await self._read(round_, field_name, without=blind)

    async def weigh(self, round_: Round) -> WeighedVotes | None:
        """Return what all votes of a closed round say together; None where they are no labels."""
        task = await self._tasks.get_by_id(round_.task_id)
        is_blind = round_.validation.mode is ValidationMode.BLIND
        field_name = _label_field(task.config) if is_blind else None
        if is_blind and field_name is None:
            return None
        async with self._db.read() as session:
            votes = await ConsensusRepository(session).votes(
                round_.id, field_name=field_name, without=None, limit=_MOST_VOTES + 1
            )
        found = None
        if len(votes) <= _MOST_VOTES:
            found = await asyncio.to_thread(dawid_skene, votes)
        if found is None:
            return None
        return WeighedVotes(found, Counter(vote.item for vote in votes), field_name)

    async def _read(
        self, round_: Round, field_name: str | None, *, without: UUID | None
    ) -> ConsensusRead:
        async with self._db.read() as session:
            votes = await ConsensusRepository(session).votes(
                round_.id, field_name=field_name, without=without, limit=_MOST_VOTES + 1
            )
        if len(votes) > _MOST_VOTES:
            return _empty(_TOO_MANY)
        found = await asyncio.to_thread(dawid_skene, votes)
        if found is None:
            return _empty(_NO_VOTES)
        people = [one for one in found.confusion if isinstance(one, UUID)]
        return _describe(found, votes, await self._people.usernames(people))


def _label_field(config: TaskConfig) -> str | None:
    """Return the gold field of which blind validators give one label."""
    labels = [one.name for one in config.gold_fields if isinstance(one.type, MulticlassType)]
    return labels[0] if len(labels) == len(config.gold_fields) == 1 else None


def _empty(reason: str) -> ConsensusRead:
    return ConsensusRead(
        labels=[],
        shares=[],
        examples=0,
        votes=0,
        agreeing=0,
        with_majority=0,
        validators=[],
        differing=[],
        reason=reason,
    )


def _describe(
    found: Consensus, votes: Sequence[VoteOf], names: Mapping[UUID, str]
) -> ConsensusRead:
    said: dict[UUID, Counter[str]] = {}
    cast: Counter[UUID] = Counter()
    for vote in votes:
        assert isinstance(vote.item, UUID)
        assert isinstance(vote.validator, UUID)
        said.setdefault(vote.item, Counter())[vote.label] += 1
        cast[vote.validator] += 1
    items = [_item(found, example_id, counts) for example_id, counts in said.items()]
    differing = [one for one in items if one.label != one.majority]
    with_majority = sum(one.majority is not None for one in items)
    return ConsensusRead(
        labels=list(found.labels),
        shares=found.shares.tolist(),
        examples=len(items),
        votes=len(votes),
        agreeing=len(items) - len(differing),
        with_majority=with_majority,
        validators=sorted(
            (
                ValidatorConfusionRead(
                    username=names.get(person, ""),
                    votes=count,
                    confusion=found.confusion[person].tolist(),
                    reliability=float(np.diag(found.confusion[person]) @ found.shares),
                )
                for person, count in cast.items()
            ),
            key=lambda one: (one.reliability, one.username),
        ),
        differing=sorted(differing, key=lambda one: one.probability)[:_MOST_DIFFERING],
        reason=None,
    )


def _item(found: Consensus, example_id: UUID, counts: Counter[str]) -> ConsensusItemRead:
    label, probability = found.best(example_id)
    first, times = counts.most_common(1)[0]
    return ConsensusItemRead(
        example_id=example_id,
        votes=counts.total(),
        majority=first if times * 2 > counts.total() else None,
        label=label,
        probability=probability,
    )
