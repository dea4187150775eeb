"""Use cases of suspected errors: find them with each scale, show them to experts, settle them."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.paging import cut, decode_cursor, encode_cursor
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.examples.errors import ExampleNotFoundError
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.scales.values import Material, Tested
from dynabench.loop.leaderboards.suspicions.errors import OwnSuspicionError, SuspicionNotFoundError
from dynabench.loop.leaderboards.suspicions.repository import SuspicionRepository, SuspicionRow
from dynabench.loop.leaderboards.suspicions.rules import (
    LEAST_PROBABLE,
    MOST_PER_SET,
    suspected_items,
)
from dynabench.loop.leaderboards.suspicions.schemas import (
    ResponseEvidenceRead,
    SuspicionPage,
    SuspicionRead,
    SuspicionSettle,
    VoteEvidenceRead,
)
from dynabench.loop.leaderboards.suspicions.values import (
    Finding,
    ResponseEvidence,
    Suspicion,
    SuspicionState,
    VoteEvidence,
)
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.consensus.service import ConsensusService
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.values import Verdict
from dynabench.people.directory.service import UserDirectory

_PAGE = 20
_BATCH = 10_000
_PERCENT = 100.0


class SuspicionService:
    """Released examples whose gold answer may be wrong.

    A release never changes: what experts find is kept beside it, as its errata.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        examples: ExampleService,
        experts: ExpertService,
        consensus: ConsensusService,
        directory: UserDirectory,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._examples = examples
        self._experts = experts
        self._consensus = consensus
        self._directory = directory

    async def compute(self, material: Material, abilities: Mapping[UUID, float]) -> int:
        """Find the suspected errors of every release among a scale's sets; return how many."""
        count = 0
        for one in material.sets:
            if one.version.round_id is None:
                continue
            round_ = await self._rounds.get(one.version.round_id)
            responses = await self._by_responses(material, one, abilities, round_id=round_.id)
            votes = await self._by_votes(one, round_)
            found = [
                Suspicion(
                    example_id=example_id,
                    version_id=one.version.id,
                    responses=responses.get(example_id),
                    votes=votes.get(example_id),
                )
                for example_id in sorted({*responses, *votes})
            ]
            async with self._db.transaction() as session:
                await SuspicionRepository(session).keep(
                    one.version.id, found, task_id=round_.task_id, now=self._clock.now()
                )
            count += len(found)
        return count

    async def list(
        self, round_id: UUID, *, state: SuspicionState, cursor: str | None, actor: Actor
    ) -> SuspicionPage:
        """Return a round's suspected errors with their examples (owners and experts).

        Raises:
            BadCursorError: If the cursor is not one of this list.
            TaskRoleNeededError: If the actor is neither.
        """
        require_signed_in(actor)
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.EXPERT)
        after = None if cursor is None else decode_cursor(cursor, datetime, UUID)
        async with self._db.read() as session:
            repository = SuspicionRepository(session)
            rows = await repository.page(round_id, state=state, after=after, limit=_PAGE + 1)
            counts = await repository.counts(round_id)
        page, has_more = cut(rows, size=_PAGE)
        names = await self._model_names(task.id)
        return SuspicionPage(
            items=[await self._read(row, names, actor=actor) for row in page],
            next_cursor=(
                encode_cursor((page[-1].raised_at, page[-1].example_id)) if has_more else None
            ),
            open=counts.get(None, 0),
            right=counts.get(Finding.RIGHT, 0),
            wrong=counts.get(Finding.WRONG, 0),
        )

    async def settle(
        self, example_id: UUID, body: SuspicionSettle, *, actor: Actor
    ) -> SuspicionRead:
        """Write down whether a suspected gold answer is right (owners and experts).

        Raises:
            SuspicionNotFoundError: If it is not suspected, or the actor is neither.
            OwnSuspicionError: If the actor wrote the example.
        """
        expert_id = require_signed_in(actor)
        async with self._db.read() as session:
            row = await SuspicionRepository(session).get(example_id)
        if row is None:
            raise SuspicionNotFoundError
        names = await self._model_names(row.task_id)
        try:
            read = await self._read(row, names, actor=actor)
        except ExampleNotFoundError as error:
            raise SuspicionNotFoundError from error
        if read.example.example.annotator == actor.username:
            raise OwnSuspicionError
        async with self._db.transaction() as session:
            await SuspicionRepository(session).settle(
                example_id, body.finding, by=expert_id, now=self._clock.now()
            )
        async with self._db.read() as session:
            settled = await SuspicionRepository(session).get(example_id)
        if settled is None:
            raise SuspicionNotFoundError
        return await self._read(settled, names, actor=actor)

    async def _by_responses(
        self, material: Material, one: Tested, abilities: Mapping[UUID, float], *, round_id: UUID
    ) -> dict[UUID, ResponseEvidence]:
        items = suspected_items(material, one, abilities)
        if not items:
            return {}
        async with self._db.read() as session:
            uids = await SuspicionRepository(session).uids_at(
                one.version.id, [item.position for item in items]
            )
        found = await self._behind(round_id, set(uids.values()))
        return {
            found[uids[item.position]]: item.evidence
            for item in items
            if uids.get(item.position) in found
        }

    async def _behind(self, round_id: UUID, uids: Collection[str]) -> dict[str, UUID]:
        """Return a round's examples behind names of items, which tell nothing back."""
        found: dict[str, UUID] = {}
        after: tuple[datetime, UUID] | None = None
        while True:
            async with self._db.read() as session:
                page = await self._examples.page_ids(
                    session, round_id=round_id, after=after, limit=_BATCH
                )
            for _, example_id in page:
                uid = uid_of(example_id)
                if uid in uids:
                    found[uid] = example_id
            if len(page) < _BATCH:
                return found
            after = page[-1]

    async def _by_votes(self, one: Tested, round_: Round) -> dict[UUID, VoteEvidence]:
        """Return the released examples of which weighed votes doubt the answer that counts."""
        weighed = await self._consensus.weigh(round_)
        if weighed is None:
            return {}
        doubted = {
            uid_of(example): example
            for example in weighed.consensus.posterior
            if isinstance(example, UUID)
        }
        async with self._db.read() as session:
            golds = await SuspicionRepository(session).golds(one.version.id, doubted.keys())
        labels = {label: place for place, label in enumerate(weighed.consensus.labels)}
        found: dict[UUID, VoteEvidence] = {}
        for uid, gold in golds.items():
            example = doubted[uid]
            counted = Verdict.CORRECT.value
            if weighed.field_name is not None:
                counted = str(gold.get(weighed.field_name))
            place = labels.get(counted)
            chances = weighed.consensus.posterior[example]
            probability = 0.0 if place is None else float(chances[place])
            if probability <= LEAST_PROBABLE:
                found[example] = VoteEvidence(
                    label=weighed.consensus.best(example)[0],
                    probability=probability,
                    votes=weighed.votes[example],
                )
        # Where very many are doubted it is the votes that need a look, not every example.
        surest = sorted(found, key=lambda one: (found[one].probability, one))[:MOST_PER_SET]
        return {one: found[one] for one in surest}

    async def _model_names(self, task_id: UUID) -> dict[str, str]:
        """Return the models that everybody knows of by their ids."""
        async with self._db.read() as session:
            contenders = await BoardRepository(session).contenders(task_id)
        return {str(one.id): f"{one.name} v{one.version}" for one in contenders if one.is_published}

    async def _read(
        self, row: SuspicionRow, names: Mapping[str, str], *, actor: Actor
    ) -> SuspicionRead:
        people = [] if row.settled_by is None else [row.settled_by]
        return SuspicionRead(
            example=await self._experts.read(row.example_id, actor=actor),
            version_id=row.version_id,
            responses=_responses(row.evidence.get("responses"), names),
            votes=_votes(row.evidence.get("votes")),
            raised_at=row.raised_at,
            settled_at=row.settled_at,
            settled_by=next(iter((await self._directory.usernames(people)).values()), None),
            finding=row.finding,
        )


def _responses(
    evidence: dict[str, object] | None, names: Mapping[str, str]
) -> ResponseEvidenceRead | None:
    if evidence is None:
        return None

    def named(key: str) -> list[str]:
        listed = evidence[key]
        assert isinstance(listed, list), "it was written as one"
        return [names[one] for one in listed if one in names]

    return ResponseEvidenceRead.model_validate(
        {
            **evidence,
            "strongest_wrong": named("strongest_wrong"),
            "weakest_right": named("weakest_right"),
        }
    )


def _votes(evidence: dict[str, object] | None) -> VoteEvidenceRead | None:
    if evidence is None:
        return None
    found = VoteEvidenceRead.model_validate(evidence)
    return found.model_copy(update={"probability": _PERCENT * found.probability})
