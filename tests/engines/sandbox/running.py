"""Running an attack, with and without a sandbox, and the sandbox that the tests share."""

import os
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest

from dynabench.engines.inference.errors import TargetUnavailableError
from dynabench.engines.inference.launching import Launcher
from dynabench.engines.inference.worker import WorkerProcess
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.values import SandboxLimits
from tests.engines.sandbox.attacks import write_model

LIMITS = SandboxLimits(
    memory_bytes=256 * 2**20,
    disk_bytes=16 * 2**20,
    processes=40,
    cpu_seconds=30,
    wall_seconds=30,
    log_bytes=2**20,
)
REQUIRED = os.environ.get("REQUIRE_SANDBOX") == "1"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of an attack: what the model says, or why it was ended."""

    said: str | None = None
    failure: TargetUnavailableError | None = None

    @property
    def reason(self) -> str:
        assert self.failure is not None, f"it went on, and said {self.said!r}"
        return self.failure.reason

    @property
    def told(self) -> str:
        """What the person who handed it in learns."""
        return self.said if self.said is not None else self.reason


def available(sandbox: Sandbox) -> Sandbox:
    """Return a sandbox that works here, or skip the test unless that is forbidden."""
    reason = sandbox.report().reason
    if reason is not None and REQUIRED:
        pytest.fail(f"REQUIRE_SANDBOX=1, and {reason}")
    if reason is not None:
        pytest.skip(reason)
    return sandbox


async def attack(
    launcher: Launcher,
    folder: Path,
    source: str,
    given: Mapping[str, object] | None = None,
    *,
    load_seconds: float = 20,
    batch_seconds: float = 20,
) -> Outcome:
    """Run one attack to its end and see the process off; no source means that it lies there."""
    if source:
        write_model(folder, source)
    try:
        worker = await WorkerProcess.start(
            folder, name="Attack", launcher=launcher, load_timeout_seconds=load_seconds
        )
    except TargetUnavailableError as failure:
        return Outcome(failure=failure)
    try:
        stream = worker.stream([[dict(given or {})]], batch_timeout_seconds=batch_seconds)
        async with aclosing(stream) as answers:
            ((result,),) = [answer async for answer in answers]
    except TargetUnavailableError as failure:
        return Outcome(failure=failure)
    finally:
        await worker.kill()
    outputs = result.get("outputs")
    if isinstance(outputs, dict):
        return Outcome(said=str(outputs["outcome"]))
    return Outcome(said=str(result["error"]))
