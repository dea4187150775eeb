"""A worker that holds too much memory takes a new one's place."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dynabench.app.renewal import RENEWED, Wear, held_mb


def test_what_a_process_holds_is_told_in_megabytes() -> None:
    before = held_mb()
    block = bytearray(os.urandom(64_000_000))

    assert 55 <= held_mb() - before <= 80
    assert len(block) == 64_000_000


@pytest.mark.parametrize(("most_mb", "is_worn"), [(1, True), (1_000_000, False)])
def test_a_process_is_worn_past_its_limit(most_mb: int, is_worn: bool) -> None:  # noqa: FBT001
    wear = Wear(most_mb=most_mb)

    assert wear.look() is is_worn
    assert wear.is_worn is is_worn


@pytest.fixture
def environment(database_url: str, tmp_path: Path) -> dict[str, str]:
    # A worker holds more than this as soon as it runs.
    return {
        **os.environ,
        "DYNABENCH_DATABASE_URL": database_url,
        "DYNABENCH_HOME": str(tmp_path),
        "DYNABENCH_WORKER_MEMORY_MB": "100",
    }


def test_a_worn_worker_ends_with_a_status_of_its_own(environment: dict[str, str]) -> None:
    # The interpreter and the module are our own.
    done = subprocess.run(
        [sys.executable, "-m", "dynabench.app.worker"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == RENEWED, done.stderr
    assert "is renewed" in done.stdout + done.stderr


def test_the_command_begins_anew_in_the_same_process(
    environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    with log.open("wb") as out:
        # The same.
        process = subprocess.Popen(
            [sys.executable, "-m", "dynabench.app.cli.main", "worker"],
            env=environment,
            stdout=out,
            stderr=out,
        )
        try:
            until = time.monotonic() + 60
            while log.read_text().count("is renewed") < 2:
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.1)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
