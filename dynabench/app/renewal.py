"""When a worker has grown so much that a new one should take its place.

What a job used may stay with the process for good: an allocator gives pieces back, not the
pages that they lie on.
"""

import logging
import os
from pathlib import Path

RENEWED = 75
"""The exit status of a worker that held too much memory and wants to be started again."""

_MEGABYTE = 1_000_000
_log = logging.getLogger(__name__)


class Wear:
    """Whether this process holds more memory than it should keep between jobs.

    Args:
        most_mb: How much it may hold, in MB.
    """

    def __init__(self, *, most_mb: int) -> None:
        self._most_mb = most_mb
        self.is_worn = False

    def look(self) -> bool:
        """Look how much it holds, and say so once it is too much."""
        held = held_mb()
        self.is_worn = held > self._most_mb
        if self.is_worn:
            _log.info("The worker holds %d MB between jobs and is renewed.", held)
        return self.is_worn


def held_mb() -> int:
    """Return the memory that this process holds, in MB (its resident set)."""
    # Linux tells it in a file; elsewhere the package that knows other systems does.
    told = Path("/proc/self/statm")
    if told.is_file():
        pages = int(told.read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // _MEGABYTE
    import psutil  # noqa: PLC0415 - the supervisor, which loads this file, does without

    return int(psutil.Process().memory_info().rss) // _MEGABYTE
