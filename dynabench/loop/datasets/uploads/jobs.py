"""Jobs of uploads."""

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.datasets.uploads.imports.service import DatasetImporter
from dynabench.loop.datasets.uploads.schemas import DatasetCreate
from dynabench.loop.datasets.uploads.values import IMPORT_DATASET


def handlers(*, importer: DatasetImporter) -> Mapping[str, Handler]:
    """Return what a worker does for uploads, by the job's name."""

    async def import_dataset(context: JobContext) -> dict[str, JsonValue]:
        task_id = UUID(str(context.payload["task_id"]))
        # A step: what has begun goes on after a lost worker, whoever is an owner by then.
        await context.step(
            "permitted", partial(importer.require_author, task_id, context.created_by)
        )
        done = await importer.run(
            DatasetCreate.model_validate(context.payload["upload"]),
            task_id=task_id,
            created_by=context.created_by,
            progress=context.progress,
        )
        await context.log(
            f"{done.name}: {done.state}, {done.items} items, "
            f"{len(done.problems) + done.more_problems} problems."
        )
        found: dict[str, JsonValue] = done.model_dump(mode="json")
        return found

    return {IMPORT_DATASET: import_dataset}
