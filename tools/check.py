"""`make check`: every check that needs no test, one after the other, all of them reported."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"

CHECKS: tuple[tuple[str, list[str], Path], ...] = (
    ("format", [str(BIN / "ruff"), "format", "--check", "--quiet", "."], ROOT),
    ("lint", [str(BIN / "ruff"), "check", "--quiet", "."], ROOT),
    ("types", [str(BIN / "mypy")], ROOT),
    ("imports", [str(BIN / "lint-imports"), "--no-cache"], ROOT),
    ("generated files", [sys.executable, "tools/generate.py", "--check"], ROOT),
    ("reference", [sys.executable, "tools/reference.py", "--check"], ROOT),
    ("page", ["npm", "run", "--silent", "check"], FRONTEND),
    ("size of the first page", ["npm", "run", "--silent", "size"], FRONTEND),
)


def main() -> int:
    """Run the checks; the exit status is the number of those that failed."""
    failed = []
    # The environment's own Node comes first: older ones on the machine may not do.
    environment = dict(os.environ)
    environment["PATH"] = f"{BIN}:{environment['PATH']}"
    for name, command, folder in CHECKS:
        started = time.monotonic()
        done = subprocess.run(  # noqa: S603 - the commands stand above
            command, cwd=folder, env=environment, check=False, capture_output=True, text=True
        )
        seconds = time.monotonic() - started
        print(f"check {name}: {'ok' if done.returncode == 0 else 'FAILED'} ({seconds:.1f} s)")
        if done.returncode != 0:
            failed.append(name)
            print(done.stdout[-8000:])
            print(done.stderr[-8000:])
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
