"""Jobs of archives."""

from collections.abc import Mapping

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.archives.values import ARCHIVE_DATASET, ArchiveOrder


def handlers(*, maker: ArchiveMaker) -> Mapping[str, Handler]:
    """Return what a worker does for archives, by the job's name."""

    async def archive_dataset(context: JobContext) -> dict[str, JsonValue] | None:
        order = ArchiveOrder.of_payload(context.payload)
        made = await maker.make(order.version_id, progress=context.progress)
        if made is None:
            await context.log("The version was changed meanwhile; another job makes its archive.")
            return None
        await context.log(f"The archive has {made.size_bytes} bytes: {made.digest}.")
        return {"digest": made.digest, "size_bytes": made.size_bytes}

    return {ARCHIVE_DATASET: archive_dataset}
