"""A task with two released rounds, their targets, and three models that link them."""

from dataclasses import dataclass

import pytest

from dynabench.app.wiring import Wiring
from dynabench.loop.models.values import Model
from tests.conftest import HeldClock
from tests.factories.models import make_model
from tests.factories.scales import Released, ScaleStage

MISLABELLED = (3, 4)


@dataclass
class Linked:
    """A stage whose rounds are linked by models of known ability."""

    stage: ScaleStage
    first: Released
    second: Released
    targets: tuple[Model, Model]


@pytest.fixture
async def linked(wiring: Wiring, clock: HeldClock) -> Linked:
    stage = await ScaleStage.over(wiring, clock)
    targets = [
        await make_model(wiring.db, stage.task, name=f"target-{number}", clock=clock)
        for number in (1, 2)
    ]
    first = await stage.release(targets[0], difficulty=-0.5)
    second = await stage.release(targets[1], difficulty=0.5)
    for name, theta in (("weak", -1.5), ("weaker", -2.5), ("middle", 0.2), ("strong", 2.0)):
        model = await stage.add(name, theta, second)
        await stage.score(model, theta, first, wrong_way=MISLABELLED)
    # Each target is wrong on all of its own round; on the other one it shows what it can.
    await stage.score(targets[0], -20.0, first)
    await stage.score(targets[0], 0.0, second)
    await stage.score(targets[1], 1.0, first, wrong_way=MISLABELLED)
    await stage.score(targets[1], -20.0, second)
    return Linked(stage, first, second, (targets[0], targets[1]))


@pytest.fixture
async def judged(linked: Linked) -> Linked:
    """Return the same with enough models on the first round to suspect its items by."""
    for name, theta in (("poor", -1.0), ("fair", 0.6), ("able", 0.9)):
        model = await linked.stage.add(name, theta)
        await linked.stage.score(model, theta, linked.first, wrong_way=MISLABELLED)
    return linked
