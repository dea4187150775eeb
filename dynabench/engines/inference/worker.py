"""The parent's side of one worker process: start it, ask it, end it. Never restarts by itself."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dynabench.engines.inference.errors import TargetStoppedError, TargetUnavailableError

# From a handler folder to the command line that runs it; the sandbox brings its own.
Launcher = Callable[[Path], Sequence[str]]

# One line holds at most 64 answers of 256 KiB (worker_main.py); past this the process is lying.
_MAX_LINE_BYTES = 32 * 1024 * 1024
_LOG_LINES = 200
_LOG_LINE_BYTES = 1_000
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR")
_SET_VARIABLES = {
    # One thread each: several warm models share a machine, and a batch is small.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Fewer arenas keep an idle worker small.
    "MALLOC_ARENA_MAX": "2",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}


def plain_launcher(folder: Path) -> Sequence[str]:
    """Return the command that runs a trusted handler folder without a sandbox.

    `-P` keeps this package's own file names (`openai.py`) off the model's import path.
    """
    worker_main = Path(__file__).with_name("worker_main.py")
    return [sys.executable, "-P", str(worker_main), str(folder), str(os.getpid())]


class WorkerProcess:
    """One running worker; made by `start`, over after `kill` or when the process ends."""

    def __init__(self, process: asyncio.subprocess.Process, *, name: str) -> None:
        self._process = process
        self._name = name
        self._next_id = 0
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._log_task = asyncio.create_task(self._read_log())

    @classmethod
    async def start(
        cls, folder: Path, *, name: str, launcher: Launcher, load_timeout_seconds: float
    ) -> "WorkerProcess":
        """Start a worker and wait until its model is loaded."""
        environment = {key: os.environ[key] for key in _KEPT_VARIABLES if key in os.environ}
        try:
            process = await asyncio.create_subprocess_exec(
                *launcher(folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=environment | _SET_VARIABLES,
                limit=_MAX_LINE_BYTES,
                # Its own session: Ctrl-C stops the server first, and `kill` reaches grandchildren.
                start_new_session=True,
            )
        except OSError as error:
            reason = f"its process cannot be started ({error.strerror})."
            raise TargetUnavailableError(name=name, reason=reason) from error
        worker = cls(process, name=name)
        try:
            async with asyncio.timeout(load_timeout_seconds):
                greeting = await worker._read_message()
        except TimeoutError:
            await worker.kill()
            reason = f"it was not loaded within {load_timeout_seconds:g} seconds."
            raise TargetUnavailableError(name=name, reason=reason) from None
        except BaseException:
            await worker.kill()
            raise
        if greeting.get("ready") is not True:
            await worker.kill()
            reason = str(greeting.get("failed") or "it could not be loaded")
            raise TargetUnavailableError(name=name, reason=f"{reason.rstrip('.')}.")
        return worker

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.returncode is None

    @property
    def log(self) -> str:
        """The last lines that the model printed."""
        return "\n".join(self._log)

    async def ask(self, items: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
        """Send one batch and return its raw results in order.

        Not for concurrent use, and unusable after being cancelled half way: the caller kills
        a worker that it gave up on.

        Raises:
            TargetStoppedError: The process ended or broke the protocol.
        """
        self._next_id += 1
        batch_id = str(self._next_id)
        items_out = [{"id": str(index), "inputs": item} for index, item in enumerate(items)]
        line = json.dumps({"id": batch_id, "items": items_out}, separators=(",", ":"))
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise self._stopped("it stopped while it was asked.") from error
        message = await self._read_message()
        results = message.get("results")
        if message.get("id") != batch_id or not isinstance(results, list):
            raise self._stopped("its process answered out of turn.")
        by_id = {result.get("id"): result for result in results if isinstance(result, dict)}
        missing: dict[str, object] = {"error": "The model gave no answer to this input."}
        return [by_id.get(str(index), missing) for index in range(len(items))]

    async def kill(self) -> None:
        """End the process and everything it started; returns when it is gone."""
        # Not `process.kill()`: it reaps the child behind asyncio's back.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
        self._log_task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._log_task
        # asyncio offers no public way to close the pipes of a process whose grandchildren
        # still hold them open; without this their transports outlive the worker.
        self._process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001

    async def _read_message(self) -> dict[str, object]:
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError as error:
            raise self._stopped("its answer was far too large.") from error
        if not line.endswith(b"\n"):
            raise self._stopped("its process ended.")
        try:
            message = json.loads(line)
        except ValueError as error:
            raise self._stopped("its process answered with something unreadable.") from error
        return message if isinstance(message, dict) else {}

    async def _read_log(self) -> None:
        assert self._process.stderr is not None
        pending = b""
        while chunk := await self._process.stderr.read(65_536):
            *lines, pending = (pending + chunk).split(b"\n")
            pending = pending[-_LOG_LINE_BYTES:]
            for line in lines[-_LOG_LINES:]:
                self._log.append(line[:_LOG_LINE_BYTES].decode("utf-8", "replace"))
        if pending:
            self._log.append(pending.decode("utf-8", "replace"))

    def _stopped(self, reason: str) -> TargetStoppedError:
        return TargetStoppedError(name=self._name, reason=reason)
