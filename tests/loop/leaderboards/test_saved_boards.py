"""Forks follow the data, snapshots never change; whose they are decides who deletes them."""

from uuid import UUID

import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import func, update

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.errors import UnauthenticatedError
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.datasets.tables import datasets
from dynabench.loop.leaderboards.errors import (
    BoardNameTakenError,
    BoardNotFoundError,
    BoardRightsError,
    BoardWeightsError,
)
from dynabench.loop.leaderboards.saved.schemas import BoardCreate, BoardSummary, BoardWeights
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.values import BoardForm, BoardKind
from dynabench.loop.models.tables import models
from dynabench.loop.tasks.values import TaskRole
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage
from tests.factories.people import make_user
from tests.factories.tasks import add_member

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> BoardStage:
    made = await BoardStage.over(wiring, clock)
    await made.add("one", 300, 300, throughput=10, memory_gib=2)
    await made.add("two", 200, 220, throughput=30, memory_gib=1)
    return made


@pytest.fixture
def saved(wiring: Wiring) -> SavedBoardService:
    return wiring.get(SavedBoardService)


async def save(
    stage: BoardStage, kind: BoardKind, *, by: Actor, name: str = "Mine", **weights: object
) -> BoardSummary:
    body = BoardCreate(kind=kind, name=name, weights=BoardWeights.model_validate(weights))
    service = stage.wiring.get(SavedBoardService)
    return await service.save(stage.task.slug, body, actor=by, key=None)


async def test_a_fork_follows_the_data_and_a_snapshot_does_not(
    stage: BoardStage, saved: SavedBoardService
) -> None:
    author = await make_user(stage.wiring.db)
    # Rates of fewer than five models are fixed ones.
    await stage.add("fourth", 120, 100, throughput=3, memory_gib=12)
    await stage.add("fifth", 90, 80, throughput=4, memory_gib=5)
    weights = {"accuracy": 2.0, "memory": 1.0}
    fork = await save(stage, BoardKind.FORK, by=author, name="Fork", metrics=weights)
    frozen = await save(stage, BoardKind.SNAPSHOT, by=author, name="Frozen", metrics=weights)
    before = await saved.read(frozen.id, actor=VISITOR)
    scores = {row.model.name: row.dynascore for row in before.board.rows}

    await stage.add("new", 390, 380, throughput=2, memory_gib=30)
    own = await stage.board(metrics="accuracy:2,memory:1")
    rated = await stage.board(metrics="accuracy:2,memory:1", rates=frozen.id)

    assert fork.digest is None
    assert (await saved.read(fork.id, actor=VISITOR)).board.ranked == 5
    assert await saved.read(frozen.id, actor=VISITOR) == before
    assert before.digest is not None
    assert len(before.digest) == 64
    assert before.created_by == author.username
    # A new model moves everybody's score, unless the exchange rates are frozen.
    assert {row.model.name: row.dynascore for row in own.rows[1:]} != scores
    kept = {row.model.name: row.dynascore for row in rated.rows if row.model.name in scores}
    assert kept == pytest.approx(scores)
    assert rated.rates is not None
    assert rated.rates.name == "Frozen"
    assert all(
        row.leave_one_out is not None and row.leave_one_out.low == row.dynascore
        for row in rated.rows
    )
    file = await saved.export(frozen.id, form=BoardForm.CSV, actor=VISITOR)
    assert b"new" not in file.body
    with pytest.raises(BoardWeightsError, match="no exchange rate for throughput"):
        await stage.board(metrics="throughput:1", rates=frozen.id)


async def test_a_fork_outlives_its_columns(stage: BoardStage, saved: SavedBoardService) -> None:
    author = await make_user(stage.wiring.db)
    fork = await save(
        stage,
        BoardKind.FORK,
        by=author,
        metrics={"accuracy": 1},
        datasets={str(stage.sets[0].id): 5},
    )

    async with stage.wiring.db.transaction() as session:
        await session.execute(
            update(datasets).where(datasets.c.name == "First").values(access="standard")
        )

    board = (await saved.read(fork.id, actor=VISITOR)).board

    assert [(one.title, one.weight) for one in board.datasets] == [("Second", 1)]
    assert board.ranked == 2


async def test_a_snapshot_of_an_owner_tells_no_more_than_one_of_anybody(
    stage: BoardStage, saved: SavedBoardService
) -> None:
    owner, author = await make_user(stage.wiring.db), await make_user(stage.wiring.db)
    await add_member(stage.wiring.db, stage.task, owner, TaskRole.OWNER)
    await stage.add(
        "masked",
        *(250, 250),
        throughput=3,
        memory_gib=3,
        submitted_by=author.user_id,
        is_anonymous=True,
    )
    await stage.add("private", 250, 250, submitted_by=author.user_id, is_published=False)

    made = await save(stage, BoardKind.SNAPSHOT, by=owner)

    board = (await saved.read(made.id, actor=VISITOR)).board
    assert "private" not in board.model_dump_json()
    assert author.username not in board.model_dump_json()


@pytest.mark.parametrize(
    ("change", "is_named"),
    [
        ({"is_anonymous": True}, True),
        ({"is_published": False}, False),
        ({"deleted_at": func.now()}, False),
    ],
)
async def test_a_snapshot_shows_no_name_that_was_taken_back(
    stage: BoardStage, saved: SavedBoardService, change: dict[str, object], *, is_named: bool
) -> None:
    author = await make_user(stage.wiring.db)
    await stage.add("known", 250, 250, throughput=3, memory_gib=3, submitted_by=author.user_id)
    made = await save(stage, BoardKind.SNAPSHOT, by=await make_user(stage.wiring.db))
    before = await saved.read(made.id, actor=VISITOR)
    assert author.username in before.board.model_dump_json()

    async with stage.wiring.db.transaction() as session:
        await session.execute(update(models).where(models.c.name == "known").values(change))

    after = await saved.read(made.id, actor=VISITOR)
    file = await saved.export(made.id, form=BoardForm.CSV, actor=author)
    assert author.username not in after.board.model_dump_json()
    assert ("known" in after.board.model_dump_json()) is is_named
    assert (b"known" in file.body) is is_named
    # What was measured stays, and so does what the digest is of.
    assert after.digest == before.digest
    assert [row.dynascore for row in after.board.rows] == [
        row.dynascore for row in before.board.rows
    ]


async def test_who_saved_a_board_or_owns_the_task_deletes_it(
    stage: BoardStage, saved: SavedBoardService
) -> None:
    author, other, owner = [await make_user(stage.wiring.db) for _ in range(3)]
    await add_member(stage.wiring.db, stage.task, owner, TaskRole.OWNER)
    boards = [await save(stage, BoardKind.FORK, by=author, name=name) for name in ("A", "B")]
    assert boards[0].can_delete

    with pytest.raises(BoardNameTakenError):
        await save(stage, BoardKind.FORK, by=other, name="A")
    with pytest.raises(UnauthenticatedError):
        await saved.delete(boards[0].id, actor=VISITOR)
    with pytest.raises(BoardRightsError):
        await saved.delete(boards[0].id, actor=other)
    await saved.delete(boards[0].id, actor=author)
    await saved.delete(boards[1].id, actor=owner)

    assert await saved.list(stage.task.slug, actor=VISITOR) == []
    for call in (saved.read, saved.delete):
        with pytest.raises(BoardNotFoundError):
            await call(boards[0].id, actor=owner)


async def test_saving_needs_an_account_and_is_done_once_per_key(
    stage: BoardStage, saved: SavedBoardService
) -> None:
    author = await make_user(stage.wiring.db)
    body = BoardCreate(kind=BoardKind.FORK, name="Once")
    key = RequestKey.of(actor_id=author.user_id, route="x", key="k", body=b"")
    slug = stage.task.slug

    one = await saved.save(slug, body, actor=author, key=key)
    again = await saved.save(slug, body, actor=author, key=key)

    assert one == again
    with pytest.raises(UnauthenticatedError):
        await saved.save(slug, body, actor=VISITOR, key=None)
    with pytest.raises(BoardWeightsError):
        await save(stage, BoardKind.FORK, by=author, name="No", metrics={"speed": 1})


async def test_routes_of_saved_boards(stage: BoardStage) -> None:
    author = await make_user(stage.wiring.db)
    made = await save(stage, BoardKind.SNAPSHOT, by=author)
    application = create_application(stage.wiring, fold_in_background=False)
    nobody = UUID(int=1)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        listed = await client.get(f"/api/v1/tasks/{stage.task.slug}/boards")
        shown = await client.get(f"/api/v1/boards/{made.id}")
        file = await client.get(f"/api/v1/boards/{made.id}/file.tex")
        refused = [
            await client.get(f"/api/v1/boards/{nobody}"),
            await client.delete(f"/api/v1/boards/{made.id}"),
            await client.post(
                f"/api/v1/tasks/{stage.task.slug}/boards", json={"kind": "fork", "name": "x"}
            ),
        ]

    assert [one["id"] for one in listed.json()] == [str(made.id)]
    assert shown.json()["board"]["ranked"] == 2
    assert file.text.startswith("%")
    assert [one.status_code for one in refused] == [404, 401, 401]
