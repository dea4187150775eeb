"""The worker's process: runs durable jobs until told to stop."""

import asyncio
import contextlib
import signal
import sys

from dynabench.app.backups.unfinished import in_use
from dynabench.app.housekeeping import Housekeeping
from dynabench.app.renewal import RENEWED, Wear
from dynabench.app.starting import require_usable, run_process
from dynabench.app.wiring import job_handlers, wire
from dynabench.engines.cluster.ray_engine import RayCluster, require_ray
from dynabench.engines.jobs.runtime import JobRuntime
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import EvaluationEngine, Settings


async def _work(settings: Settings) -> int:
    wiring = wire(settings, application_name="dynabench worker")
    if settings.evaluation_engine is EvaluationEngine.RAY:
        # A cluster that is not there is told at once, and no job fails for it.
        await wiring.get(RayCluster).connect()
    wear = Wear(most_mb=settings.worker_memory_mb)
    runtime = JobRuntime(
        wiring.db,
        job_handlers(wiring),
        concurrency=settings.worker_concurrency,
        is_worn=wear.look,
    )
    working = asyncio.create_task(runtime.run())
    tidying = asyncio.create_task(wiring.get(Housekeeping).keep_asking())
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # A second signal breaks nothing off that the first one puts in order.
        if not working.cancelling():
            working.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await working
    finally:
        tidying.cancel()
        await asyncio.gather(tidying, return_exceptions=True)
        await wiring.close()
    return RENEWED if wear.is_worn else 0


def main() -> int:
    """Work until told to stop; returns the exit status for the shell, `RENEWED` to go on."""
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    with in_use(settings.home):
        require_usable(settings)
        if settings.evaluation_engine is EvaluationEngine.RAY:
            require_ray()
        return asyncio.run(_work(settings))


if __name__ == "__main__":
    sys.exit(run_process(main))
