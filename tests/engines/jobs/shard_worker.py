"""A worker process that writes each shard it does into a ledger; killed by a test."""

import asyncio
import sys
from pathlib import Path

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runtime import JobRuntime
from dynabench.kit.db.database import Database


async def main(url: str, ledger: Path) -> None:
    async def shards(context: JobContext) -> dict[str, JsonValue]:
        count = int(str(context.payload["count"]))
        for number in range(count):

            async def work(name: str = f"shard-{number}") -> JsonValue:
                await asyncio.sleep(0.05)
                with ledger.open("a") as file:
                    file.write(f"{name}\n")
                return name

            await context.step(f"shard-{number}", work)
            await context.progress(number + 1, count)
        return {"count": count}

    await JobRuntime(Database.from_url(url), {"shards": shards}).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
