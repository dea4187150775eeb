"""Processes that live in a data folder, found whatever became of the one that started them."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.01


def processes_in(folder: Path) -> list[int]:
    """Return the living processes whose working folder is `folder`.

    Every PostgreSQL process works in its data folder, so this finds the server and what
    it left behind, and never a stranger that got an old process's number. Without `/proc`
    (macOS) nothing is found, and PostgreSQL's own check of its pid file must do.
    """
    wanted = os.path.realpath(folder)
    found = []
    for entry in _PROC.glob("[0-9]*"):
        # A zombie has no working folder any more, and others' processes tell us nothing.
        with suppress(OSError):
            if str((entry / "cwd").readlink()) == wanted:
                found.append(int(entry.name))
    return found


def end_processes_in(folder: Path, *, postmaster: int | None) -> None:
    """End what an owner that was killed left running in a data folder, and wait for it.

    The server is asked to shut down (SIGINT: open transactions end, data is written).
    What does not go within seconds is killed; the next start then recovers from the log.
    """
    left = processes_in(folder)
    if not left:
        return
    if postmaster in left:
        _signal([postmaster], signal.SIGINT)
    for next_signal in (signal.SIGQUIT, signal.SIGKILL):
        if wait_until(lambda: not processes_in(folder), seconds=_PATIENCE_SECONDS):
            return
        _signal(processes_in(folder), next_signal)
    wait_until(lambda: not processes_in(folder), seconds=_PATIENCE_SECONDS)


def wait_until(is_so: Callable[[], bool], *, seconds: float) -> bool:
    """Wait until something is so; return whether it became so in time."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
