"""The process that unpacks one archive: little memory, little time, and one line as its answer.

Started as `python -I -m dynabench.engines.sandbox.unpack_main SOURCE INTO LIMITS`, the limits
as JSON. It writes what came out, or why the archive is not taken.
"""

import json
import resource
import sys
from dataclasses import asdict
from pathlib import Path

from dynabench.engines.sandbox.archives import ArchiveLimits, unpack_archive
from dynabench.engines.sandbox.errors import ArchiveError

_MEMORY_BYTES = 512 * 2**20


def main(arguments: list[str]) -> int:
    """Unpack, answer, and return the exit status."""
    source, into, told = arguments
    limits = ArchiveLimits(**json.loads(told))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.max_bytes, limits.max_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answer: dict[str, object]
    try:
        answer = asdict(unpack_archive(Path(source), Path(into), limits=limits))
    except ArchiveError as error:
        answer = {"refused": error.problem, "entry": error.facts["entry"]}
    except MemoryError:
        answer = {"refused": "The archive's directory is too large.", "entry": None}
    except OSError as error:
        answer = {"errno": error.errno or 0, "reason": error.strerror or type(error).__name__}
    sys.stdout.write(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
