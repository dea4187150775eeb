"""Boards for tests: models whose answers to every item of a set are given, and who reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self
from uuid import UUID

from sqlalchemy import insert, update

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, Split
from dynabench.loop.evaluations.tables import (
    deltas,
    evaluations,
    measurements,
    predictions,
    scores,
    tag_scores,
)
from dynabench.loop.evaluations.values import DeltaKind, EvaluationState
from dynabench.loop.examples.tables import examples
from dynabench.loop.leaderboards.schemas import BoardRead
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import Model, ModelKind
from dynabench.loop.rounds.values import RoundPlan, RoundStatus, RoundValidation, ValidationMode
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Vote
from dynabench.science.statistics.means import mean_with_interval
from tests.conftest import HeldClock
from tests.factories.contexts import make_context
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG, make_task

AT = datetime(2030, 1, 15, 12, tzinfo=UTC)


async def score_model(
    db: Database,
    model: Model,
    version: DatasetVersion,
    per_item: Sequence[float],
    *,
    throughput: float | None = None,
    memory_gib: float | None = None,
    tags: Mapping[str, float] | None = None,
    uids: Sequence[str] | None = None,
    at: datetime = AT,
) -> None:
    """Write a finished evaluation with each test item's score, as `make_items` numbers them."""
    evaluation_id = new_id()
    found = mean_with_interval(per_item, list(range(len(per_item))))
    assert found is not None
    assert found.interval is not None
    row = {
        "evaluation_id": evaluation_id,
        "metric": "accuracy",
        "split": Split.TEST,
        "value": found.mean,
        "low": max(found.interval.low, 0.0),
        "high": min(found.interval.high, 1.0),
        "items": len(per_item),
    }
    names = uids or [make_item(number).uid for number in range(len(per_item))]
    answered = [
        {"evaluation_id": evaluation_id, "uid": uid, "outputs": {}, "score": score}
        for uid, score in zip(names, per_item, strict=True)
    ]
    async with db.transaction() as session:
        await session.execute(
            insert(evaluations).values(
                id=evaluation_id,
                model_id=model.id,
                dataset_version_id=version.id,
                state=EvaluationState.DONE,
                failed_items=0,
                seconds=1.0,
                evaluated_at=at,
            )
        )
        await session.execute(insert(predictions), answered)
        await session.execute(insert(scores).values({**row, "is_principal": True}))
        for tag, value in (tags or {}).items():
            tagged = {**row, "split": "test", "tag": tag, "value": value}
            await session.execute(insert(tag_scores).values(tagged))
        if throughput is not None or memory_gib is not None:
            await _measure_run(session, evaluation_id, throughput, memory_gib)


async def _measure_run(
    session: Session, evaluation_id: UUID, throughput: float | None, memory_gib: float | None
) -> None:
    await session.execute(
        insert(measurements).values(
            evaluation_id=evaluation_id,
            throughput=throughput,
            throughput_low=throughput,
            throughput_high=throughput,
            memory_mean_bytes=None if memory_gib is None else int(memory_gib * 2**30),
            is_measured_at_client=False,
            machine={},
        )
    )


async def vary_model(
    db: Database,
    model: Model,
    version: DatasetVersion,
    perturbed: DatasetVersion,
    *,
    kind: DeltaKind,
    value: float,
) -> None:
    """Write how a model did on a perturbed set, beside its evaluation on the original."""
    async with db.transaction() as session:
        (evaluation_id,) = (
            await session.execute(
                evaluations.select()
                .with_only_columns(evaluations.c.id)
                .where(
                    evaluations.c.model_id == model.id,
                    evaluations.c.dataset_version_id == version.id,
                )
            )
        ).one()
        await session.execute(
            insert(deltas).values(
                evaluation_id=evaluation_id,
                perturbed_version_id=perturbed.id,
                split="test",
                transform="",
                kind=kind,
                value=value,
                low=value - 0.01,
                high=value + 0.01,
                items=100,
            )
        )


async def change_model(db: Database, model: Model, **values: object) -> None:
    """Change what the submission of a model says: who made it, who may see it."""
    async with db.transaction() as session:
        await session.execute(update(models).where(models.c.id == model.id).values(**values))


BOARD_CONFIG = NLI_CONFIG.replace("macro_f1", "accuracy")
ITEMS = 400


def answers(right: int, *, of: int = ITEMS, first: int = 0) -> list[float]:
    """Return scores of which so many are 1, from the item `first` on."""
    return [float((number - first) % of < right) for number in range(of)]


@dataclass
class BoardStage:
    """A task with two scoring sets of 400 items, and models that are scored on them."""

    wiring: Wiring
    clock: HeldClock
    task: Task
    sets: list[DatasetVersion]

    @classmethod
    async def over(cls, wiring: Wiring, clock: HeldClock, *, config: str = BOARD_CONFIG) -> Self:
        """Write the task and its sets."""
        task = await make_task(wiring.db, config=config, clock=clock)
        items = [make_item(number) for number in range(ITEMS)]
        sets = [
            await make_dataset(wiring.db, task, items, name=name, clock=clock)
            for name in ("First", "Second")
        ]
        return cls(wiring, clock, task, sets)

    async def add(
        self,
        name: str,
        *right: int,
        throughput: float | None = None,
        memory_gib: float | None = None,
        kind: ModelKind = ModelKind.HANDLER,
        first: int = 0,
        **changes: object,
    ) -> Model:
        """Write a model that is right so often on each of the first sets."""
        model = await make_model(self.wiring.db, self.task, name=name, kind=kind, clock=self.clock)
        for version, count in zip(self.sets, right, strict=False):
            await score_model(
                self.wiring.db,
                model,
                version,
                answers(count, first=first),
                throughput=throughput,
                memory_gib=memory_gib,
            )
        if changes:
            await change_model(self.wiring.db, model, **changes)
        return model

    async def fill(self) -> list[Model]:
        """Add a clear winner, two that nobody can tell apart, and a clear loser."""
        return [
            await self.add("best", 380, 370, throughput=5, memory_gib=9, first=0),
            await self.add("tied", 301, 300, throughput=40, memory_gib=2, first=60),
            await self.add("also tied", 300, 299, throughput=20, memory_gib=4, first=180),
            await self.add("last", 160, 150, throughput=90, memory_gib=1, first=10),
        ]

    async def board(self, *, actor: Actor = VISITOR, **query: Any) -> BoardRead:
        """Read the board, as its page gets it."""
        asked = BoardQuery(**query)
        boards = self.wiring.get(BoardService)
        found = await boards.page(self.task.slug, asked, actor=actor, cursor=None, limit=200)
        return BoardRead.model_validate_json(found.body)


async def release_answered(
    stage: BoardStage, *, mode: ValidationMode, said: Sequence[str] = ()
) -> list[DatasetItem]:
    """Release a round of which each of 20 test items was answered by three validators."""
    plan = RoundPlan(validation=RoundValidation(mode=mode))
    db, clock = stage.wiring.db, stage.clock
    round_ = await make_round(db, stage.task, plan=plan, status=RoundStatus.RELEASED, clock=clock)
    context = await make_context(db, stage.task, clock=clock)
    author = await make_user(db)
    voters = [await make_user(db) for _ in said]
    ids = [new_id() for _ in range(20)]
    written: dict[str, object] = {
        "task_id": stage.task.id,
        "round_id": round_.id,
        "context_id": context.id,
        "annotator_id": author.user_id,
        "inputs": {},
        "answer": {"label": "neutral"},
        "origin": "human",
        "created_at": clock.now(),
        "similarity_bands": [],
    }
    votes = [
        {
            "id": new_id(),
            "example_id": example_id,
            "round_id": round_.id,
            "validator_id": voter.user_id,
            "vote": Vote.CORRECT,
            "answer": {"label": label} if mode is ValidationMode.BLIND else None,
            "created_at": clock.now(),
        }
        for example_id in ids
        for voter, label in zip(voters, said, strict=True)
    ]
    async with db.transaction() as session:
        for number, example_id in enumerate(ids, start=1):
            values = {**written, "id": example_id, "attempt_number": number}
            await session.execute(insert(examples).values(values))
        if votes:
            await session.execute(insert(validations), votes)
    items = [replace(make_item(n), uid=uid_of(one)) for n, one in enumerate(ids)]
    name = f"Round {round_.number}"
    stage.sets = [
        await make_dataset(db, stage.task, items, name=name, round_id=round_.id, clock=clock)
    ]
    return items
