"""`make test-real`: tests on real public datasets; fails where they are absent."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run the tests on real data; returns the exit status for the shell."""
    folder = Path(os.environ.get("DYNABENCH_REAL_DATA", "../shared/data")).resolve()
    if not (folder / "anli").is_dir():
        print(f"The real datasets are not at {folder}. Name their folder in DYNABENCH_REAL_DATA.")
        return 1
    environment = dict(os.environ) | {"DYNABENCH_REAL_DATA": str(folder)}
    command = [sys.executable, "-m", "pytest", "tests", "-m", "real_data", "-v", "-rA", "-n", "2"]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
