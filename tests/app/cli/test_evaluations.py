"""Evaluations from the command line, done by two workers that share one queue."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import Split
from dynabench.loop.models.values import Submission
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.tasks import make_task

MODELS = 4
HANDLER = """
import os, time
from pathlib import Path


def predict(batch):
    if len(batch) > 1:
        with Path({ledger!r}).open("a") as ledger:
            ledger.write(str(os.getppid()) + "\\n")
        print("I was asked", len(batch))
        time.sleep(0.4)
    return [{{"label": "neutral"}} for _ in batch]
"""


@contextmanager
def workers(url: str, home: Path, *, count: int) -> Iterator[None]:
    environment = {
        **os.environ,
        "DYNABENCH_DATABASE_URL": url,
        "DYNABENCH_HOME": str(home),
        "DYNABENCH_WORKER_CONCURRENCY": "1",
    }
    command = [sys.executable, "-m", "dynabench.app.worker"]
    started = [
        subprocess.Popen(command, env=environment)  # noqa: S603 - our own module
        for _ in range(count)
    ]
    try:
        yield
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait(timeout=30)


async def make_scene(url: str, home: Path) -> None:
    """Have models of a task wait to be scored."""
    database = Database.from_url(url, pool_size=3)
    clock = SystemClock()
    try:
        later = LaterChapters.over(database, clock, blobs=home / "blobs")
        task = await make_task(database, slug="nli", config=CONFIG)
        items = [make_item(number, split=Split.TEST) for number in range(100)]
        version = await make_dataset(database, task, items, name="News", clock=clock)
        folder = home.parent / "model"
        folder.mkdir()
        (folder / "model.py").write_text(HANDLER.format(ledger=str(home.parent / "ledger")))
        digest = FolderBlobStore(home / "blobs").put_folder(folder)
        for number in range(MODELS):
            async with database.transaction() as session:
                model = await later.earlier.models.register_handler(
                    session, Submission(name=f"model-{number}", digest=digest), task=task
                )
                await later.evaluations.enqueue_one(session, model.id, version.id, created_by=None)
    finally:
        await database.close()


def test_two_workers_share_a_queue_and_the_command_line_follows_them(
    owner: Command, database_url: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    asyncio.run(make_scene(database_url, home))
    waiting = owner("evaluations", "list", "nli/model-1")
    assert "waiting, number 2 in the queue" in waiting.out
    (first,) = json.loads(owner("evaluations", "list", "nli/model-0", "--json").out)
    cancelled = owner("evaluations", "cancel", first["id"])
    assert "News v1: cancelled" in cancelled.out
    again = owner("evaluations", "cancel", first["id"])
    assert (again.status, "cannot be cancelled" in again.err) == (1, True)
    assert f"number {MODELS} in the queue" in owner("evaluations", "retry", first["id"]).out

    with workers(database_url, home, count=2):
        deadline = time.monotonic() + 90
        states: set[str] = set()
        while states != {"done"} and time.monotonic() < deadline:
            time.sleep(0.3)
            states = {
                json.loads(owner("evaluations", "list", f"nli/model-{number}", "--json").out)[0][
                    "state"
                ]
                for number in range(MODELS)
            }
    assert states == {"done"}
    asked_by = (tmp_path / "ledger").read_text().split()
    assert len(asked_by) == 2 * MODELS
    assert len(set(asked_by)) == 2

    listed = owner("evaluations", "list", "nli/model-0").out
    assert "accuracy" in listed
    assert "100" in listed
    shown = owner("evaluations", "show", first["id"]).out
    assert "examples per second" in shown
    assert "memory" in shown
    log = owner("evaluations", "log", first["id"]).out
    assert "I was asked 64" in log
    assert "Scored on News; 0 items failed." in log
    for_programs = json.loads(owner("evaluations", "show", first["id"], "--json").out)
    assert for_programs["measurement"]["memory_peak_gib"] > 0
    assert for_programs["measurement"]["machine"]["fingerprint"]
