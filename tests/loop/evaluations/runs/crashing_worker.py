"""A worker that scores one model and kills itself at a chosen moment.

For each order on standard input, `{"url", "blobs", "job_id", "moment", "number"}`, a child sends
itself SIGKILL before or after the given call of one of the steps of a run.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.jobs.runs import JobRunner
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.evaluations.jobs import handlers
from dynabench.loop.evaluations.runs.deltas.service import DeltaFinder
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.runs.sources.service import ModelSource
from tests.factories.evaluations import LaterChapters

STEPS = {
    "ask": (ModelSource, "answers"),
    "write": (RunRepository, "add_shard"),
    "store": (EvaluationRunner, "_store"),
    "time": (ModelSource, "timing"),
    "finish": (RunRepository, "finish"),
    "compare": (DeltaFinder, "refresh"),
}


# What a step takes and gives is its own affair.
def crash_at(moment: str, number: int) -> None:
    """Have the numbered call of a step kill this process, `before` or `after` it."""
    when, _, step = moment.partition(" ")
    owner, name = STEPS[step]
    method: Callable[..., Awaitable[Any]] = getattr(owner, name)
    calls = 0

    async def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        is_now = calls == number
        if is_now and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        found = await method(*arguments, **named)
        if is_now:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    setattr(owner, name, wrapped)


async def main(url: str, blobs: Path, job_id: UUID) -> None:
    """Run the job until the end, or until the moment has come."""
    database = Database.from_url(url, pool_size=5)
    later = LaterChapters.over(database, SystemClock(), factory=build_target, blobs=blobs)
    found = handlers(evaluations=later.evaluations, runner=later.runner)
    await JobRunner(database, found, executor_id=f"worker-{os.getpid()}").run(job_id)
    await database.close()


def crash(order: dict[str, Any]) -> int:
    """Do an order in a child of this process, and return how that ended."""
    child = os.fork()
    if child == 0:
        crash_at(order["moment"], order["number"])
        asyncio.run(main(order["url"], Path(order["blobs"]), UUID(order["job_id"])))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    # What takes long is imported once, and not by each of the workers that die.
    for line in sys.stdin:
        sys.stdout.write(f"{crash(json.loads(line))}\n")
        sys.stdout.flush()
