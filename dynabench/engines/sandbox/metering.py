"""Watches over one sandbox: what it uses, and which limit it broke."""

import time

from dynabench.engines.inference.metering import TreeMeter, Usage
from dynabench.engines.sandbox.control_groups import ControlGroup
from dynabench.engines.sandbox.values import SandboxLimits

_MEBIBYTE = 2**20
# The kernel itself holds a group; without one, what is sampled is all there is.
_GROUP_SECONDS, _ALONE_SECONDS = 0.1, 0.05
# Reading a whole tree costs more than three counters: memory is read often at first, when it
# changes most, and seldom later.
_LOOK_SECONDS, _LATER_LOOK_SECONDS = 0.25, 1.0
_FIRST_SECONDS = 3.0


class SandboxMeter(TreeMeter):
    """A `Meter` that holds limits, by a control group where there is one."""

    is_guard = True

    def __init__(self, limits: SandboxLimits, group: ControlGroup | None) -> None:
        super().__init__()
        self.interval_seconds = _ALONE_SECONDS if group is None else _GROUP_SECONDS
        self._limits = limits
        self._group = group
        self._started = time.monotonic()
        self._looked = 0.0
        self._broken: str | None = None

    def begin(self, pid: int) -> None:
        """Remember the process, and when it began."""
        super().begin(pid)
        self._started = time.monotonic()

    def sample(self) -> str | None:
        """Look once; return the first limit that was broken, for good."""
        if self._broken is None:
            self._broken = self._look_at_group() or self._look_at_tree() or self._look_at_time()
        return self._broken

    def explain(self) -> str | None:
        """Return the limit that ended the process: the kernel may have been first."""
        if self._broken is None:
            self._broken = self._look_at_group() or self._look_at_time()
        return self._broken

    def usage(self) -> Usage:
        """Return what was used so far, with a last look at what still runs."""
        memory, cpu_seconds, _threads = self.look()
        self.note(memory, cpu_seconds)
        self._look_at_group()
        return super().usage()

    def _look_at_group(self) -> str | None:
        if self._group is None:
            return None
        used = self._group.cpu_seconds()
        if used is not None:
            self._cpu_seconds = max(self._cpu_seconds or 0.0, used)
        if self._group.is_out_of_memory():
            return self._too_much_memory()
        if self._group.is_out_of_processes():
            return self._too_many_processes()
        return None

    def _look_at_tree(self) -> str | None:
        now = time.monotonic()
        pause = _LOOK_SECONDS if now - self._started < _FIRST_SECONDS else _LATER_LOOK_SECONDS
        if self._group is not None and now - self._looked < pause:
            return None
        self._looked = now
        memory, cpu_seconds, threads = self.look()
        self.note(memory, cpu_seconds)
        if self._group is not None:
            return None
        if threads >= self._limits.processes:
            return self._too_many_processes()
        # What forks share counts in each of them at first sight; a closer look takes longer.
        most = self._limits.memory_bytes
        return self._too_much_memory() if memory > most < self.proportional() else None

    def _look_at_time(self) -> str | None:
        wall, cpu = self._limits.wall_seconds, self._limits.cpu_seconds
        if wall is not None and time.monotonic() - self._started > wall:
            return f"it ran longer than {wall:g} seconds"
        if cpu is not None and (self._cpu_seconds or 0.0) > cpu:
            return f"it used more than {cpu:g} seconds of CPU time"
        return None

    def _too_much_memory(self) -> str:
        return f"it used more than {_size(self._limits.memory_bytes)} of memory"

    def _too_many_processes(self) -> str:
        return f"it started more than {self._limits.processes} processes and threads"


def _size(count: int) -> str:
    mebibytes = count / _MEBIBYTE
    return f"{mebibytes / 1024:g} GiB" if mebibytes >= 1024 else f"{mebibytes:g} MiB"  # noqa: PLR2004
