"""Datasets for tests: rounds with examples that were judged, and versions written at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Self
from uuid import UUID

from dynabench.engines.jobs.outbox import announce
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.service import ChatService
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import content_digest as items_digest
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetItem, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.datasets.withheld.service import WithheldTexts
from dynabench.loop.examples.answering.service import AnsweringService
from dynabench.loop.examples.repository import ExampleRepository
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.values import (
    EXAMPLE_CHANGED,
    ExampleChanged,
    Origin,
    StoredExample,
    StoredPrediction,
)
from dynabench.loop.leaderboards.errata.service import ErrataService
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.repository import RoundRepository
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.repository import ValidationRepository, VoteRow
from dynabench.loop.validations.values import Vote
from dynabench.people.directory.service import UserDirectory
from tests.factories.contexts import make_context, make_context_service
from tests.factories.media import make_media_resolver
from tests.factories.models import make_model_service
from tests.factories.people import make_user

_numbers = count(1)


@dataclass(frozen=True)
class Chapters:
    """The services up to datasets, as one process has them."""

    tasks: TaskService
    models: ModelService
    rounds: RoundService
    examples: ExampleService
    outcomes: OutcomeService
    folds: FoldService
    queue: JobQueue
    datasets: DatasetService
    releases: ReleaseService
    desk: ReleaseDesk

    @classmethod
    def over(cls, db: Database, clock: Clock, *, models: ModelService | None = None) -> Self:
        """Put the services together over a database."""
        tasks = TaskService(db, clock)
        models = models or make_model_service(db, clock)
        rounds = RoundService(db=db, clock=clock, tasks=tasks, models=models)
        contexts = make_context_service(db, clock)
        replies = ReplyService(models=models)
        chats = ChatService(
            db=db, clock=clock, tasks=tasks, rounds=rounds, contexts=contexts, replies=replies
        )
        examples = ExampleService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            people=UserDirectory(db, clock),
            answering=AnsweringService(
                models=models, withholding=WithheldTexts(db=db, clock=clock)
            ),
            chats=chats,
            media=make_media_resolver(db, clock),
        )
        outcomes = OutcomeService(clock=clock, tasks=tasks, rounds=rounds, examples=examples)
        folds = FoldService(db=db, clock=clock, rounds=rounds, outcomes=outcomes)
        queue = JobQueue()
        datasets = DatasetService(db=db, tasks=tasks, rounds=rounds, queue=queue)
        return cls(
            tasks=tasks,
            models=models,
            rounds=rounds,
            examples=examples,
            outcomes=outcomes,
            folds=folds,
            queue=queue,
            datasets=datasets,
            desk=ReleaseDesk(db=db, tasks=tasks, rounds=rounds, folds=folds, queue=queue),
            releases=ReleaseService(
                db=db,
                clock=clock,
                tasks=tasks,
                rounds=rounds,
                outcomes=outcomes,
                folds=folds,
                errata=ErrataService(db=db, datasets=datasets),
                queue=queue,
            ),
        )


async def make_example(
    db: Database,
    round_: Round,
    *,
    context_id: UUID,
    author: Actor,
    answer: Values,
    fooled: bool | None = True,
    is_retracted: bool = False,
    is_flagged: bool = False,
    clock: Clock,
    example_id: UUID | None = None,
    inputs: Values | None = None,
) -> UUID:
    """Write an attempt whose change is announced, as a submission leaves it."""
    assert author.user_id is not None
    number = next(_numbers)
    now = clock.now()
    example = StoredExample(
        id=example_id or new_id(),
        task_id=round_.task_id,
        round_id=round_.id,
        context_id=context_id,
        annotator_id=author.user_id,
        attempt_number=number,
        inputs=inputs or {"hypothesis": f"Sentence number {number}."},
        answer=answer,
        explanations={},
        fooled_by_author_answer=fooled,
        origin=Origin.HUMAN,
        suggestion_kept=None,
        time_spent_seconds=None,
        contrast_of=None,
        created_at=now,
        retracted_at=now if is_retracted else None,
        flagged_at=now if is_flagged else None,
        flag_reason="odd" if is_flagged else None,
        predictions=(
            StoredPrediction(
                model_id=round_.targets[0].model_id,
                outputs={"label": "neutral"},
                probabilities=None,
                is_wrong=fooled,
                latency_ms=None,
            ),
        ),
    )
    await _store(db, example)
    return example.id


async def _store(db: Database, example: StoredExample) -> None:
    change = ExampleChanged(
        example_id=example.id,
        round_id=example.round_id,
        annotator_id=example.annotator_id,
        context_id=example.context_id,
        created_at=example.created_at,
    )
    async with db.transaction() as session:
        await ExampleRepository(session).add(example, duplicate_key=None, bands=[])
        await announce(session, consumer=EXAMPLE_CHANGED, payload=change.payload())


async def judge(
    db: Database, round_: Round, votes: Mapping[UUID, Vote], *, expert: Actor, clock: Clock
) -> None:
    """Have an expert vote on examples, which decides."""
    assert expert.user_id is not None
    chapters = Chapters.over(db, clock)
    await chapters.folds.catch_up()
    async with db.transaction() as session:
        for example_id, vote in votes.items():
            await ValidationRepository(session).add(
                VoteRow(
                    id=new_id(),
                    example_id=example_id,
                    round_id=round_.id,
                    validator_id=expert.user_id,
                    vote=vote,
                    answer=None,
                    metadata={},
                    is_expert=True,
                    time_spent_seconds=None,
                    created_at=clock.now(),
                    withdrawn_at=None,
                )
            )
        await chapters.outcomes.refresh_and_announce(session, list(votes))


async def fill_round(
    db: Database,
    task: Task,
    round_: Round,
    *,
    clock: Clock,
    contexts: int = 10,
    people: int = 4,
    verified: int = 40,
    others: int = 20,
) -> list[UUID]:
    """Write verified fooling examples and ordinary ones, spread over contexts and people."""
    about = [(await make_context(db, task, tag="news", clock=clock)).id for _ in range(contexts)]
    authors = [await make_user(db) for _ in range(people)]
    expert = await make_user(db)
    labels = ("entailment", "contradiction")
    ids = [
        await make_example(
            db,
            round_,
            context_id=about[number % contexts],
            author=authors[number // 3 % people],
            answer={"label": labels[number % 2]},
            fooled=number < verified,
            clock=clock,
        )
        for number in range(verified + others)
    ]
    if verified:
        votes = dict.fromkeys(ids[:verified], Vote.CORRECT)
        await judge(db, round_, votes, expert=expert, clock=clock)
    await Chapters.over(db, clock).folds.catch_up()
    return ids


async def close(db: Database, round_: Round, *, clock: Clock) -> None:
    """Close a round."""
    async with db.transaction() as session:
        await RoundRepository(session).close(round_.id, now=clock.now(), reason="Enough.")


def make_item(
    number: int, *, split: Split = Split.TEST, label: str = "neutral", context: int | None = None
) -> DatasetItem:
    """Make an item, on a context of its own unless the test says which."""
    content: Values = {"premise": f"Premise {number if context is None else context}."}
    return DatasetItem(
        uid=f"{number:016x}",
        split=split,
        position=number,
        context=content,
        inputs={"hypothesis": f"Hypothesis {number}."},
        gold={"label": label},
        tags=(),
        annotator="annotator-1",
        is_fooling=True,
        is_verified=True,
        context_digest=content_digest(content),
    )


async def make_dataset(
    db: Database,
    task: Task,
    items: Sequence[DatasetItem],
    *,
    name: str | None = None,
    round_id: UUID | None = None,
    origin: DatasetOrigin = DatasetOrigin.RELEASE,
    clock: Clock,
) -> DatasetVersion:
    """Write a version with these items."""
    sizes = {split: sum(item.split is split for item in items) for split in Split}
    version = DatasetVersion(
        id=new_id(),
        dataset_id=new_id(),
        task_id=task.id,
        round_id=round_id,
        name=name or f"Set {next(_numbers)}",
        version=1,
        digest=items_digest(items),
        licence="CC-BY-4.0",
        card={"splits": {split.value: {"items": size} for split, size in sizes.items()}},
        sizes=sizes,
        created_at=clock.now(),
        origin=origin,
    )
    async with db.transaction() as session:
        await DatasetRepository(session).add_version(version, items)
    return version
