"""Jobs of training."""

from collections.abc import Mapping
from functools import partial

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.training.service import TrainingService
from dynabench.loop.training.values import TRAIN_MODEL, TrainingOrder


def handlers(*, training: TrainingService) -> Mapping[str, Handler]:
    """Return what a worker does for this package, by the job's name."""

    async def train(context: JobContext) -> dict[str, JsonValue]:
        order = TrainingOrder.of_payload(context.payload)
        # A step: what has begun goes on after a lost worker, whoever is an owner by then.
        await context.step("permitted", partial(training.require_author, order, context.created_by))
        model = await training.run(order, steps=context, submitted_by=context.created_by)
        return {"model_id": str(model.id)}

    return {TRAIN_MODEL: train}
