"""What a process tree uses: memory by sampling, CPU time from the kernel's own counters."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

_INTERVAL_SECONDS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a worker's process tree used.

    Attributes:
        memory_mean_bytes: Mean over time of what was resident while it worked; None if nobody
            looked.
        memory_peak_bytes: The most that was held at once, resident; None if nobody looked.
        cpu_seconds: User and system time of all its processes; None if nobody looked.
    """

    memory_mean_bytes: int | None = None
    memory_peak_bytes: int | None = None
    cpu_seconds: float | None = None


class MemoryMean:
    """The mean of samples, each weighted by the time since the one before."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._first_value = 0
        self._weighted = 0.0
        self._seconds = 0.0

    def add(self, value: int) -> None:
        """Take one sample."""
        now = time.monotonic()
        if self._last is None:
            self._first_value = value
        else:
            # Gaps are the times in which nobody was looking, because nothing was asked.
            passed = min(now - self._last, 2 * _INTERVAL_SECONDS)
            self._weighted += value * passed
            self._seconds += passed
        self._last = now

    @property
    def value(self) -> int | None:
        """The mean so far; None without a sample."""
        if self._last is None:
            return None
        if not self._seconds:
            return self._first_value
        return round(self._weighted / self._seconds)


class TreeMeter:
    """Samples a process and its descendants; holds no limit.

    Shared pages count in each process that maps them, so that a tree of forks is estimated
    high rather than low.
    """

    interval_seconds = _INTERVAL_SECONDS
    is_guard = False

    def __init__(self) -> None:
        self._pid: int | None = None
        self._mean = MemoryMean()
        self._peak: int | None = None
        self._highest = 0
        self._cpu_seconds: float | None = None

    def begin(self, pid: int) -> None:
        """Remember the process that was just started."""
        self._pid = pid

    def loaded(self) -> None:
        """Begin the mean anew: loading is over, and working begins."""
        self._mean = MemoryMean()

    def sample(self) -> str | None:
        """Look once; nothing is forbidden here."""
        memory, cpu_seconds, _threads = self.look()
        self.note(memory, cpu_seconds)
        return None

    def note(self, memory: int, cpu_seconds: float) -> None:
        """Keep what was seen; a tree that is gone says nothing."""
        if memory:
            self._mean.add(memory)
            self._peak = max(self._peak or 0, memory, self._highest)
            # A process that ended takes its time along unless its parent waited for it.
            self._cpu_seconds = max(self._cpu_seconds or 0.0, cpu_seconds)

    def explain(self) -> str | None:
        """Tell nothing: no limit is held."""
        return None

    def usage(self) -> Usage:
        """Return what was used so far."""
        return Usage(
            memory_mean_bytes=self._mean.value,
            memory_peak_bytes=self._peak,
            cpu_seconds=self._cpu_seconds,
        )

    def look(self) -> tuple[int, float, int]:
        """Return resident bytes, CPU seconds and the number of threads of the tree now."""
        memory, cpu_seconds, threads = 0, 0.0, 0
        if self._pid is None:
            return memory, cpu_seconds, threads
        for pid in tree(self._pid):
            try:
                process = psutil.Process(pid)
                memory += process.memory_info().rss
                times = process.cpu_times()
                threads += process.num_threads()
                self._highest = max(self._highest, _high_water(pid))
            except psutil.Error:
                continue
            cpu_seconds += times.user + times.system
            # Linux and macOS add what ended children used.
            cpu_seconds += getattr(times, "children_user", 0.0)
            cpu_seconds += getattr(times, "children_system", 0.0)
        return memory, cpu_seconds, threads

    def proportional(self) -> int:
        """Return the memory of the tree now, where Linux tells with shared pages counted once."""
        return 0 if self._pid is None else sum(_proportional(pid) for pid in tree(self._pid))


def _proportional(pid: int) -> int:
    try:
        found = psutil.Process(pid).memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(found, "pss", found.rss))


def _high_water(pid: int) -> int:
    """Return the most that one process held at once, between samples too, where Linux tells."""
    try:
        status = (Path("/proc") / str(pid) / "status").read_text(encoding="utf-8")
    except OSError:
        return 0
    _, found, rest = status.partition("VmHWM:")
    return int(rest.split(maxsplit=1)[0]) * 1024 if found else 0


def tree(pid: int) -> Iterator[int]:
    """Give a process and its descendants.

    Linux lists a process's children by themselves; elsewhere every process is looked at.
    """
    root = Path("/proc") / str(pid) / "task" / str(pid) / "children"
    if not root.exists():
        yield pid
        try:
            yield from (child.pid for child in psutil.Process(pid).children(recursive=True))
        except psutil.Error:
            return
        return
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        try:
            for task in (Path("/proc") / str(one) / "task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            # It ended while it was looked at.
            continue
