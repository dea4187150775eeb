"""Jobs of perturbed sets."""

from collections.abc import Mapping
from functools import partial

from pydantic import JsonValue

from dynabench.engines.jobs.context import JobContext
from dynabench.engines.jobs.runs import Handler
from dynabench.loop.datasets.errors import NothingToPerturbError
from dynabench.loop.datasets.perturbing.runs.service import PerturbationRunner
from dynabench.loop.datasets.perturbing.values import PERTURB_DATASET, PerturbationOrder


def handlers(*, runner: PerturbationRunner) -> Mapping[str, Handler]:
    """Return what a worker does for perturbed sets, by the job's name."""

    async def perturb_dataset(context: JobContext) -> dict[str, JsonValue] | None:
        order = PerturbationOrder.of_payload(context.payload)
        # A step: what has begun goes on after a lost worker, whoever is an owner by then.
        await context.step("permitted", partial(runner.require_author, order, context.created_by))
        try:
            done = await runner.run(order, created_by=context.created_by, progress=context.progress)
        except NothingToPerturbError as error:
            if order.is_asked:
                raise
            await context.log(error.message)
            return None
        await context.log(f"{done.name}: {done.state}, {done.items} variants.")
        found: dict[str, JsonValue] = done.model_dump(mode="json")
        return found

    return {PERTURB_DATASET: perturb_dataset}
