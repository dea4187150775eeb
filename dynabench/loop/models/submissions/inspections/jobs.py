"""The job of inspections."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.models.submissions.inspections.service import InspectionService
from dynabench.loop.models.submissions.values import CHECK_MODEL


def handlers(*, inspections: InspectionService) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def check(context: JobContext) -> dict[str, JsonValue]:
        model_id = UUID(str(context.payload["model_id"]))
        status = await inspections.inspect(model_id, steps=context)
        return {"status": None if status is None else status.value}

    return {CHECK_MODEL: check}
