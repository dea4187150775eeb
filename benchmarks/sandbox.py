"""Figures of the sandbox: how long a start takes, and what being shut in costs a model."""

import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.report import Report, machine, write
from dynabench.engines.inference.launching import Launcher, plain_launcher
from dynabench.engines.inference.worker import WorkerProcess
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import SandboxLimits

STARTS = 41
MILLISECONDS = 80
ITEMS, BATCH, REPEATS = 200_000, 64, 7
_EMPTY = "def predict(batch):\n    return [{'label': 'neutral'} for _ in batch]\n"


async def start_seconds(folder: Path, launcher: Launcher) -> float:
    """Return the time from nothing to the first answer; the end is not counted."""
    started = time.perf_counter()
    worker = await WorkerProcess.start(
        folder, name="Empty", launcher=launcher, load_timeout_seconds=30
    )
    await worker.ask([{"text": "one"}])
    seconds = time.perf_counter() - started
    await worker.kill()
    return seconds


async def items_per_second(folder: Path, launcher: Launcher) -> float:
    """Return how many items an empty handler is asked and answers, four batches on their way."""
    worker = await WorkerProcess.start(
        folder, name="Empty", launcher=launcher, load_timeout_seconds=30
    )
    batch = [{"text": "A sentence of quite an ordinary length, as most of them are."}] * BATCH
    started, answered = time.perf_counter(), 0
    async for results in worker.stream([batch] * (ITEMS // BATCH)):
        answered += len(results)
    seconds = time.perf_counter() - started
    await worker.kill()
    return answered / seconds


async def _measure(report: Report, sandbox: Sandbox, folder: Path) -> None:
    shut_in = sandbox.launcher()
    starts: dict[str, list[float]] = {"sandbox": [], "plain": []}
    rates: dict[str, list[float]] = {"sandbox": [], "plain": []}
    # One after the other, so that what else the machine does falls on both.
    for _ in range(STARTS):
        starts["sandbox"].append(await start_seconds(folder, shut_in))
        starts["plain"].append(await start_seconds(folder, plain_launcher))
    for _ in range(REPEATS):
        rates["sandbox"].append(await items_per_second(folder, shut_in))
        rates["plain"].append(await items_per_second(folder, plain_launcher))
    for name, seconds in starts.items():
        report.samples[f"start, {name}"] = [round(one, 6) for one in seconds]
    for name, found in rates.items():
        report.samples[f"items per second, {name}"] = [round(one) for one in found]
    median = statistics.median(starts["sandbox"]) * 1000
    plain = statistics.median(starts["plain"]) * 1000
    report.figure(
        f"sandbox, start to first answer of an empty handler, median of {STARTS}",
        value=f"{median:.0f} ms (without a sandbox {plain:.0f} ms)",
        wanted=f"< {MILLISECONDS} ms",
        holds=median < MILLISECONDS,
    )
    ratio = statistics.median(
        one / other for one, other in zip(rates["sandbox"], rates["plain"], strict=True)
    )
    rate = statistics.median(rates["sandbox"])
    report.figure(
        f"sandbox, items asked and answered, batches of {BATCH}, median of {REPEATS}",
        value=f"{rate:,.0f} per second, {ratio:.2f} of what it is without one",
        wanted="> 0.9 of it",
        holds=ratio > 0.9,
    )


def measure(out: Path) -> int:
    """Measure and report; returns how many figures are missed."""
    about = machine()
    sandbox = Sandbox(SandboxLimits())
    found = sandbox.report()
    assert found.is_available, found.reason
    report = Report(
        0,
        "sandbox",
        "Starting a sandbox, and working in one",
        setting="One process asks one sandboxed handler at a time.",
    )
    report.settings = {
        "isolation": str(found.tool),
        "own_user": "yes" if found.has_own_user else "no",
        "limits_held_by": str(found.memory),
        # Beside other work on the machine, `chrt -r 1` tells what is the sandbox's own.
        "scheduling": "usual" if os.sched_getscheduler(0) == os.SCHED_OTHER else "real time",
    }
    with tempfile.TemporaryDirectory(prefix="dynabench-bench-") as place:
        folder = Path(place) / "model"
        folder.mkdir()
        (folder / "model.py").write_text(_EMPTY, encoding="utf-8")
        asyncio.run(_measure(report, sandbox, folder))
    return write(report, out, about=about)
