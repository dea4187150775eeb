"""Job of boards: compute a task's figures after its data has changed."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.figures.values import COMPUTE_FIGURES


def handlers(*, figures: FigureService) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def compute(context: JobContext) -> dict[str, JsonValue]:
        return await figures.compute(UUID(str(context.payload["task_id"])))

    return {COMPUTE_FIGURES: compute}
