"""Limits of a sandbox, and what a machine can isolate."""

from dataclasses import dataclass
from enum import StrEnum

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """What one sandboxed process tree may use.

    Attributes:
        memory_bytes: Memory of all its processes; files that it writes count, as they lie in
            memory too.
        disk_bytes: Files below its temporary folder, which is all that it can write to.
        processes: Processes and threads at once.
        cpu_seconds: CPU time of all its processes; None for a model that stays in the loop.
        wall_seconds: Time from start to end; None for a model that stays in the loop.
        log_bytes: What it may print.
    """

    memory_bytes: int = 4096 * _MEBIBYTE
    disk_bytes: int = 512 * _MEBIBYTE
    processes: int = 256
    cpu_seconds: float | None = None
    wall_seconds: float | None = None
    log_bytes: int = 16 * _MEBIBYTE


class MemoryKeeper(StrEnum):
    """What holds a sandbox to its memory and number of processes."""

    CGROUP_V2 = "cgroup v2"
    CGROUP_V1 = "cgroup v1"
    SAMPLING = "resource limits and sampling"


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolationReport:
    """What this machine can isolate.

    Attributes:
        reason: Why nothing can be isolated, as a sentence; None if it can.
        tool: The program that isolates, with its version.
        has_own_user: Whether each job runs as a user of its own besides being shut in.
        filters_calls: Whether dangerous system calls are refused.
        memory: What holds the limits; None where nothing is isolated.
    """

    reason: str | None = None
    tool: str | None = None
    has_own_user: bool = False
    filters_calls: bool = False
    memory: MemoryKeeper | None = None

    @property
    def is_available(self) -> bool:
        """Whether uploaded code can be run here without trusting it."""
        return self.reason is None
