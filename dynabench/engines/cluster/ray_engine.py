"""A Ray cluster: copies of an object are actors, of one processor each.

Ray is an extra and large, so that it is imported only where a cluster is used.
"""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import Coroutine
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeVar

from dynabench.engines.cluster.errors import ClusterUnavailableError
from dynabench.engines.cluster.values import Build
from dynabench.kit.settings import PREFIX, BadSettingError

_VARIABLE = f"{PREFIX}EVALUATION_ENGINE"
# A copy that is lost, with its machine or for want of memory, is replaced so often in one call.
_MOST_LOSSES = 3
_CLOSING_SECONDS = 10.0
_REACHING_SECONDS = 10.0

_T = TypeVar("_T")


def require_ray() -> None:
    """Refuse to go on where Ray is not installed.

    Raises:
        BadSettingError: With the extra to install.
    """
    if find_spec("ray") is None:
        reason = "ray needs the extra ray; install dynabench-platform[server,ray]"
        raise BadSettingError(variable=_VARIABLE, reason=reason)


class Seat:
    """What a process of the cluster runs: one object, and the loop that it works in.

    The loop has a thread of its own, so that what the object started is watched over between
    two calls too.
    """

    def __init__(self, build: Build) -> None:
        self._build = build
        self._made: object = None
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def ready(self) -> None:
        """Make the object, if it is not made yet."""
        if self._made is None:
            self._made = self._run(self._make())

    def ask(self, method: str, *arguments: object) -> object:
        """Call a coroutine method of the object."""
        self.ready()
        return self._run(getattr(self._made, method)(*arguments))

    def close(self) -> None:
        """Close the object, if it was made."""
        if self._made is not None:
            self.ask("close")

    async def _make(self) -> object:
        return self._build()

    def _run(self, work: Coroutine[object, object, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class RayCluster:
    """A Ray cluster that is there, or one of this machine alone.

    Args:
        address: `host:port` of its head, where this machine is one of the cluster's; None starts
            one on this machine, which ends with this process.
    """

    def __init__(self, address: str | None) -> None:
        self._address = address
        self._lock = asyncio.Lock()

    async def connect(self) -> None:
        """Reach the cluster, if it is not reached yet."""
        async with self._lock:
            await asyncio.to_thread(self._connect)

    async def copies(self, build: Build, *, most: int) -> "RayCopies":
        """Make copies of an object, one for each processor, as processors become free."""
        await self.connect()
        ray = import_module("ray")
        processors = int((await asyncio.to_thread(ray.cluster_resources)).get("CPU", 0))
        return RayCopies(ray, build, most=max(1, min(most, processors)))

    def _connect(self) -> None:
        require_ray()
        # Nothing is reported to Ray's makers from here.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        ray = import_module("ray")
        if ray.is_initialized():
            return
        if self._address is not None:
            _require_head(self._address)
        alone = {"include_dashboard": False} if self._address is None else {}
        try:
            ray.init(
                address=self._address or "local",
                log_to_driver=False,
                # It warns of what is meant: that signals are this process's own affair.
                logging_level="error",
                **alone,
            )
        except (OSError, RuntimeError, ValueError) as error:
            told = str(error).strip().splitlines()
            raise ClusterUnavailableError(reason=told[0] if told else repr(error)) from error


class RayCopies:
    """Copies on a Ray cluster; as many wait for a processor as have none.

    Args:
        ray: The library.
        build: Makes the object of a copy.
        most: How many there are to be.
    """

    def __init__(self, ray: ModuleType, build: Build, *, most: int) -> None:
        self.most = most
        self._ray = ray
        # Ray gives a class's actors a type that only its own stubs know.
        self._kind = ray.remote(Seat).options(num_cpus=1, max_restarts=0)
        self._sent = ray.put(build)
        self._free: asyncio.Queue[object] = asyncio.Queue()
        self._starting: dict[asyncio.Task[None], object] = {}
        self._seated: list[object] = []
        for _ in range(most):
            self._start()

    async def ask(self, method: str, *arguments: object) -> object:
        """Call a coroutine method of a copy that is free; a copy that is lost is replaced."""
        lost = 0
        while True:
            actor = await self._free.get()
            try:
                found = await _of(actor, "ask", method, *arguments)
            except self._ray.exceptions.RayError as error:
                if not self._is_loss(error):
                    self._free.put_nowait(actor)
                    raise _unavailable(error) from error
                self._seated.remove(actor)
                # One that is only out of reach would go on, and hold its processor.
                self._ray.kill(actor)
                lost += 1
                if lost > _MOST_LOSSES:
                    raise _unavailable(error) from error
                self._start()
            except BaseException:
                # Whoever gave up did not wait for the answer; this copy is not asked again.
                self._seated.remove(actor)
                self._ray.kill(actor)
                raise
            else:
                self._free.put_nowait(actor)
                return found

    async def close(self) -> None:
        """Close each copy, and end its process; one that does not close in time ends at once."""
        for task, actor in self._starting.items():
            task.cancel()
            self._ray.kill(actor)
        await asyncio.gather(*self._starting, return_exceptions=True)
        closing = [asyncio.ensure_future(_of(actor, "close")) for actor in self._seated]
        if closing:
            await asyncio.wait(closing, timeout=_CLOSING_SECONDS)
        for one in closing:
            one.cancel()
        await asyncio.gather(*closing, return_exceptions=True)
        for actor in self._seated:
            self._ray.kill(actor)
        self._seated.clear()

    def _start(self) -> None:
        actor = self._kind.remote(self._sent)
        task = asyncio.create_task(self._seat(actor))
        self._starting[task] = actor
        task.add_done_callback(lambda done: self._starting.pop(done, None))

    async def _seat(self, actor: object) -> None:
        """Have a copy asked as soon as it has a processor; what fails then, fails at its call."""
        with contextlib.suppress(self._ray.exceptions.RayError):
            await _of(actor, "ready")
        self._seated.append(actor)
        self._free.put_nowait(actor)

    def _is_loss(self, error: Exception) -> bool:
        """Tell whether a copy is gone, which says nothing of what it was asked."""
        exceptions = self._ray.exceptions
        return isinstance(
            error,
            exceptions.ActorDiedError
            | exceptions.ActorUnavailableError
            | exceptions.OutOfMemoryError
            | exceptions.NodeDiedError
            | exceptions.WorkerCrashedError,
        )


def _require_head(address: str) -> None:
    """Refuse an address at which nothing listens; Ray itself would end this process for it.

    Raises:
        ClusterUnavailableError: If nothing listens there, or it is no address.
    """
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=_REACHING_SECONDS):
            return
    except (OSError, ValueError) as error:
        reason = f"nothing answers at {address} (DYNABENCH_RAY_ADDRESS): {error}."
        raise ClusterUnavailableError(reason=reason) from error


async def _of(actor: object, method: str, *arguments: object) -> object:
    """Call a method of an actor, and wait for what it gives."""
    return await getattr(actor, method).remote(*arguments)


def _unavailable(error: Exception) -> ClusterUnavailableError:
    told = [line for line in str(error).strip().splitlines() if line.strip()]
    # Of an error over there the last line says what it was.
    return ClusterUnavailableError(reason=(told[-1] if told else repr(error))[:500])
