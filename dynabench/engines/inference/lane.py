"""The waiting line before one target model: a bounded queue, micro-batches, one retry."""

import asyncio
import contextvars
import logging
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from dynabench.engines.inference.errors import (
    TargetBusyError,
    TargetStoppedError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.files import input_weight
from dynabench.engines.inference.protocol import ModelInput, Prediction, TargetModel
from dynabench.kit.errors import DynabenchError

_log = logging.getLogger(__name__)
_LATENCIES_KEPT = 512
# Of files in one batch, in characters: a batch is one line to a worker.
_MAX_BATCH_WEIGHT = 32 * 1024 * 1024


@runtime_checkable
class Warmable(Protocol):
    """A target that takes time to come up; that time is not charged to a request."""

    async def warm(self) -> None:
        """Come up, or do nothing if up already."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneLimits:
    """How a target may be asked."""

    max_batch: int = 64
    max_waiting: int = 256
    concurrency: int = 1
    request_timeout_seconds: float = 10.0


@dataclass(slots=True)
class _Request:
    model_input: ModelInput
    answer: asyncio.Future[Prediction]
    asked_at: float
    # Whose lines say who asked; the lane itself works for many.
    context: contextvars.Context = field(default_factory=contextvars.copy_context)
    is_retry: bool = False


@dataclass(slots=True)
class LaneFigures:
    """What a lane has seen, for `ModelHost.health`."""

    last_error: str | None = None
    last_used: float = 0.0
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_LATENCIES_KEPT))

    def p50_seconds(self) -> float | None:
        """Median time from a request's arrival to its answer; None before the first."""
        return statistics.median(self.latencies) if self.latencies else None


class Lane:
    """Requests to one target. Those that arrive while a batch runs form the next batch.

    A request whose batch was lost with the worker is asked once more, alone, so that an input
    that kills the model cannot take its neighbours with it a second time.
    """

    def __init__(self, target: TargetModel, *, name: str, limits: LaneLimits) -> None:
        self._target = target
        self._name = name
        self._limits = limits
        self._queue: deque[_Request] = deque()
        self._running: set[asyncio.Task[None]] = set()
        # Counted apart from the tasks: one that found the queue empty is over for us at once,
        # else a request that arrives before asyncio has buried the task would wait for ever.
        self._active = 0
        self.figures = LaneFigures(last_used=asyncio.get_running_loop().time())

    @property
    def waiting(self) -> int:
        """How many requests are not yet with the model."""
        return len(self._queue)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing runs."""
        return not self._queue and not self._active

    def require_room(self) -> None:
        """Refuse a request where too many wait.

        Raises:
            TargetBusyError: If they do.
        """
        if len(self._queue) >= self._limits.max_waiting:
            raise TargetBusyError(name=self._name, waiting=len(self._queue))

    async def submit(self, model_input: ModelInput) -> Prediction:
        """Wait in line and return the answer."""
        loop = asyncio.get_running_loop()
        self.figures.last_used = loop.time()
        self.require_room()
        request = _Request(model_input, loop.create_future(), loop.time())
        self._queue.append(request)
        if self._active < self._limits.concurrency:
            self._active += 1
            # It goes on for others who ask later, so it has nothing of this one's context.
            task = loop.create_task(self._drain(), context=contextvars.Context())
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        try:
            return await request.answer
        finally:
            self.figures.last_used = loop.time()

    def touch(self) -> None:
        """Count as used now."""
        self.figures.last_used = asyncio.get_running_loop().time()

    async def finish(self) -> None:
        """Wait until everything that was asked is answered."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self, error: DynabenchError) -> None:
        """Fail everything that waits or runs."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._fail(tuple(self._queue), error)
        self._queue.clear()

    async def _drain(self) -> None:
        try:
            while batch := self._next_batch():
                await self._run(batch)
        finally:
            self._active -= 1

    async def _run(self, batch: list[_Request]) -> None:
        try:
            predictions = await self._ask([request.model_input for request in batch])
        except TargetStoppedError as error:
            self._retry_or_fail(batch, error)
        except TimeoutError:
            seconds = self._limits.request_timeout_seconds
            self._fail(batch, TargetTimeoutError(name=self._name, timeout_seconds=seconds))
        except DynabenchError as error:
            self._fail(batch, error)
        except asyncio.CancelledError:
            # `close` cancels: whoever waits gets the same sentence as those in the queue.
            for request in reversed(batch):
                self._queue.appendleft(request)
            raise
        # A target promises to raise only the above; a broken promise must not hang a request.
        except Exception as error:  # noqa: BLE001
            self._write(batch, error)
            reason = f"its adapter failed with {type(error).__name__}."
            self._fail(batch, TargetUnavailableError(name=self._name, reason=reason))
        else:
            self._answer(batch, predictions)

    async def _ask(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        if isinstance(self._target, Warmable):
            await self._target.warm()
        async with asyncio.timeout(self._limits.request_timeout_seconds):
            return await self._target.predict(batch)

    def _write(self, batch: Sequence[_Request], error: Exception) -> None:
        """Log a failure once for each request that it ended, the first time with its trace."""
        trace: Exception | None = error
        for request in batch:
            said = "The adapter of the model %s failed."
            request.context.run(_log.error, said, self._name, exc_info=trace)
            trace = None

    def _next_batch(self) -> list[_Request]:
        batch: list[_Request] = []
        weight = 0
        while self._queue and len(batch) < self._limits.max_batch:
            if self._queue[0].answer.done():
                # Whoever asked has gone away.
                self._queue.popleft()
                continue
            if self._queue[0].is_retry and batch:
                break
            weight += input_weight(self._queue[0].model_input)
            if weight > _MAX_BATCH_WEIGHT and batch:
                break
            request = self._queue.popleft()
            batch.append(request)
            if request.is_retry:
                break
        return batch

    def _answer(self, batch: Sequence[_Request], predictions: Sequence[Prediction]) -> None:
        now = asyncio.get_running_loop().time()
        for request, prediction in zip(batch, predictions, strict=True):
            self.figures.latencies.append(now - request.asked_at)
            if prediction.error is not None:
                self.figures.last_error = prediction.error
            if not request.answer.done():
                request.answer.set_result(prediction)

    def _retry_or_fail(self, batch: Sequence[_Request], error: TargetStoppedError) -> None:
        for request in reversed(batch):
            if request.is_retry:
                self._fail([request], error)
            else:
                request.is_retry = True
                self._queue.appendleft(request)
        self.figures.last_error = error.message

    def _fail(self, batch: Sequence[_Request], error: DynabenchError) -> None:
        self.figures.last_error = error.message
        for request in batch:
            if not request.answer.done():
                request.answer.set_exception(error)
