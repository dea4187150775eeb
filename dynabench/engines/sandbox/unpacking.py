"""Unpacking in a process of its own, so that no archive can take this one's memory or time."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from dynabench.engines.sandbox.archives import ArchiveLimits, Unpacked
from dynabench.engines.sandbox.errors import ArchiveError

_MODULE = "dynabench.engines.sandbox.unpack_main"
_SECONDS = 60.0
# A slow disk writes as much in a second.
_BYTES_PER_SECOND = 20_000_000


def unpack_apart(source: Path, into: Path, *, limits: ArchiveLimits | None = None) -> Unpacked:
    """Unpack as `unpack_archive` does, in a process with bounded memory and time.

    Raises:
        ArchiveError: If the archive is not taken, with the entry and the reason.
        OSError: If this machine cannot write it (a full disk), which is not the archive's fault.
    """
    limits = limits or ArchiveLimits()
    words = [sys.executable, "-I", "-m", _MODULE, source, into, json.dumps(asdict(limits))]
    seconds = _SECONDS + limits.max_bytes / _BYTES_PER_SECOND
    try:
        # The module is ours; paths and limits are too.
        done = subprocess.run(  # noqa: S603
            [str(word) for word in words], capture_output=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise ArchiveError(problem="The archive takes too long to unpack.") from None
    if done.returncode != 0:
        raise ArchiveError(problem="The archive cannot be unpacked; pack it anew.")
    return _read(json.loads(done.stdout))


def _read(answer: dict[str, object]) -> Unpacked:
    if "refused" in answer:
        entry = answer["entry"]
        raise ArchiveError(
            problem=str(answer["refused"]), entry=None if entry is None else str(entry)
        )
    if "errno" in answer:
        raise OSError(int(str(answer["errno"])), str(answer["reason"]))
    return Unpacked(files=int(str(answer["files"])), total_bytes=int(str(answer["total_bytes"])))
