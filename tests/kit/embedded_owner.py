"""A process that owns an embedded server until it is told to end; started and killed by tests."""

import sys
from pathlib import Path

from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres

if __name__ == "__main__":
    home, kind, durability = sys.argv[1:]
    server = EmbeddedPostgres(
        Path(home), is_lasting=kind == "lasting", for_tests=durability == "fast"
    )
    print(server.start(), server.is_owner, flush=True)  # noqa: T201
    sys.stdin.readline()
    server.stop()
    print("stopped", flush=True)  # noqa: T201
