"""What the server says of its own state."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import psycopg
import pytest
import structlog

from dynabench.app.server.factory import create_application
from dynabench.app.server.health import BackgroundFolds, readiness
from dynabench.app.wiring import Wiring, wire
from dynabench.engines.jobs.guard import WorkerGuard
from dynabench.kit.settings import Settings
from dynabench.loop.validations.folds.service import FoldService

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path) -> AsyncIterator[Wiring]:
    made = wire(Settings(database_url=database_url, home=tmp_path), fold_patience_seconds=0)
    yield made
    await made.close()


@pytest.fixture
def folds(wiring: Wiring) -> BackgroundFolds:
    return BackgroundFolds(wiring.get(FoldService))


def execute(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


async def test_without_a_worker_requests_are_answered_and_jobs_wait(
    wiring: Wiring, folds: BackgroundFolds
) -> None:
    found = await readiness(wiring, folds)

    assert (found.status, found.is_ready) == ("degraded", True)
    assert found.parts["worker"] == "none"


async def test_with_a_worker_everything_is_ok(wiring: Wiring, folds: BackgroundFolds) -> None:
    async with await WorkerGuard.hold(wiring.db.url, executor_id="worker-1"):
        found = await readiness(wiring, folds)

    assert found.status == "ok"


async def test_a_database_that_does_not_answer_makes_it_unready(tmp_path: Path) -> None:
    lost = wire(Settings(database_url=NOWHERE, home=tmp_path))

    found = await readiness(lost, BackgroundFolds(lost.get(FoldService)))
    await lost.close()

    assert found.status == "unready"
    assert (found.parts["database"], found.parts["schema"]) == ("no answer", "unknown")


async def test_another_schema_makes_it_unready(wiring: Wiring, folds: BackgroundFolds) -> None:
    execute(wiring.db.url, "UPDATE alembic_version SET version_num = '0001'")

    found = await readiness(wiring, folds)

    assert (found.status, found.parts["schema"]) == ("unready", "at revision 0001")


async def test_the_route_answers_503_with_each_part(
    empty_database_url: str, tmp_path: Path
) -> None:
    wiring = wire(Settings(database_url=empty_database_url, home=tmp_path))
    application = create_application(wiring, fold_in_background=False)
    transport = httpx2.ASGITransport(application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/readyz")
    await wiring.close()

    assert answer.status_code == 503
    assert answer.json()["status"] == "unready"
    assert answer.json()["parts"]["schema"] == "missing"


async def test_a_lost_schema_is_told_once_and_asked_for_ever_less_often(
    wiring: Wiring, folds: BackgroundFolds
) -> None:
    execute(wiring.db.url, "ALTER SCHEMA public RENAME TO elsewhere")
    execute(wiring.db.url, "CREATE SCHEMA public")
    pauses = []
    with structlog.testing.capture_logs() as lines:
        for _ in range(9):
            await folds.turn()
            pauses.append(folds.pause_seconds)

    assert len(lines) == 1
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30, 30]
    assert not (await readiness(wiring, folds)).is_ready

    execute(wiring.db.url, "DROP SCHEMA public")
    execute(wiring.db.url, "ALTER SCHEMA elsewhere RENAME TO public")
    with structlog.testing.capture_logs() as lines:
        await folds.turn()

    assert [line["event"] for line in lines] == ["counts are folded again"]
    assert (folds.trouble, folds.pause_seconds) == (None, 0.5)
