"""Jobs of scales: fit a task's, and ask for that after its scores have changed."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.evaluations.values import SCORES_CHANGED
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.leaderboards.scales.values import COMPUTE_SCALE


def handlers(*, scales: ScaleService) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def compute(context: JobContext) -> dict[str, JsonValue]:
        return await scales.compute(
            UUID(str(context.payload["task_id"])),
            is_forced=context.payload.get("is_forced") is True,
        )

    async def follow(context: JobContext) -> dict[str, JsonValue]:
        is_asked = await scales.follow(UUID(str(context.payload["task_id"])))
        return {"is_asked": is_asked}

    return {COMPUTE_SCALE: compute, SCORES_CHANGED: follow}
