"""Uploads are taken away while no model learned from them; releases and snapshots stay."""

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import func, select, update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.tables import dataset_versions, datasets
from dynabench.loop.evaluations.discards.errors import DatasetInUseError
from dynabench.loop.evaluations.discards.service import DiscardService
from dynabench.loop.evaluations.tables import evaluations, predictions, scores
from dynabench.loop.leaderboards.saved.schemas import BoardCreate, BoardWeights
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.values import BoardKind
from dynabench.loop.models.tables import models
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import TaskRole
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage
from tests.factories.people import make_user
from tests.factories.tasks import add_member

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> BoardStage:
    found = await BoardStage.over(wiring, clock)
    async with wiring.db.transaction() as session:
        await session.execute(update(datasets).values(origin="upload"))
    return found


async def test_an_upload_goes_with_its_variants_and_scores_and_a_snapshot_stays(
    stage: BoardStage, wiring: Wiring
) -> None:
    owner = await make_user(wiring.db)
    await add_member(wiring.db, stage.task, owner, TaskRole.OWNER)
    await stage.fill()
    first, second = stage.sets
    body = BoardCreate(kind=BoardKind.SNAPSHOT, name="Before", weights=BoardWeights())
    frozen = await wiring.get(SavedBoardService).save(stage.task.slug, body, actor=owner, key=None)
    before = await wiring.get(SavedBoardService).read(frozen.id, actor=VISITOR)
    async with wiring.db.transaction() as session:
        varied = update(dataset_versions).where(dataset_versions.c.id == second.id)
        await session.execute(varied.values(perturbs_id=first.id))

    await wiring.get(DiscardService).discard(first.id, actor=owner)

    assert await wiring.get(DatasetService).of_task(stage.task.id) == []
    async with wiring.db.read() as session:
        for table in (evaluations, predictions, scores, datasets):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
    assert (await stage.board()).datasets == []
    assert await wiring.get(SavedBoardService).read(frozen.id, actor=VISITOR) == before
    with pytest.raises(DatasetNotFoundError):
        await wiring.get(DiscardService).discard(first.id, actor=owner)


async def test_what_a_round_released_or_a_model_learned_from_stays(
    stage: BoardStage, wiring: Wiring
) -> None:
    owner = await make_user(wiring.db)
    await add_member(wiring.db, stage.task, owner, TaskRole.OWNER)
    learner = await stage.add("learner", 300)
    first, second = stage.sets
    async with wiring.db.transaction() as session:
        source = {"training": {"sources": [{"version_id": str(first.id)}]}}
        await session.execute(update(models).where(models.c.id == learner.id).values(source=source))
        released = update(datasets).where(datasets.c.id == second.dataset_id)
        await session.execute(released.values(origin="release"))
    discards = wiring.get(DiscardService)

    with pytest.raises(DatasetInUseError, match="“learner” learned from it"):
        await discards.discard(first.id, actor=owner)
    with pytest.raises(DatasetInUseError, match="what a round released"):
        await discards.discard(second.id, actor=owner)
    assert len(await wiring.get(DatasetService).of_task(stage.task.id)) == 2


async def test_variants_that_nobody_was_scored_on_are_dropped_alone(
    stage: BoardStage, wiring: Wiring
) -> None:
    owner = await make_user(wiring.db)
    await add_member(wiring.db, stage.task, owner, TaskRole.OWNER)
    first, second = stage.sets
    async with wiring.db.transaction() as session:
        varied = update(dataset_versions).where(dataset_versions.c.id == second.id)
        await session.execute(varied.values(perturbs_id=first.id))

    await wiring.get(DiscardService).discard(second.id, actor=owner)

    left = await wiring.get(DatasetService).of_task(stage.task.id)
    assert [one.id for one in left] == [first.id]


async def test_nobody_but_its_owners_deletes_a_dataset(stage: BoardStage, wiring: Wiring) -> None:
    stranger = await make_user(wiring.db)
    version_id = stage.sets[0].id
    discards = wiring.get(DiscardService)
    application = create_application(wiring, fold_in_background=False)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        answer = await client.delete(f"/api/v1/dataset-versions/{version_id}")

    assert answer.status_code in {401, 403}
    with pytest.raises((SignInRequiredError, TaskRoleNeededError)):
        await discards.discard(version_id, actor=VISITOR)
    with pytest.raises(TaskRoleNeededError):
        await discards.discard(version_id, actor=stranger)
