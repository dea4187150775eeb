"""Jobs of the gallery."""

from collections.abc import Mapping
from functools import partial

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.interchange.gallery.service import GalleryService
from dynabench.loop.interchange.gallery.values import ADD_TASK, AddOrder


def handlers(*, gallery: GalleryService) -> Mapping[str, Handler]:
    """Return what a worker does for the gallery, by the job's name."""

    async def add(context: JobContext) -> dict[str, JsonValue]:
        async def tell(share: float, doing: str) -> None:
            await context.progress(share, 1.0, doing)

        order = AddOrder.of_payload(context.payload)
        # A step: what has begun goes on after a lost worker, whoever administrates by then.
        await context.step("permitted", partial(gallery.require_author, order))
        task = await gallery.run(order, tell=tell)
        await context.log(f"Added the task {task.slug}.")
        return {"slug": task.slug}

    return {ADD_TASK: add}
