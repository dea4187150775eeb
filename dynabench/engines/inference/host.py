"""`ModelHost`: the one place through which the server asks models in the loop."""

import asyncio
import contextlib
import contextvars
import itertools
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Literal

from dynabench.engines.inference.adapters import TargetFactory, build_target
from dynabench.engines.inference.cache import PredictionCache
from dynabench.engines.inference.errors import TargetAnswerInvalidError, TargetUnavailableError
from dynabench.engines.inference.files import Complete
from dynabench.engines.inference.handler import HandlerTarget
from dynabench.engines.inference.lane import Lane, LaneLimits, Warmable
from dynabench.engines.inference.protocol import (
    WORKER_KINDS,
    ModelInput,
    Prediction,
    TargetModel,
    TargetSpec,
    digest_of,
)
from dynabench.engines.inference.watching import TargetWatch

_SWEEPS_PER_IDLE_TIME = 4
_MAX_SWEEP_SECONDS = 60.0

HostState = Literal["cold", "ready", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """How the host treats every model; HTTP models are asked one input at a time, in parallel."""

    max_batch: int = 64
    max_waiting: int = 256
    http_concurrency: int = 8
    request_timeout_seconds: float = 10.0
    idle_unload_seconds: float = 1_800.0
    cache_entries: int = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHealth:
    """One model as its owner sees it.

    `state` is `cold` before the first request and after an idle unload, `stopped` while its
    process is down after a failure. `p50_seconds` is the median over the last 512 requests,
    None without any; `pid` is None for a model without a process of its own.
    """

    name: str
    state: HostState
    restarts: int
    waiting: int
    p50_seconds: float | None
    pid: int | None
    last_error: str | None
    log: str


@dataclass(slots=True)
class _Hosted:
    name: str
    digest: str
    lane: Lane
    target: TargetModel
    spec: TargetSpec | None = None
    is_warm: bool = False


class ModelHost:
    """Models by key (a model version's id): loaded when asked, kept warm, let go when idle.

    `register` is cheap and idempotent: call it before each `predict`. Belongs to the event loop
    in which it is first used; `close` ends every worker. HTTP models need the operator's
    settings: `factory=functools.partial(build_target, http=HttpSettings(...))`.

    Memory: four warm baselines together cost 84 MB PSS, since they answer without importing
    scikit-learn (docs/decisions/0004-target-workers.md).
    """

    def __init__(
        self,
        settings: HostSettings | None = None,
        *,
        factory: TargetFactory = build_target,
    ) -> None:
        self._settings = settings or HostSettings()
        self._factory = factory
        self._cache = PredictionCache(max_entries=self._settings.cache_entries)
        self._hosted: dict[str, _Hosted] = {}
        self._retired: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._attached = itertools.count()
        self.watch = TargetWatch()

    def register(self, key: str, spec: TargetSpec) -> None:
        """Say how the model `key` is reached; another spec than before replaces it."""
        known = self._hosted.get(key)
        if known is not None and known.spec == spec:
            return
        has_worker = spec.kind in WORKER_KINDS
        limits = self._limits(
            max_batch=self._settings.max_batch if has_worker else 1,
            concurrency=1 if has_worker else self._settings.http_concurrency,
        )
        target = self._factory(spec)
        digest = digest_of(spec.to_json())
        lane = Lane(target, name=spec.name, limits=limits)
        self._put(key, _Hosted(spec.name, digest, lane, target, spec))

    def attach(self, key: str, target: TargetModel, *, name: str) -> None:
        """Host a target that exists already, such as a `FakeTargetModel`."""
        limits = self._limits(max_batch=self._settings.max_batch, concurrency=1)
        lane = Lane(target, name=name, limits=limits)
        self._put(key, _Hosted(name, f"attached:{key}:{next(self._attached)}", lane, target))

    async def predict(
        self, key: str, model_input: ModelInput, *, complete: Complete | None = None
    ) -> Prediction:
        """Ask a registered model one input.

        Args:
            key: As in `register`.
            model_input: What is remembered together with the answer.
            complete: Adds what only the model needs, if it has to be asked.

        Raises:
            TargetUnavailableError: It cannot be reached or loaded, or died twice over this.
            TargetTimeoutError: It took too long; a worker of its own was restarted.
            TargetBusyError: Its queue is full.
        """
        hosted = self._known(key)
        input_digest = digest_of(model_input)
        cached = self._cache.get(model_digest=hosted.digest, input_digest=input_digest)
        if cached is not None:
            return cached
        started = time.monotonic()
        with self.watch.failures(key):
            # Files are read for no request that there is no room for.
            hosted.lane.require_room()
            asked = model_input if complete is None else await complete(model_input)
            prediction = await hosted.lane.submit(asked)
        if prediction.error is None:
            self.watch.note(key, seconds=time.monotonic() - started)
        else:
            self.watch.failed[key, TargetAnswerInvalidError.code] += 1
        hosted.is_warm = True
        self._start_sweeper()
        self._cache.put(prediction, model_digest=hosted.digest, input_digest=input_digest)
        return prediction

    async def warm(self, key: str) -> None:
        """Load a model before anybody asks it; raises what the first request would raise."""
        hosted = self._known(key)
        if isinstance(hosted.target, Warmable):
            await hosted.target.warm()
        else:
            await hosted.target.describe()
        hosted.is_warm = True
        hosted.lane.touch()
        self._start_sweeper()

    def is_registered(self, key: str) -> bool:
        """Whether `register` or `attach` was called for this key."""
        return key in self._hosted

    def health(self) -> dict[str, ModelHealth]:
        """Return how each registered model fares."""
        return {key: _health(hosted) for key, hosted in self._hosted.items()}

    async def forget(self, key: str) -> None:
        """Let a model go for good; what it is working on fails with a sentence."""
        hosted = self._hosted.pop(key, None)
        if hosted is not None:
            await _end(hosted, reason="it was taken out of service.")

    async def close(self) -> None:
        """End every worker and fail what still waits; the host is not used after this."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
            self._sweeper = None
        await asyncio.gather(*(self.forget(key) for key in tuple(self._hosted)), *self._retired)

    def _known(self, key: str) -> _Hosted:
        hosted = self._hosted.get(key)
        if hosted is None:
            raise ValueError(f"No model is registered under {key!r}: call register first.")
        return hosted

    def _limits(self, *, max_batch: int, concurrency: int) -> LaneLimits:
        return LaneLimits(
            max_batch=max_batch,
            max_waiting=self._settings.max_waiting,
            concurrency=concurrency,
            request_timeout_seconds=self._settings.request_timeout_seconds,
        )

    def _put(self, key: str, hosted: _Hosted) -> None:
        replaced = self._hosted.get(key)
        self._hosted[key] = hosted
        if replaced is not None:
            self._in_background(self._retire(replaced))

    def _in_background(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start what `close` must wait for."""
        task = asyncio.create_task(work, context=contextvars.Context())
        self._retired.add(task)
        task.add_done_callback(self._retired.discard)
        return task

    async def _retire(self, hosted: _Hosted) -> None:
        """Let a replaced model finish what it was asked, then end it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._settings.request_timeout_seconds):
                await hosted.lane.finish()
        await _end(hosted, reason="it was replaced by another version.")

    def _start_sweeper(self) -> None:
        if self._sweeper is None or self._sweeper.done():
            # Nothing of the request that happens to be the first.
            self._sweeper = asyncio.create_task(self._unload_idle(), context=contextvars.Context())

    async def _unload_idle(self) -> None:
        idle_seconds = self._settings.idle_unload_seconds
        while True:
            await asyncio.sleep(min(idle_seconds / _SWEEPS_PER_IDLE_TIME, _MAX_SWEEP_SECONDS))
            now = asyncio.get_running_loop().time()
            for hosted in tuple(self._hosted.values()):
                unused_seconds = now - hosted.lane.figures.last_used
                if hosted.is_warm and hosted.lane.is_idle and unused_seconds >= idle_seconds:
                    hosted.is_warm = False
                    # Not cancelled with the sweeper: a worker is seen off to its end.
                    await asyncio.shield(self._in_background(hosted.target.close()))


async def _end(hosted: _Hosted, *, reason: str) -> None:
    await hosted.lane.close(TargetUnavailableError(name=hosted.name, reason=reason))
    await hosted.target.close()


def _health(hosted: _Hosted) -> ModelHealth:
    worker = hosted.target if isinstance(hosted.target, HandlerTarget) else None
    pid = worker.pid if worker is not None else None
    state: HostState = "ready" if hosted.is_warm else "cold"
    if hosted.is_warm and worker is not None and pid is None:
        state = "stopped"
    return ModelHealth(
        name=hosted.name,
        state=state,
        restarts=worker.restarts if worker is not None else 0,
        waiting=hosted.lane.waiting,
        p50_seconds=hosted.lane.figures.p50_seconds(),
        pid=pid,
        last_error=hosted.lane.figures.last_error,
        log=worker.log if worker is not None else "",
    )
