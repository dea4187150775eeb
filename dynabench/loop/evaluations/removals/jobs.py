"""Jobs of removals."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.evaluations.removals.values import REMOVE_MODEL
from dynabench.loop.models.values import MODEL_FILES_LEFT


def handlers(*, removals: RemovalService) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def remove(context: JobContext) -> dict[str, JsonValue]:
        model_id = UUID(str(context.payload["model_id"]))
        return {"files": await removals.remove(model_id, _digests(context))}

    async def forget_files(context: JobContext) -> dict[str, JsonValue]:
        return {"files": await removals.forget_files(_digests(context))}

    return {REMOVE_MODEL: remove, MODEL_FILES_LEFT: forget_files}


def _digests(context: JobContext) -> list[str]:
    found = context.payload["digests"]
    assert isinstance(found, list), "it is enqueued so"
    return [str(one) for one in found]
