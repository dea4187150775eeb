"""A field that annotators and validators see, and no target model is sent."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.protocol import FakeTargetModel, TargetModel, TargetSpec
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.kit.settings import Settings
from dynabench.kit.wire import Values
from dynabench.loop.datasets.jobs import handlers
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import OpenVerdicts
from dynabench.loop.examples.schemas import ExampleCreate
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.training.gathering.service import as_seen
from dynabench.loop.training.rules import summarise
from dynabench.loop.training.values import LabelledItem
from dynabench.loop.validations.service import ValidationService
from tests.conftest import HeldClock
from tests.factories.contexts import make_context
from tests.factories.datasets import Chapters
from tests.factories.examples import Stage, make_stage
from tests.factories.tasks import NLI_CONFIG, add_member
from tests.factories.validations import vote

_CONFIG = NLI_CONFIG.replace(
    "  - {name: premise, type: string}\n",
    "  - {name: premise, type: string}\n  - {name: hint, type: string, is_shown_to_model: false}\n",
).replace("input:\n", "input:\n  - {name: source, type: string, is_shown_to_model: false}\n")
_CONTEXT: Values = {"premise": "A dog runs.", "hint": "Think of the colour."}
_INPUTS: Values = {"hypothesis": "entailment is near.", "source": "My own garden."}


@pytest.fixture
def models() -> list[FakeTargetModel]:
    """The targets that were built, with what they were asked."""
    return []


@pytest.fixture
async def stage(
    database_url: str, tmp_path: Path, clock: HeldClock, models: list[FakeTargetModel]
) -> AsyncIterator[Stage]:
    def build(spec: TargetSpec) -> TargetModel:
        # It is asked whatever the spec lets through, and keeps that.
        made = FakeTargetModel(
            lambda _: {"label": "entailment"}, name=spec.name, output_names=spec.output_names
        )
        models.append(made)
        return made

    settings = Settings(database_url=database_url, home=tmp_path, database_pool_size=6)
    wiring: Wiring = wire(settings, clock=clock, factory=build, fold_patience_seconds=0)
    yield await make_stage(wiring, clock, config=_CONFIG, contexts=0)
    await wiring.close()


async def test_the_target_is_not_sent_it_and_everybody_else_keeps_it(
    stage: Stage, models: list[FakeTargetModel], clock: HeldClock
) -> None:
    context = await make_context(stage.db, stage.task, content=_CONTEXT, clock=clock)
    body = ExampleCreate(context_id=context.id, inputs=_INPUTS, answer={"label": "neutral"})
    example = await stage.wiring.get(ExampleService).submit(
        stage.round_.id, body, actor=stage.author, key=None
    )

    (asked,) = [asked for model in models for asked in model.asked]
    assert asked == {"premise": _CONTEXT["premise"], "hypothesis": _INPUTS["hypothesis"]}
    assert example.inputs == _INPUTS
    found = await stage.wiring.get(ValidationService).next_items(
        stage.round_.id, count=1, actor=await stage.person()
    )
    assert [(item.context, item.inputs) for item in found.items] == [(_CONTEXT, _INPUTS)]

    for _ in range(3):
        await vote(stage, example.id)
    assert await _released(stage, clock) == [(_CONTEXT, _INPUTS)]


async def _released(stage: Stage, clock: HeldClock) -> list[tuple[object, object]]:
    owner = await stage.person()
    await add_member(stage.db, stage.task, owner, TaskRole.OWNER)
    await stage.wiring.get(RoundService).close(stage.round_.id, actor=owner)
    chapters = Chapters.over(stage.db, clock)
    order = ReleaseRequest(allow_incomplete=True, open_verdicts=OpenVerdicts.SETTLE)
    job = await chapters.desk.release(stage.round_.id, order, actor=owner, key=None)
    found = handlers(releases=chapters.releases, desk=chapters.desk)
    await JobRunner(stage.db, found, executor_id="one").run(job.id)
    async with stage.db.read() as session:
        assert (await chapters.queue.get(session, job.id)).state is JobState.DONE
        rows = await session.execute(select(dataset_items.c.context, dataset_items.c.inputs))
        return [(row.context, row.inputs) for row in rows]


async def test_no_model_learns_from_it(stage: Stage) -> None:
    config = stage.task.config
    item = LabelledItem(context=_CONTEXT, inputs=_INPUTS, answer={"label": "neutral"}, weight=2)
    (seen,) = as_seen([item], config)
    assert (seen.context, seen.inputs) == (
        {"premise": _CONTEXT["premise"]},
        {"hypothesis": _INPUTS["hypothesis"]},
    )
    assert (seen.answer, seen.weight) == (item.answer, 2)
    summary = summarise(config)
    assert (summary.context_names, summary.input_names) == (("premise",), ("hypothesis",))
