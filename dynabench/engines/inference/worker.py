"""The parent's side of one worker process: start it, ask it, end it. Never restarts by itself."""

import asyncio
import contextlib
import json
import os
import signal
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import orjson

from dynabench.engines.inference.errors import (
    TargetLimitError,
    TargetNotStartedError,
    TargetStoppedError,
    TargetUnavailableError,
)
from dynabench.engines.inference.launching import Launch, Launcher
from dynabench.engines.inference.metering import Usage
from dynabench.science.task_config.characters import without_refused

# One line holds at most 64 answers of 256 KiB (worker_main.py); past this the process is lying.
_MAX_LINE_BYTES = 32 * 1024 * 1024
_LOG_LINES = 200
_LOG_LINE_BYTES = 1_000
_MAX_SENTENCE = 300
# How long a process that closed its answers may take to be gone.
_ENDING_SECONDS = 2.0

Inputs: TypeAlias = Mapping[str, object]
RawResult: TypeAlias = dict[str, object]
"""`{"outputs": …}` or `{"error": "…"}`, as the worker sent it."""


class WorkerProcess:
    """One running worker; made by `start`, over after `kill` or when the process ends.

    Several batches may be asked at once: the process takes them one after the other, and does
    not wait for this side in between.
    """

    def __init__(self, process: asyncio.subprocess.Process, launch: Launch, *, name: str) -> None:
        self._process = process
        self._launch = launch
        self._name = name
        self._next_id = 0
        self._is_over = False
        # Greeting first, then one per batch, in the order in which they were sent.
        self._waiting: deque[tuple[str | None, asyncio.Future[dict[str, object]]]] = deque()
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._broken: str | None = None
        self._failure: TargetStoppedError | None = None
        self._greeting = self._expect(None)
        launch.meter.begin(process.pid)
        self._tasks = [
            asyncio.create_task(part)
            for part in (self._read_log(), self._read_answers(), self._watch())
        ]

    @classmethod
    async def start(
        cls, folder: Path, *, name: str, launcher: Launcher, load_timeout_seconds: float
    ) -> "WorkerProcess":
        """Start a worker and wait until its model is loaded.

        Raises:
            TargetUnavailableError: It could not be; `log` holds what it printed.
        """
        process, launch = await _spawn(folder, name=name, launcher=launcher)
        worker = cls(process, launch, name=name)
        try:
            await worker._load(load_timeout_seconds)
        except TargetUnavailableError as error:
            await worker.kill()
            error.log = worker.log
            raise
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def _load(self, timeout_seconds: float) -> None:
        try:
            async with asyncio.timeout(timeout_seconds):
                greeting = await self._greeting
        except TimeoutError:
            reason = f"it was not loaded within {timeout_seconds:g} seconds."
            raise TargetUnavailableError(name=self._name, reason=reason) from None
        if greeting.get("ready") is not True:
            failed = str(greeting.get("failed") or "it could not be loaded")
            reason = without_refused(failed[:_MAX_SENTENCE])
            raise TargetUnavailableError(name=self._name, reason=f"{reason.rstrip('.')}.")
        self._launch.meter.loaded()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process can still be asked."""
        return self._process.returncode is None and self._failure is None

    @property
    def log(self) -> str:
        """The last lines that the model printed."""
        return "\n".join(self._log)

    def usage(self) -> Usage:
        """Return what the process and all that it started used so far."""
        if not self._is_over:
            self._launch.meter.sample()
        return self._launch.meter.usage()

    async def ask(self, items: Sequence[Inputs]) -> list[RawResult]:
        """Send one batch and return its raw results in order.

        The caller kills a worker that it gave up on: nothing else stops a model that hangs.

        Raises:
            TargetStoppedError: The process ended or broke the protocol.
            TargetLimitError: It was ended for a limit that it broke.
        """
        answer = await self._send(items)
        results = _results(await answer, count=len(items))
        self._check()
        return results

    async def stream(
        self,
        batches: Iterable[Sequence[Inputs]],
        *,
        in_flight: int = 4,
        batch_timeout_seconds: float | None = None,
    ) -> AsyncGenerator[list[RawResult], None]:
        """Give the raw results of each batch, in order, with several batches on their way.

        The process finds its next batch waiting when it has answered one, and neither side
        waits for the other. A batch that is not answered in time ends the process.

        Raises:
            TargetStoppedError: The process ended or broke the protocol.
            TargetLimitError: It was ended for a limit that it broke.
        """
        waiting: deque[tuple[int, asyncio.Future[dict[str, object]]]] = deque()
        for batch in batches:
            waiting.append((len(batch), await self._send(batch)))
            if len(waiting) >= in_flight:
                yield await self._first(waiting, batch_timeout_seconds)
        while waiting:
            yield await self._first(waiting, batch_timeout_seconds)
        self._check()

    async def _first(
        self,
        waiting: deque[tuple[int, asyncio.Future[dict[str, object]]]],
        timeout_seconds: float | None,
    ) -> list[RawResult]:
        count, answer = waiting.popleft()
        try:
            async with asyncio.timeout(timeout_seconds):
                return _results(await answer, count=count)
        except TimeoutError:
            self._broken = f"it did not answer a batch within {timeout_seconds:g} seconds"
            error = self._stopped()
            await self.kill()
            raise error from None

    async def kill(self) -> None:
        """End the process and everything it started; returns when it is gone."""
        self.usage()
        self._signal()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._fail(self._failure or self._stopped())
        # asyncio offers no public way to close the pipes of a process whose grandchildren
        # still hold them open; without this their transports outlive the worker.
        self._process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001
        if not self._is_over:
            self._is_over = True
            await self._launch.cleanup()

    def _signal(self) -> None:
        # Not `process.kill()`: it reaps the child behind asyncio's back.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _send(self, items: Sequence[Inputs]) -> asyncio.Future[dict[str, object]]:
        if self._failure is not None:
            raise self._failure
        self._next_id += 1
        batch_id = str(self._next_id)
        items_out = [{"id": str(index), "inputs": item} for index, item in enumerate(items)]
        line = _encoded({"id": batch_id, "items": items_out})
        assert self._process.stdin is not None
        answer = self._expect(batch_id)
        try:
            self._process.stdin.write(line + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError):
            # The reader finds out why, and tells everyone who waits.
            pass
        return answer

    def _expect(self, batch_id: str | None) -> asyncio.Future[dict[str, object]]:
        answer: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        # A failure that nobody waits for any more is no news.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._waiting.append((batch_id, answer))
        return answer

    def _fail(self, failure: TargetStoppedError) -> None:
        self._failure = failure
        while self._waiting:
            _, answer = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(failure)

    async def _read_answers(self) -> None:
        try:
            while True:
                message = await self._read_message()
                if not self._waiting:
                    raise self._stopped("its process answered out of turn")
                batch_id, answer = self._waiting.popleft()
                if message.get("id") != batch_id:
                    self._waiting.appendleft((batch_id, answer))
                    raise self._stopped("its process answered out of turn")
                if not answer.done():
                    answer.set_result(message)
        except TargetStoppedError as failure:
            self._fail(failure)
            self._signal()

    async def _read_message(self) -> dict[str, object]:
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError as error:
            raise self._stopped("its answer was far too large") from error
        if not line.endswith(b"\n"):
            raise await self._ended()
        message = _decoded(line)
        if not isinstance(message, dict):
            raise self._stopped("its process answered with something unreadable")
        return message

    async def _ended(self) -> TargetStoppedError:
        """Return why there is no further answer; the process is gone or ends now."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ENDING_SECONDS):
                await self._process.wait()
        return self._stopped(_told_by_status(self._process.returncode))

    def _check(self) -> None:
        """Raise for a limit that was broken since the last look, also by what answered after it."""
        if self._launch.meter.is_guard:
            self._broken = self._broken or self._launch.meter.sample()
        if self._broken is not None:
            self._signal()
            raise self._stopped()

    async def _watch(self) -> None:
        meter = self._launch.meter
        while True:
            if meter.is_guard or self._waiting:
                broken = meter.sample()
                if broken is not None:
                    self._broken = broken
                    self._signal()
                    return
            await asyncio.sleep(meter.interval_seconds)

    async def _read_log(self) -> None:
        assert self._process.stderr is not None
        pending, seen = b"", 0
        limit = self._launch.max_log_bytes
        while chunk := await self._process.stderr.read(65_536):
            seen += len(chunk)
            *lines, pending = (pending + chunk).split(b"\n")
            pending = pending[-_LOG_LINE_BYTES:]
            for line in lines[-_LOG_LINES:]:
                self._log.append(_logged(line[:_LOG_LINE_BYTES]))
            if limit is not None and seen > limit:
                self._broken = f"it printed more than {limit // 2**20} MiB"
                self._signal()
                break
        if pending:
            self._log.append(_logged(pending))

    def _stopped(self, reason: str = "it was ended") -> TargetStoppedError:
        limit = self._broken or self._launch.meter.explain()
        if limit is not None:
            return TargetLimitError(name=self._name, reason=f"{limit}.")
        return TargetStoppedError(name=self._name, reason=f"{reason}.")


async def _spawn(
    folder: Path, *, name: str, launcher: Launcher
) -> tuple[asyncio.subprocess.Process, Launch]:
    launch: Launch | None = None
    try:
        launch = launcher(folder)
        process = await asyncio.create_subprocess_exec(
            *launch.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=launch.folder,
            env=launch.environment,
            pass_fds=launch.pass_fds,
            limit=_MAX_LINE_BYTES,
            # Its own session: Ctrl-C stops the server first, and `kill` reaches grandchildren.
            start_new_session=True,
        )
    except OSError as error:
        if launch is not None:
            await launch.cleanup()
        reason = f"its process cannot be started ({error.strerror})."
        raise TargetNotStartedError(name=name, reason=reason) from error
    except BaseException:
        if launch is not None:
            await launch.cleanup()
        raise
    finally:
        for descriptor in launch.pass_fds if launch is not None else ():
            os.close(descriptor)
    return process, launch


def _results(message: Mapping[str, object], *, count: int) -> list[RawResult]:
    results = message.get("results")
    missing: RawResult = {"error": "The model gave no answer to this input."}
    if not isinstance(results, list):
        return [missing for _ in range(count)]
    # The process may be lying: an id may be anything that JSON knows.
    by_id = {str(one.get("id")): one for one in results if isinstance(one, dict)}
    return [by_id.get(str(index), missing) for index in range(count)]


def _logged(line: bytes) -> str:
    """Return a line as a page and a terminal can show it."""
    return without_refused(line.decode("utf-8", "replace"))


def _encoded(message: Mapping[str, object]) -> bytes:
    try:
        return orjson.dumps(message)
    except orjson.JSONEncodeError:
        # Large integers and halves of surrogate pairs, which JSON allows.
        return json.dumps(message, separators=(",", ":")).encode()


def _decoded(line: bytes) -> object:
    with contextlib.suppress(ValueError):
        return orjson.loads(line)
    try:
        # NaN and the like, which are then told as the field's problem.
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _told_by_status(status: int | None) -> str:
    if status is None or status == 0:
        return "its process ended"
    number = -status if status < 0 else status - 128
    with contextlib.suppress(ValueError):
        return f"its process was ended by {signal.Signals(number).name}"
    return f"its process ended with status {status}"
