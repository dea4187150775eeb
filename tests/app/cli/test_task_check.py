"""`dynabench task check` needs no server, and loads nothing that one would need."""

import subprocess
import sys
from pathlib import Path

CATALOG = Path(__file__).resolve().parents[3] / "dynabench" / "catalog" / "tasks"
CHECK = """
import sys
from dynabench.app.cli.main import run
status = run(["task", "check", sys.argv[1]])
print(status, sorted({"httpx2", "sqlalchemy", "fastapi", "numpy"} & set(sys.modules)))
"""


def test_a_config_is_checked_without_the_client_or_a_server() -> None:
    # The program is our own.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", CHECK, str(CATALOG / "nli" / "task.yaml")],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "is good" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 []"
