"""The gallery from the terminal."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dynabench.app.wiring import job_handlers, wire
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.gallery.values import ADD_TASK
from tests.app.cli.conftest import Command

PATIENCE_SECONDS = 60


async def _do_the_next_job(settings: Settings) -> None:
    """Be the worker for one job, which is asked for while this waits."""
    wiring = wire(settings)
    try:
        started = time.monotonic()
        waiting: list[Job] = []
        while not waiting and time.monotonic() - started < PATIENCE_SECONDS:
            await asyncio.sleep(0.1)
            async with wiring.db.read() as session:
                waiting = await wiring.queue.list_jobs(
                    session, name=ADD_TASK, states=[JobState.QUEUED]
                )
        runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="one")
        await runner.run(waiting[0].id)
    finally:
        await wiring.close()


def test_a_task_of_the_gallery_is_listed_added_and_open(
    owner: Command, database_url: str, tmp_path: Path
) -> None:
    settings = Settings(database_url=database_url, home=tmp_path / "home")
    listed = owner("task", "gallery")
    assert "translation-spanish" in listed.out
    with ThreadPoolExecutor(max_workers=1) as thread:
        working = thread.submit(asyncio.run, _do_the_next_job(settings))
        added = owner("task", "add", "translation-spanish", "--as", "spanish")
        working.result()
    assert (added.status, added.out.splitlines()[0]) == (
        0,
        "Task spanish is open. Next: dynabench task show spanish",
    )
    entries = json.loads(owner("task", "gallery", "--json").out)
    assert [one["tasks"] for one in entries if one["name"] == "translation-spanish"] == [
        ["spanish"]
    ]
    again = owner("task", "add", "no-such-task")
    assert (again.status, "The gallery has no task “no-such-task”." in again.err) == (1, True)
