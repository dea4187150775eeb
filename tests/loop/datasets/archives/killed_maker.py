"""A worker that has written half of an archive, and waits to be killed."""

import asyncio
import sys
from pathlib import Path
from uuid import UUID

from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from tests.factories.archives import Archives


async def main(url: str, folder: str, version_id: str) -> None:
    """Make an archive up to the first progress."""

    async def wait(done: float, total: float, message: str) -> None:
        del done, total
        print(message, flush=True)  # noqa: T201 - the test reads it
        await asyncio.sleep(60)

    archives = Archives.over(Database.from_url(url), SystemClock(), Path(folder))
    await archives.maker.make(UUID(version_id), progress=wait)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
