"""The `handler` adapter: a folder with `model.py`, run in a worker process of its own."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from pathlib import Path

from dynabench.engines.inference.errors import TargetUnavailableError
from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.outputs import checked_prediction
from dynabench.engines.inference.protocol import (
    Description,
    ModelInput,
    Prediction,
    Stopwatch,
    TargetSpec,
)
from dynabench.engines.inference.worker import Inputs, RawResult, WorkerProcess
from dynabench.science.task_config.characters import without_refused

_FIRST_BACKOFF_SECONDS = 0.25
_MAX_BACKOFF_SECONDS = 30.0
# Up to this a request waits for the restart; past it the person is told to come back.
_PATIENCE_SECONDS = 1.0
_MAX_SENTENCE = 1_000


class HandlerTarget:
    """A handler folder behind the `TargetModel` protocol.

    The worker starts with the first request or `warm()`. One that died is started again at
    the next request: at once the first time, then after 0.25 s, 0.5 s … 30 s until it has
    answered. A `predict` that is cancelled (the host's timeout) kills the worker, since
    Python code that hangs cannot be stopped otherwise.
    """

    def __init__(
        self,
        spec: TargetSpec,
        *,
        launcher: Launcher = plain_launcher,
        load_timeout_seconds: float = 60.0,
    ) -> None:
        self._spec = spec
        self._folder = Path(spec.option("folder"))
        self._launcher = launcher
        self._load_timeout_seconds = load_timeout_seconds
        self._worker: WorkerProcess | None = None
        self._lock = asyncio.Lock()
        self._failures = 0
        self._not_before = 0.0
        self._restarts = 0
        self._last_log = ""
        self._last_usage = Usage()

    @property
    def pid(self) -> int | None:
        """The worker's process id, or None while none runs."""
        return self._worker.pid if self._worker is not None and self._worker.is_alive else None

    @property
    def restarts(self) -> int:
        """How often the worker died, hung or could not be loaded, each followed by a new start."""
        return self._restarts

    @property
    def log(self) -> str:
        """The last lines that the model printed, of the running or else the last worker."""
        return self._worker.log if self._worker is not None else self._last_log

    def usage(self) -> Usage:
        """Return what the running or else the last worker used."""
        return self._worker.usage() if self._worker is not None else self._last_usage

    async def warm(self) -> None:
        """Start the worker and load its model, if it does not run yet."""
        async with self._lock:
            await self._running_worker()

    async def describe(self) -> Description:
        """Return the spec's description, once the model is loaded."""
        await self.warm()
        return self._spec.describe()

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Answer a batch in one round trip to the worker."""
        if not batch:
            return []
        async with self._lock:
            worker = await self._running_worker()
            watch = Stopwatch()
            try:
                results = await worker.ask([self._spec.visible(item) for item in batch])
            except BaseException:
                self._note_failure()
                await self._drop_worker()
                raise
            self._failures = 0
        latency = watch.seconds()
        return [self._prediction(result, latency) for result in results]

    async def stream(
        self,
        batches: Iterable[Sequence[Inputs]],
        *,
        in_flight: int = 4,
        batch_timeout_seconds: float | None = None,
    ) -> AsyncGenerator[list[RawResult], None]:
        """Give the raw results of each batch, in order: the way to ask for very many.

        Inputs are sent as they are (`TargetSpec.visible` is the caller's part), and what comes
        back is not checked (`checked_prediction` is too). The worker is locked until the end
        and killed if that is not reached; nothing is asked twice.

        Raises:
            TargetUnavailableError: It could not be started; `log` tells more.
            TargetStoppedError: It ended or broke the protocol.
            TargetLimitError: It was ended for a limit that it broke.
        """
        async with self._lock:
            worker = await self._running_worker()
            results = worker.stream(
                batches, in_flight=in_flight, batch_timeout_seconds=batch_timeout_seconds
            )
            is_whole = False
            try:
                async for result in results:
                    yield result
                is_whole = True
            finally:
                if not is_whole:
                    self._note_failure()
                    await self._drop_worker()
            self._failures = 0

    async def close(self) -> None:
        """End the worker; the next request starts a new one."""
        async with self._lock:
            await self._drop_worker()
            self._failures = 0
            self._not_before = 0.0

    def _prediction(self, result: Mapping[str, object], latency: float) -> Prediction:
        error = result.get("error")
        if isinstance(error, str):
            told = without_refused(error[:_MAX_SENTENCE])
            return Prediction(error=told, latency_seconds=latency)
        return checked_prediction(self._spec, result.get("outputs"), latency_seconds=latency)

    async def _running_worker(self) -> WorkerProcess:
        if self._worker is not None:
            if self._worker.is_alive:
                return self._worker
            self._note_failure()
            await self._drop_worker()
        wait = self._not_before - time.monotonic()
        if wait > _PATIENCE_SECONDS:
            reason = f"it failed {self._failures} times and is started again in {wait:.0f} seconds."
            raise TargetUnavailableError(name=self._spec.name, reason=reason)
        if wait > 0:
            await asyncio.sleep(wait)
        try:
            self._worker = await WorkerProcess.start(
                self._folder,
                name=self._spec.name,
                launcher=self._launcher,
                load_timeout_seconds=self._load_timeout_seconds,
            )
        except TargetUnavailableError as error:
            self._note_failure()
            self._last_log = error.log
            raise
        return self._worker

    def _note_failure(self) -> None:
        self._failures += 1
        self._restarts += 1
        if self._failures > 1:
            backoff = min(_FIRST_BACKOFF_SECONDS * 2 ** (self._failures - 2), _MAX_BACKOFF_SECONDS)
            self._not_before = time.monotonic() + backoff

    async def _drop_worker(self) -> None:
        if self._worker is not None:
            worker, self._worker = self._worker, None
            await worker.kill()
            self._last_log = worker.log
            self._last_usage = worker.usage()
