"""What a submitted model may use, and the sentence in which it ends. Controls first."""

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from dynabench.engines.inference.errors import TargetLimitError
from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.worker import WorkerProcess
from dynabench.engines.sandbox.sandbox import Sandbox
from tests.engines.sandbox import attacks
from tests.engines.sandbox.running import LIMITS, attack

pytestmark = pytest.mark.anyio

# Source, what the control is given, what the attack is given, and how it ends.
BOMBS = {
    "fork bomb": (
        attacks.FORK,
        {"most": 60, "endless": False},
        {"most": 10**9, "endless": True},
        "more than 40 processes and threads",
    ),
    "threads": (
        attacks.START_THREADS,
        {"most": 60},
        {"most": 10_000},
        "more than 40 processes and threads",
    ),
    "memory bomb": (
        attacks.TAKE_MEMORY,
        {"mebibytes": 400},
        {"mebibytes": 10**9},
        "more than 256 MiB of memory",
    ),
    "memory in children": (
        attacks.TAKE_MEMORY_IN_CHILDREN,
        {"mebibytes": 60, "children": 6},
        {"mebibytes": 60, "children": 12},
        "more than 256 MiB of memory",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
async def test_a_bomb_is_ended_with_its_reason_and_the_machine_goes_on(
    each_sandbox: Sandbox, tmp_path: Path, bomb: str
) -> None:
    source, control, given, told = BOMBS[bomb]
    assert (await attack(plain_launcher, tmp_path / "a", source, control)).said == "done"
    outcome = await attack(each_sandbox.launcher(), tmp_path / "b", source, given)
    assert isinstance(outcome.failure, TargetLimitError)
    assert told in outcome.reason
    assert (await attack(plain_launcher, tmp_path / "c", attacks.SLEEP, {"seconds": 0})).said == (
        "done"
    )


async def test_the_disk_cannot_be_filled(each_sandbox: Sandbox, tmp_path: Path) -> None:
    places = [str(tmp_path)]
    given: Mapping[str, object] = {"places": places, "mebibytes": 40}
    outside = await attack(plain_launcher, tmp_path / "a", attacks.FILL_THE_DISK, given)
    assert outside.said == "done"
    assert (tmp_path / "filler").stat().st_size == 40 * 2**20
    everywhere = ["/", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/run", "/model", "/proc"]  # noqa: S108
    given = {"places": everywhere, "mebibytes": 40}
    inside = await attack(each_sandbox.launcher(), tmp_path / "b", attacks.FILL_THE_DISK, given)
    written = re.match(r"(\d+) MiB", inside.told)
    assert written is not None, inside.told
    # Its temporary folder and shared memory, each of the size that was set.
    assert int(written[1]) <= 2 * 16
    assert "/tmp: No space left" in inside.told or "/tmp: File too large" in inside.told  # noqa: S108
    assert inside.told.count("Read-only file system") >= 2


@pytest.mark.parametrize(
    ("changed", "source", "told"),
    [
        ({"wall_seconds": 0.4}, attacks.SLEEP, "it ran longer than 0.4 seconds"),
        ({"cpu_seconds": 0.4}, attacks.SPIN, "it used more than 0.4 seconds of CPU time"),
    ],
)
async def test_an_endless_model_is_ended_by_the_clock_and_by_its_cpu_time(
    each_sandbox: Sandbox, tmp_path: Path, changed: dict[str, float], source: str, told: str
) -> None:
    limits = replace(LIMITS, **changed)  # type: ignore[arg-type]
    assert (await attack(plain_launcher, tmp_path / "a", source, {"seconds": 0.2})).said == "done"
    outcome = await attack(each_sandbox.launcher(limits), tmp_path / "b", source, {"seconds": 60})
    assert isinstance(outcome.failure, TargetLimitError)
    assert told in outcome.reason


async def test_an_endless_batch_and_an_endless_load_are_ended(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    launcher, begun = sandbox.launcher(), time.monotonic()
    batch = await attack(launcher, tmp_path / "a", attacks.SPIN, {"seconds": 60}, batch_seconds=0.5)
    assert "did not answer a batch within 0.5 seconds" in batch.reason
    load = await attack(launcher, tmp_path / "b", attacks.LOOP_WHILE_LOADING, load_seconds=0.5)
    assert "was not loaded within 0.5 seconds" in load.reason
    assert time.monotonic() - begun < 10


async def test_giant_output_is_ended(sandbox: Sandbox, tmp_path: Path) -> None:
    given = {"mebibytes": 3}
    assert (await attack(plain_launcher, tmp_path / "a", attacks.PRINT, given)).said == "done"
    printed = await attack(sandbox.launcher(), tmp_path / "b", attacks.PRINT, {"mebibytes": 10**6})
    assert "it printed more than 1 MiB" in printed.reason
    assert len(printed.failure.log if printed.failure else "") < 2**20
    flooded = await attack(
        talkative(sandbox), tmp_path / "c", attacks.FLOOD_EVERY_DESCRIPTOR, {"mebibytes": 50}
    )
    assert re.search(r"far too large|printed more than|unreadable", flooded.reason)


def talkative(sandbox: Sandbox) -> Launcher:
    return sandbox.launcher(replace(LIMITS, log_bytes=2**30))


async def test_what_is_used_is_measured(each_sandbox: Sandbox, tmp_path: Path) -> None:
    weights = "held = bytearray(100 * 2**20)\nheld[::4096] = b'x' * 25600\n"
    folder = attacks.write_model(tmp_path / "m", weights + attacks.SPIN)
    worker = await WorkerProcess.start(
        folder, name="m", launcher=each_sandbox.launcher(), load_timeout_seconds=20
    )
    await worker.ask([{"seconds": 0.6}])
    await worker.kill()
    usage = worker.usage()
    assert 100 * 2**20 < (usage.memory_mean_bytes or 0) < 160 * 2**20
    assert (usage.memory_peak_bytes or 0) >= (usage.memory_mean_bytes or 0)
    assert 0.5 < (usage.cpu_seconds or 0) < 3
