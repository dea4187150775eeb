"""Figures are computed once per change: little of it at once, much of it by a job."""

import pytest
from sqlalchemy import select

from dynabench.app.wiring import Wiring
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.tables import jobs
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.leaderboards.figures import service as figures_service
from dynabench.loop.leaderboards.figures.repository import FigureRepository
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.figures.values import COMPUTE_FIGURES
from dynabench.loop.leaderboards.humans.service import HumanService
from dynabench.loop.leaderboards.payloads import rules as payloads
from dynabench.loop.leaderboards.payloads.rules import FORM, pack, unpack
from dynabench.loop.tasks.service import TaskService
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> BoardStage:
    made = await BoardStage.over(wiring, clock)
    await made.add("one", 300, 300)
    await made.add("two", 200, 220)
    return made


def service(stage: BoardStage, *, read_at_once: int) -> FigureService:
    wiring = stage.wiring
    return FigureService(
        db=wiring.db,
        clock=stage.clock,
        tasks=wiring.get(TaskService),
        datasets=wiring.get(DatasetService),
        humans=wiring.get(HumanService),
        queue=JobQueue(),
        patience_seconds=0,
        read_at_once=read_at_once,
    )


async def test_much_is_left_to_one_job_and_what_was_known_is_shown_meanwhile(
    stage: BoardStage,
) -> None:
    busy = service(stage, read_at_once=1000)

    first = await busy.current(stage.task)
    again = await busy.current(stage.task)
    async with stage.wiring.db.read() as session:
        found = (await session.execute(select(jobs.c.name, jobs.c.payload))).all()
    assert first is not None
    assert again is not None
    assert (first.prepared, first.is_current, again.is_current) == (None, False, False)
    assert [(row.name, row.payload) for row in found] == [
        (COMPUTE_FIGURES, {"task_id": str(stage.task.id)})
    ]

    assert (await busy.compute(stage.task.id))["models"] == 2
    done = await busy.current(stage.task)
    await stage.add("three", 250, 260)
    await stage.add("four", 251, 261)
    # So few that it is read at once were it not for a small limit.
    stale = await service(stage, read_at_once=10).current(stage.task)

    assert done is not None
    assert done.is_current
    assert stale is not None
    assert stale.prepared is not None
    assert (stale.is_current, len(stale.prepared.figures.models)) == (False, 2)
    fresh = await busy.compute(stage.task.id)
    assert fresh["models"] == 4
    assert (await busy.compute(stage.task.id))["models"] == 0


async def test_what_was_read_once_is_not_read_again(
    stage: BoardStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = stage.wiring.get(FigureService)
    await figures.current(stage.task)
    await stage.add("three", 250, 260)
    asked: list[int] = []
    read = FigureRepository.item_scores

    async def counted(self: FigureRepository, version_id: object, ids: list[object]) -> object:
        asked.append(len(ids))
        return await read(self, version_id, ids)  # type: ignore[arg-type]

    monkeypatch.setattr(FigureRepository, "item_scores", counted)

    current = await figures.current(stage.task)

    assert current is not None
    assert current.prepared is not None
    assert asked == [1, 1]
    assert len(current.prepared.figures.models) == 3


async def test_figures_lie_in_the_database_as_they_were_computed(stage: BoardStage) -> None:
    current = await stage.wiring.get(FigureService).current(stage.task)
    assert current is not None
    assert current.prepared is not None
    figures = current.prepared.figures

    found = unpack(pack(figures))

    assert found is not None
    assert (found.stamp, found.models, found.versions) == (
        figures.stamp,
        figures.models,
        figures.versions,
    )
    one, other = (next(iter(each.item_scores.values())) for each in (figures, found))
    assert (one.scores == other.scores).all()
    assert one.marks == other.marks
    assert (one.contexts == other.contexts).all()
    other_process = service(stage, read_at_once=0)
    loaded = await other_process.current(stage.task)
    assert loaded is not None
    assert loaded.is_current


async def test_what_an_older_release_computed_is_computed_anew(
    stage: BoardStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(payloads, "FORM", FORM - 1)
        older.setattr(figures_service, "FORM", FORM - 1)
        assert (await service(stage, read_at_once=10_000).compute(stage.task.id))["models"] == 2

    current = await service(stage, read_at_once=10_000).current(stage.task)

    assert current is not None
    assert current.is_current
    assert current.prepared is not None
    # Both sets of the stage are about the same contexts.
    assert len(current.prepared.shared.pairs) == 1
