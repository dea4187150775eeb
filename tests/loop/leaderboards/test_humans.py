"""How people do, from the answers of validators who saw no other answer."""

from uuid import UUID

import numpy as np
import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.loop.datasets.values import DatasetItem
from dynabench.loop.leaderboards.humans.rules import judge_answers, measure_people
from dynabench.loop.leaderboards.humans.values import JudgedAnswer, VotedItem
from dynabench.loop.leaderboards.views.service import ViewService
from dynabench.loop.rounds.values import GoldFrom, ValidationMode
from dynabench.science.metrics.accuracy import accuracy
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage, answers, release_answered, score_model
from tests.factories.models import make_model

pytestmark = pytest.mark.anyio


def item(*said: object, gold: object = "a") -> VotedItem:
    return VotedItem("x", gold, b"c", said, [UUID(int=place) for place in range(len(said))])


def test_an_author_s_gold_is_everybody_else_s() -> None:
    judged = judge_answers(
        [item("a", "b", "a")], gold_from=GoldFrom.AUTHOR, is_same=lambda one, other: one == other
    )

    assert [(one.gold, one.answer) for one in judged] == [("a", "a"), ("a", "b"), ("a", "a")]


def test_a_validator_s_own_answer_makes_no_gold_for_it() -> None:
    judged = judge_answers(
        # Without the last, "a" is shared; without an "a", one stands against one.
        [item("a", "a", "b", gold="never looked at")],
        gold_from=GoldFrom.VALIDATORS,
        is_same=lambda one, other: one == other,
    )

    assert [(one.gold, one.answer) for one in judged] == [("a", "b")]


def test_answers_are_scored_by_the_task_s_own_metric() -> None:
    judged = judge_answers(
        [item("a", "b"), item("a", "a")], gold_from=GoldFrom.AUTHOR, is_same=lambda *_: True
    )

    figure = measure_people(judged, accuracy, name="accuracy", kind="multiclass")

    assert (figure.value, figure.votes, figure.reason) == (0.75, 4, None)
    assert figure.low is None, "one context says nothing of others"
    nobody = measure_people([], accuracy, name="accuracy", kind="multiclass")
    assert nobody.value is None
    assert nobody.reason is not None


def test_answers_of_few_validators_say_less_than_as_many_of_as_many() -> None:
    random = np.random.default_rng(3)
    covered, widths = 0, {3: 0.0, 60: 0.0}
    for _ in range(200):
        for people in widths:
            # Whom one asks matters: own rates are of a beta distribution with likeness 0.2.
            own = random.beta(0.8 * 4, 0.2 * 4, people)
            who = np.arange(120) % people
            judged = [
                JudgedAnswer(str(place), UUID(int=int(one)), bytes([place]), "a", answer)
                for place, one in enumerate(who)
                for answer in ["a" if random.random() < own[one] else "b"]
            ]
            figure = measure_people(judged, accuracy, name="accuracy", kind="multiclass")
            assert figure.low is not None
            assert figure.high is not None
            widths[people] += figure.high - figure.low
            covered += figure.low <= 0.8 <= figure.high
    assert covered >= 0.93 * 400
    assert widths[3] > 2 * widths[60]


def test_one_validator_says_nothing_of_others() -> None:
    judged = [
        JudgedAnswer(str(place), UUID(int=1), bytes([place]), "a", "a") for place in range(20)
    ]

    figure = measure_people(judged, accuracy, name="accuracy", kind="multiclass")

    assert (figure.value, figure.low, figure.high) == (1, None, None)


async def scored(stage: BoardStage, name: str, right: int, items: list[DatasetItem]) -> None:
    model = await make_model(stage.wiring.db, stage.task, name=name, clock=stage.clock)
    await score_model(
        stage.wiring.db,
        model,
        stage.sets[0],
        answers(right, of=20),
        uids=[one.uid for one in items],
    )


async def test_people_stand_beside_the_models_of_a_released_round(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await BoardStage.over(wiring, clock)
    said = ("neutral", "neutral", "entailment")
    items = await release_answered(stage, mode=ValidationMode.BLIND, said=said)
    await scored(stage, "best", 12, items)
    await scored(stage, "other", 5, items)

    board = await stage.board(datasets=f"{stage.sets[0].id}:1")
    (gap,) = await wiring.get(ViewService).humans(stage.task.slug, actor=VISITOR)

    assert board.humans is not None
    assert board.humans.figure.value == pytest.approx(200 / 3)
    assert [row.model.name for row in board.rows] == ["best", "other"]
    assert [note for note in board.notes if "validators agreed" in note] == board.notes[-1:]
    assert (gap.round_number, gap.votes, gap.method, gap.best_model) == (1, 60, "blind", "best v1")
    assert gap.gap == pytest.approx(200 / 3 - 60)


async def test_agreeing_with_what_one_sees_is_no_accuracy(wiring: Wiring, clock: HeldClock) -> None:
    stage = await BoardStage.over(wiring, clock)
    items = await release_answered(stage, mode=ValidationMode.REVIEW, said=("neutral",) * 3)
    await scored(stage, "best", 12, items)

    (gap,) = await wiring.get(ViewService).humans(stage.task.slug, actor=VISITOR)

    assert (gap.humans.value, gap.gap, gap.method) == (None, None, "review")
    assert gap.reason is not None
    assert "no accuracy" in gap.reason
    assert gap.best is not None
    assert gap.best.value == 60
