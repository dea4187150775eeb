"""How a worker is started: the command, what it may see, and who watches over it."""

import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from dynabench.engines.inference.metering import TreeMeter, Usage

WORKER_MAIN = Path(__file__).with_name("worker_main.py")

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR")

WORKER_VARIABLES: Mapping[str, str] = {
    # One thread each: several warm models share a machine, and a batch is small.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Fewer arenas keep an idle worker small.
    "MALLOC_ARENA_MAX": "2",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}


class Meter(Protocol):
    """Watches one worker: what it uses, and whether it broke a limit."""

    @property
    def interval_seconds(self) -> float:
        """How long to wait between two samples."""
        ...

    @property
    def is_guard(self) -> bool:
        """Whether it holds limits, so that an idle worker has to be looked at too."""
        ...

    def begin(self, pid: int) -> None:
        """Remember the process that was just started."""
        ...

    def loaded(self) -> None:
        """Begin the mean of memory: the model is loaded, and work begins."""
        ...

    def sample(self) -> str | None:
        """Look once; return the limit that was broken as in "it used more than 2 GiB of memory"."""
        ...

    def explain(self) -> str | None:
        """Return which limit ended a process that is gone, as far as the machine tells."""
        ...

    def usage(self) -> Usage:
        """Return what was used so far; callable when the process is gone."""
        ...


async def _nothing() -> None:
    """Clean up nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """One start of one worker.

    Attributes:
        command: The program and its arguments; it speaks the protocol of worker_main.py.
        environment: All of its environment.
        pass_fds: Open descriptors that it inherits; closed here once it runs.
        cleanup: Awaited once after the process is gone, or could not be started; it ends what
            the process left behind, and does not raise.
        meter: Watches over it.
        max_log_bytes: What it may print before it is ended for it; None is endless.
        folder: Where it starts; None is where this process is.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    pass_fds: tuple[int, ...] = ()
    cleanup: Callable[[], Awaitable[None]] = _nothing
    meter: Meter = field(default_factory=TreeMeter)
    max_log_bytes: int | None = None
    folder: Path | None = None


Launcher: TypeAlias = Callable[[Path], Launch]
"""From a model's folder to one start of it; raises `OSError` where that cannot be prepared."""


def plain_launcher(folder: Path) -> Launch:
    """Return the start of a trusted handler folder without a sandbox.

    `-P` keeps this package's own file names (`openai.py`) off the model's import path.
    """
    kept = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
    return Launch(
        command=[sys.executable, "-P", str(WORKER_MAIN), str(folder), str(os.getpid())],
        environment={**kept, **WORKER_VARIABLES},
    )
