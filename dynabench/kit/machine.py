"""Which machine this is, and how fast it is just now, so that figures can be related."""

import hashlib
import os
import platform
import time
from functools import cache
from pathlib import Path

_ADDITIONS = 400_000
_BLOCK = b"\0" * (1 << 20)
_BLOCKS = 24


@cache
def describe_machine() -> dict[str, object]:
    """Return what a figure's reader needs to know of this machine, and a name for it all."""
    found: dict[str, object] = {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }
    told = "\n".join(f"{key}: {value}" for key, value in found.items())
    return {**found, "fingerprint": hashlib.sha256(told.encode()).hexdigest()[:16]}


def reference_seconds() -> float:
    """Return the processor seconds of a fixed piece of work: additions, and hashing 24 MiB.

    A shared machine is faster at one time than at another; this tells how fast it is now.
    """
    started = time.process_time()
    total = 0
    for number in range(_ADDITIONS):
        total += number
    digest = hashlib.sha256()
    for _ in range(_BLOCKS):
        digest.update(_BLOCK)
    digest.digest()
    return time.process_time() - started


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
