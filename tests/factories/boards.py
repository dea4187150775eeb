"""Boards for tests: models whose answers to every item of a set are given, and who reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import insert, update

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database
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
    contexts: Sequence[object] | None = None,
    throughput: float | None = None,
    memory_gib: float | None = None,
    tags: Mapping[str, float] | None = None,
    uids: Sequence[str] | None = None,
    at: datetime = AT,
) -> None:
    """Write a finished evaluation with each test item's score, as `make_items` numbers them."""
    evaluation_id = new_id()
    found = mean_with_interval(per_item, contexts or list(range(len(per_item))))
    assert found is not None
    assert found.interval is not None
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
        await session.execute(
            insert(predictions),
            [
                {
                    "evaluation_id": evaluation_id,
                    "uid": uids[number] if uids else make_item(number).uid,
                    "outputs": {},
                    "score": score,
                }
                for number, score in enumerate(per_item)
            ],
        )
        score = {
            "split": Split.TEST,
            "value": found.mean,
            "low": max(found.interval.low, 0.0),
            "high": min(found.interval.high, 1.0),
            "items": len(per_item),
        }
        row = {"evaluation_id": evaluation_id, "metric": "accuracy"}
        await session.execute(insert(scores).values({**row, **score, "is_principal": True}))
        if throughput is not None or memory_gib is not None:
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
        for tag, value in (tags or {}).items():
            await session.execute(
                insert(tag_scores).values(
                    {**row, **score, "split": "test", "tag": tag, "value": value}
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
    round_ = await make_round(
        stage.wiring.db, stage.task, plan=plan, status=RoundStatus.RELEASED, clock=stage.clock
    )
    context = await make_context(stage.wiring.db, stage.task, clock=stage.clock)
    author = await make_user(stage.wiring.db)
    voters = [await make_user(stage.wiring.db) for _ in said]
    items = []
    async with stage.wiring.db.transaction() as session:
        for number in range(20):
            example_id = new_id()
            await session.execute(
                insert(examples).values(
                    id=example_id,
                    task_id=stage.task.id,
                    round_id=round_.id,
                    context_id=context.id,
                    annotator_id=author.user_id,
                    attempt_number=number + 1,
                    inputs={},
                    answer={"label": "neutral"},
                    origin="human",
                    created_at=stage.clock.now(),
                    similarity_bands=[],
                )
            )
            items.append(replace(make_item(number), uid=uid_of(example_id)))
            for voter, label in zip(voters, said, strict=True):
                await session.execute(
                    insert(validations).values(
                        id=new_id(),
                        example_id=example_id,
                        round_id=round_.id,
                        validator_id=voter.user_id,
                        vote=Vote.CORRECT,
                        answer={"label": label} if mode is ValidationMode.BLIND else None,
                        created_at=stage.clock.now(),
                    )
                )
    stage.sets = [
        await make_dataset(
            stage.wiring.db,
            stage.task,
            items,
            name=f"Round {round_.number}",
            round_id=round_.id,
            clock=stage.clock,
        )
    ]
    return items
