"""A worker that releases one round and kills itself at a chosen moment.

For each order on standard input, `{"url", "job_id", "moment", "number"}`, a child sends itself
SIGKILL before or after the given call of one of the steps of a release.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from dynabench.engines.jobs.runs import JobRunner
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.jobs import handlers
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.releases import repository
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.storing.repository import StoringRepository
from dynabench.loop.rounds.service import RoundService
from tests.factories.datasets import Chapters

STEPS = {
    "mark": (RoundService, "mark_released"),
    "copy": (StoringRepository, "copy"),
    "seal": (StoringRepository, "seal"),
    "publish": (Publisher, "publish"),
    "commit": (ReleaseService, "release"),
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


async def main(url: str, job_id: UUID) -> None:
    """Run the job until the end, or until the moment has come."""
    database = Database.from_url(url, pool_size=5)
    chapters = Chapters.over(database, SystemClock())
    found = handlers(releases=chapters.releases, desk=chapters.desk)
    await JobRunner(database, found, executor_id=f"worker-{os.getpid()}").run(job_id)
    await database.close()


def crash(order: dict[str, Any]) -> int:
    """Do an order in a child of this process, and return how that ended."""
    child = os.fork()
    if child == 0:
        # So few that a small release is written in several parts.
        repository.ROWS_AT_ONCE = order["rows_at_once"]
        crash_at(order["moment"], order["number"])
        asyncio.run(main(order["url"], UUID(order["job_id"])))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    # What takes long is imported once, and not by each of the workers that die.
    for line in sys.stdin:
        sys.stdout.write(f"{crash(json.loads(line))}\n")
        sys.stdout.flush()
