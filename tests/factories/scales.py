"""Released rounds for tests of scales: who tried what, and models of known ability on the items."""

from dataclasses import dataclass, replace
from typing import Self
from uuid import UUID

import numpy as np
from scipy.special import expit
from sqlalchemy import insert

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.models.values import Model
from dynabench.loop.rounds.values import Round, RoundPlan, RoundStatus
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Verdict, Vote
from tests.conftest import HeldClock
from tests.factories.boards import BOARD_CONFIG, score_model
from tests.factories.contexts import make_context
from tests.factories.datasets import make_dataset, make_item
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task

PEOPLE, TRIES = 12, 10
ITEMS = 80


@dataclass
class Released:
    """A released round, its examples in order, and how hard each test item is."""

    round_: Round
    version: DatasetVersion
    example_ids: list[UUID]
    difficulties: np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass
class ScaleStage:
    """A task with twelve annotators, an owner and an expert."""

    wiring: Wiring
    clock: HeldClock
    task: Task
    people: list[Actor]
    owner: Actor
    expert: Actor
    random: np.random.Generator

    @classmethod
    async def over(cls, wiring: Wiring, clock: HeldClock) -> Self:
        """Write the task and its people."""
        task = await make_task(wiring.db, config=BOARD_CONFIG, clock=clock)
        people = [await make_user(wiring.db) for _ in range(PEOPLE)]
        owner, expert = await make_user(wiring.db), await make_user(wiring.db)
        await add_member(wiring.db, task, owner, TaskRole.OWNER)
        await add_member(wiring.db, task, expert, TaskRole.EXPERT)
        return cls(wiring, clock, task, people, owner, expert, np.random.default_rng(1))

    async def release(self, target: Model, *, difficulty: float = 0.0) -> Released:
        """Release a round: everybody tried ten times, and the first 80 fooling tries are test."""
        plan = RoundPlan(target_model_ids=(target.id,))
        db, clock = self.wiring.db, self.clock
        round_ = await make_round(
            db, self.task, plan=plan, status=RoundStatus.RELEASED, clock=clock
        )
        contexts = [(await make_context(db, self.task, clock=clock)).id for _ in range(10)]
        ids = [new_id() for _ in range(PEOPLE * TRIES)]
        rows = []
        for number, example_id in enumerate(ids):
            person, place = number % PEOPLE, number // PEOPLE
            # Later people fool less; whatever is test has fooled.
            fooled = number < ITEMS or self.random.random() < 1 - person / PEOPLE
            rows.append((example_id, self.people[person].user_id, contexts[place], fooled))
        await self._write(round_, target, rows)
        items = [replace(make_item(n), uid=uid_of(one)) for n, one in enumerate(ids[:ITEMS])]
        version = await make_dataset(
            db,
            self.task,
            items,
            name=f"Round {round_.number}",
            round_id=round_.id,
            clock=clock,
        )
        spread = self.random.standard_normal(ITEMS)
        return Released(round_, version, ids, difficulty + spread)

    async def add(self, name: str, theta: float, *rounds: Released) -> Model:
        """Write a model of this ability that was scored on rounds."""
        model = await make_model(self.wiring.db, self.task, name=name, clock=self.clock)
        for one in rounds:
            await self.score(model, theta, one)
        return model

    async def score(
        self, model: Model, theta: float, one: Released, *, wrong_way: tuple[int, ...] = ()
    ) -> None:
        """Write a model's answers; on items that go the wrong way only weak models are right."""
        right = self.random.random(ITEMS) < expit(theta - one.difficulties)
        for place in wrong_way:
            right[place] = theta < 0
        uids = [uid_of(example_id) for example_id in one.example_ids[:ITEMS]]
        scores = right.astype(float).tolist()
        await score_model(self.wiring.db, model, one.version, scores, uids=uids)

    async def vote(self, one: Released, place: int, *, correct: int, incorrect: int) -> None:
        """Let so many others judge an example, each of them somebody new."""
        votes = [Vote.CORRECT] * correct + [Vote.INCORRECT] * incorrect
        rows = [
            {
                "id": new_id(),
                "example_id": one.example_ids[place],
                "round_id": one.round_.id,
                "validator_id": self.people[number].user_id,
                "vote": vote,
                "created_at": self.clock.now(),
            }
            for number, vote in enumerate(votes)
        ]
        async with self.wiring.db.transaction() as session:
            await session.execute(insert(validations), rows)

    async def compute(self) -> None:
        """Do what a worker's job does."""
        await self.wiring.get(ScaleService).compute(self.task.id)

    async def _write(
        self, round_: Round, target: Model, rows: list[tuple[UUID, UUID | None, UUID, bool]]
    ) -> None:
        now = self.clock.now()
        shared = [
            {"round_id": round_.id, "arm": "target", "annotator_id": person, "context_id": context}
            for _, person, context, _ in rows
        ]
        written: list[dict[str, object]] = [
            {
                **about,
                "id": example_id,
                "task_id": self.task.id,
                "attempt_number": number,
                "inputs": {"hypothesis": f"Hypothesis {number}."},
                "answer": {"label": "neutral"},
                "origin": "human",
                "created_at": now,
                "similarity_bands": [],
            }
            for number, (about, (example_id, *_)) in enumerate(zip(shared, rows, strict=True), 1)
        ]
        answered = [
            {
                "example_id": example_id,
                "position": 0,
                "model_id": target.id,
                "outputs": {"label": "entailment" if fooled else "neutral"},
                "is_wrong": fooled,
            }
            for example_id, _, _, fooled in rows
        ]
        judged = [
            {
                **about,
                "example_id": example_id,
                "is_wanted": fooled,
                "priority": 0 if fooled else 1,
                "verdict": Verdict.CORRECT if fooled else Verdict.PENDING,
                "gold": {"label": "neutral"},
                "fooled": fooled,
                "agrees_with_author": True,
                "example_created_at": now,
            }
            for about, (example_id, _, _, fooled) in zip(shared, rows, strict=True)
        ]
        async with self.wiring.db.transaction() as session:
            await session.execute(insert(examples), written)
            await session.execute(insert(example_predictions), answered)
            await session.execute(insert(outcomes), judged)
