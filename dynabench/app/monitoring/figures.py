"""Reads what `/metrics` says, at a price that does not grow with the installation."""

import asyncio
import os
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

from prometheus_client import generate_latest

from dynabench import __version__
from dynabench.app.monitoring.counting import COUNTS, tasks_of_models
from dynabench.app.monitoring.families import OTHER_TASKS, Samples
from dynabench.app.wiring import Wiring
from dynabench.engines.inference.watching import Latencies
from dynabench.kit.errors import UnavailableError
from dynabench.kit.streams import StreamHost

_LEAST_SECONDS = 5.0
_MOST_SECONDS = 900.0
# What is read takes at most this part of the time of one connection.
_SHARE = 1 / 200


class Kept:
    """Figures that are read again once they are old enough for what reading them costs.

    Args:
        read: Reads them.
        least_seconds: How old they are at least before they are read again.
    """

    def __init__(
        self, read: Callable[[], Awaitable[Samples]], *, least_seconds: float = _LEAST_SECONDS
    ) -> None:
        self._read = read
        self._least = least_seconds
        self._found = Samples()
        self._due = float("-inf")
        self._turn = asyncio.Lock()

    async def get(self) -> Samples:
        """Return the figures; of many at once who ask, one reads."""
        async with self._turn:
            started = time.monotonic()
            if started >= self._due:
                self._found = await self._read()
                ended = time.monotonic()
                pause = min(max(self._least, (ended - started) / _SHARE), _MOST_SECONDS)
                self._due = ended + pause
            return self._found


class Figures:
    """What one server process says in figures of itself, and of the database.

    Args:
        wiring: The process's services.
        parts: What `/readyz` says of each part.
    """

    def __init__(self, wiring: Wiring, parts: Callable[[], Awaitable[dict[str, str]]]) -> None:
        self._wiring = wiring
        self._parts = parts
        self._responses: Counter[str] = Counter()
        self._counts = [Kept(self._counting(count)) for count in COUNTS]
        self._blobs = Kept(self._weigh)

    def answered(self, status: int) -> None:
        """Count an answer to a request."""
        self._responses[f"{status // 100}xx"] += 1

    async def write(self) -> bytes:
        """Return everything in Prometheus' text format, the figures of the process with it."""
        found = await self._of_server()
        is_up = True
        try:
            found.update([await kept.get() for kept in self._counts])
            await self._add_targets(found)
        except UnavailableError:
            is_up = False
        found.put("database_up", float(is_up))
        return generate_latest() + generate_latest(found)

    def _counting(
        self, count: Callable[..., Awaitable[Samples]]
    ) -> Callable[[], Awaitable[Samples]]:
        async def read() -> Samples:
            async with self._wiring.db.read() as session:
                return await count(session, self._wiring.clock)

        return read

    async def _of_server(self) -> Samples:
        found = Samples()
        for part, word in (await self._parts()).items():
            found.put("part_ok", float(word == "ok"), part)
        found.put("info", 1.0, __version__)
        found.put("streams_open", float(self._wiring.get(StreamHost).open_streams))
        states = Counter(health.state for health in self._wiring.host.health().values())
        for state in ("cold", "ready", "stopped"):
            found.put("targets", float(states[state]), state)
        for status, number in self._responses.items():
            found.put("responses", float(number), status)
        found.update([await self._blobs.get()])
        return found

    async def _weigh(self) -> Samples:
        settings = self._wiring.settings
        size = await asyncio.to_thread(folder_bytes, settings.blobs_folder)
        found = Samples()
        found.put("blobs_bytes", float(size))
        try:
            disk = shutil.disk_usage(settings.home)
        except OSError:
            return found
        found.put("disk_free_bytes", float(disk.free))
        found.put("disk_bytes", float(disk.total))
        return found

    async def _add_targets(self, found: Samples) -> None:
        watch = self._wiring.host.watch
        keys = {*watch.answered, *(key for key, _ in watch.failed)}
        async with self._wiring.db.read() as session:
            tasks = await tasks_of_models(session, [UUID(key) for key in keys]) if keys else {}
        by_task: defaultdict[str, list[Latencies]] = defaultdict(list)
        for key, latencies in watch.answered.items():
            by_task[tasks.get(UUID(key), OTHER_TASKS)].append(latencies)
        for task, parts in by_task.items():
            found.latencies[task,] = Latencies.together(parts)
        for (key, code), number in watch.failed.items():
            found.add("target_failures", float(number), tasks.get(UUID(key), OTHER_TASKS), code)


def folder_bytes(folder: Path) -> int:
    """Return the size of every file below a folder; what goes meanwhile does not count."""
    size, waiting = 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    elif entry.is_file(follow_symlinks=False):
                        size += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return size
