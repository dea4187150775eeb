"""Jobs of evaluations: score a model, every model on a new dataset, a new model on every one."""

from collections.abc import Mapping
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.kit.errors import InvalidError
from dynabench.loop.datasets.values import DATASET_PUBLISHED
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.values import EVALUATE_MODEL
from dynabench.loop.models.values import MODEL_SUBMITTED


def handlers(*, evaluations: EvaluationService, runner: EvaluationRunner) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def evaluate(context: JobContext) -> dict[str, JsonValue]:
        version_id = UUID(str(context.payload["dataset_version_id"]))
        try:
            done = await runner.run(
                model_id=UUID(str(context.payload["model_id"])),
                version_id=version_id,
                steps=context,
            )
        except InvalidError:
            # Those before it may have been done well.
            await evaluations.tell_scored(version_id)
            raise
        await evaluations.tell_scored(version_id)
        return {"evaluation_id": str(done.id), "failed_items": done.failed_items}

    async def evaluate_everyone(context: JobContext) -> dict[str, JsonValue]:
        version_id = UUID(str(context.payload["version_id"]))
        return {"models": await evaluations.enqueue_version(version_id)}

    async def evaluate_everywhere(context: JobContext) -> dict[str, JsonValue]:
        model_id = UUID(str(context.payload["model_id"]))
        return {"datasets": await evaluations.enqueue_submitted(model_id)}

    return {
        EVALUATE_MODEL: evaluate,
        DATASET_PUBLISHED: evaluate_everyone,
        MODEL_SUBMITTED: evaluate_everywhere,
    }
