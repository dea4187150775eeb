"""No finished shard runs twice, whatever is killed whenever."""

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import func, select

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.jobs.values import JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import evaluation_shards, predictions
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.values import Submission
from dynabench.loop.tasks.values import Task
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import PATIENCE, LaterChapters
from tests.factories.tasks import make_task
from tests.loop.evaluations.test_service import jobs_of, run

WORKER = Path(__file__).with_name("crashing_worker.py")
ADMIN = Actor(user_id=None, is_admin=True)
HANDLER = """
from pathlib import Path

LEDGER = Path({ledger!r})


def predict(batch):
    with LEDGER.open("a") as ledger:
        for item in batch:
            ledger.write(item["hypothesis"] + "\\n")
    return [{{"label": "neutral"}} for item in batch]
"""
SHARDS = 3
ITEMS = SHARDS * PATIENCE.shard_items - 7


Crash = Callable[[dict[str, object]], int]


@pytest.fixture(scope="module")
def crash() -> Iterator[Crash]:
    """Have a worker kill itself at a chosen moment; returns how it ended."""
    worker = subprocess.Popen(  # noqa: S603 - our own interpreter and script
        [sys.executable, str(WORKER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    orders, endings = worker.stdin, worker.stdout

    def give(order: dict[str, object]) -> int:
        orders.write(json.dumps(order) + "\n")
        orders.flush()
        return int(endings.readline())

    yield give
    orders.close()
    worker.wait()
    endings.close()


async def make_scene(
    db: Database, clock: HeldClock, folder: Path
) -> tuple[LaterChapters, Task, UUID, UUID]:
    """Return a handler that writes down what it is asked, and the job that scores it."""
    (folder / "ledger").touch()
    (folder / "model").mkdir()
    (folder / "model" / "model.py").write_text(HANDLER.format(ledger=str(folder / "ledger")))
    later = LaterChapters.over(db, clock, factory=build_target, blobs=folder / "blobs")
    digest = FolderBlobStore(folder / "blobs").put_folder(folder / "model")
    task = await make_task(db)
    items = [make_item(number, split=Split.TEST) for number in range(ITEMS)]
    version = await make_dataset(db, task, items, clock=clock)
    async with db.transaction() as session:
        model = await later.earlier.models.register_handler(
            session, Submission(name="mine", digest=digest), task=task
        )
        await later.evaluations.enqueue_one(session, model.id, version.id, created_by=None)
    (job,) = await jobs_of(db, later, "evaluations.evaluate")
    return later, task, model.id, job.id


async def stored(db: Database) -> list[int]:
    """Return the numbers of the finished shards, and hold each to its predictions."""
    async with db.read() as session:
        query = select(evaluation_shards.c.number).order_by(evaluation_shards.c.number)
        numbers = list((await session.execute(query)).scalars())
        kept = await session.scalar(select(func.count()).select_from(predictions))
    size = PATIENCE.shard_items
    assert kept == sum(min(size, ITEMS - number * size) for number in numbers)
    return numbers


@pytest.mark.parametrize(
    ("moment", "number", "finished"),
    [
        ("before ask", 1, 0),
        ("after ask", 2, 1),
        ("before write", 2, 1),
        ("after write", 2, 1),
        ("after store", 2, 2),
        ("before time", 1, SHARDS),
        ("after finish", 1, SHARDS),
        ("after compare", 1, SHARDS),
    ],
)
async def test_a_killed_worker_s_finished_shards_are_never_asked_again(
    database: Database,
    clock: HeldClock,
    tmp_path: Path,
    crash: Crash,
    moment: str,
    number: int,
    finished: int,
) -> None:
    later, _, model_id, job_id = await make_scene(database, clock, tmp_path)
    order = {
        "url": database.url,
        "blobs": str(tmp_path / "blobs"),
        "job_id": str(job_id),
        "moment": moment,
        "number": number,
    }
    assert await asyncio.to_thread(crash, order) == -signal.SIGKILL
    # Whoever is killed just after a commit that runs beside it may have come so far or not.
    numbers = await stored(database)
    assert numbers == list(range(len(numbers)))
    assert len(numbers) in {finished, max(0, finished - 1)}

    done = await run(database, later, job_id)

    assert (done.state, done.error) == (JobState.DONE, None)
    assert await stored(database) == list(range(SHARDS))
    asked = Counter((tmp_path / "ledger").read_text().splitlines())
    size = PATIENCE.shard_items
    safe = {
        f"Hypothesis {place}." for one in numbers for place in range(one * size, one * size + size)
    }
    # The model is timed on the first items as well, once in each run that comes so far.
    timed = {f"Hypothesis {place}." for place in range(size)}
    assert {asked[text] for text in safe - timed if text in asked} <= {1}
    assert len(asked) == ITEMS
    (read,) = await later.views.of_model(model_id, actor=ADMIN)
    assert (read.state, read.failed_items) == (EvaluationState.DONE, 0)
    assert {(score.metric, score.value, score.items) for score in read.scores} == {
        ("macro_f1", 100.0, ITEMS)
    }
