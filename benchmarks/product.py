"""The product under test: started as an operator would, in a folder of its own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

_START_SECONDS = 300


@dataclass(frozen=True)
class Product:
    """A running installation."""

    port: int
    home: Path
    process: "subprocess.Popen[bytes]"
    seconds_to_first_page: float

    @property
    def database_url(self) -> str:
        """The embedded database's address."""
        found = json.loads((self.home / "postgres.json").read_text(encoding="utf-8"))
        return str(found["url"])

    @property
    def admin_password(self) -> str:
        """The first administrator's password."""
        return (self.home / "admin-password").read_text(encoding="utf-8").strip()

    def memory_mib(self) -> dict[str, float]:
        """Return each process's proportional set size (PSS) in MiB, by pid and name."""
        found = {}
        root = psutil.Process(self.process.pid)
        for process in [root, *root.children(recursive=True)]:
            # What runs, without the folders of this machine.
            words = re.sub(r"\S*/", "", " ".join(process.cmdline())).strip()
            name = words[-60:] or process.name()
            found[f"{process.pid} {name}"] = process.memory_full_info().pss / 2**20
        return found


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as answer:  # noqa: S310 - loopback
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def running(home: Path, *, port: int) -> Iterator[Product]:
    """Run the product until the block ends; tells how long the first page took."""
    environment = dict(os.environ) | {"DYNABENCH_HOME": str(home), "DYNABENCH_PORT": str(port)}
    environment.pop("DYNABENCH_DATABASE_URL", None)
    # Operators keep what was compiled at the first start; a shell that does not would have
    # every start compile everything anew.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "dynabench.app.cli.main", "up"]
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment)  # noqa: S603
    try:
        while not _answers(f"http://127.0.0.1:{port}/"):
            if process.poll() is not None or time.monotonic() - started > _START_SECONDS:
                message = "the product did not start"
                raise RuntimeError(message)
            time.sleep(0.02)
        yield Product(port, home, process, time.monotonic() - started)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
