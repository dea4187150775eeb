"""`dynabench up`: one process that keeps the database, the server and a worker running.

It imports little, so that it costs little: what needs the whole product (migrating,
setting up the core tasks) runs in a process of its own that ends. On a database that has
this code's schema already the server comes first: people wait for the page, and nobody for
the rest.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from dynabench.app.backups.unfinished import in_use, require_database, require_whole
from dynabench.app.listening import (
    INSTANCE_VARIABLE,
    SERVER_THREADS,
    is_answered_by,
    require_free_port,
)
from dynabench.app.renewal import RENEWED
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.settings import Settings
from dynabench.migrations.head import is_at_newest

_POLL_SECONDS = 0.1
_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 10.0
# Longer than a start takes: who lived so long did not end because it could not start.
_CALM_SECONDS = 10.0
_STOP_SECONDS = 15.0
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Have the kernel end this child when the supervisor is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class _Program:
    """A child that is started again when it ends."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    next_start: float = 0.0
    pause: float = _FIRST_PAUSE_SECONDS

    def start(self) -> None:
        """Start the child in its own session, so that Ctrl-C reaches the supervisor alone."""
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            # The documented hazards of preexec_fn need threads that hold locks; at this
            # point only the database's own thread runs, which holds none of this one's.
            preexec_fn=_die_with_parent,  # noqa: PLW1509
        )
        self.started_at = time.monotonic()

    def keep_running(self, say: Callable[[str], None]) -> None:
        """Start the child again if it ended, after a pause that grows while it keeps ending."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            if now - self.started_at > _CALM_SECONDS:
                self.pause = _FIRST_PAUSE_SECONDS
            if self.process.returncode != RENEWED:
                say(f"The {self.name} ended ({self.process.returncode}); starting it again.")
            self.process = None
            self.next_start = now + self.pause
            self.pause = min(self.pause * 2, _LONGEST_PAUSE_SECONDS)
        if self.process is None and now >= self.next_start:
            self.start()

    def stop(self) -> None:
        """Ask the child to end, and end it if it does not."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Supervisor:
    """Runs everything on one machine until it is told to stop.

    Args:
        settings: Where to listen, which database, which folder.
        workers: How many job workers to run.
        say: How to tell the operator something.
        with_core_tasks: Whether the core tasks are set up where they are missing.
        instance: What its server is called, so that no other is taken for it.
    """

    settings: Settings
    workers: int = 1
    say: Callable[[str], None] = print
    with_core_tasks: bool = True
    instance: str = field(default_factory=lambda: os.urandom(8).hex())
    _programs: list[_Program] = field(default_factory=list)
    _is_stopping: bool = False

    def run(self) -> int:
        """Start everything, keep it running, and stop it on SIGINT or SIGTERM.

        Returns:
            The exit status for the shell: 0 after a stop, 1 if setting up failed.

        Raises:
            PortTakenError: If the server could not listen; nothing has been started then.
            RestoreUnfinishedError, DatabaseGoneError: If the home is not whole; the same.
        """
        require_whole(self.settings.home)
        require_database(self.settings)
        require_free_port(self.settings)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        with ExitStack() as stack:
            stack.enter_context(in_use(self.settings.home))
            url = self.settings.database_url
            if url is None:
                embedded = EmbeddedPostgres(self.settings.home, is_lasting=True)
                url = stack.enter_context(embedded)
            environment = dict(os.environ) | {
                "DYNABENCH_DATABASE_URL": url,
                "DYNABENCH_HOME": str(self.settings.home),
                "DYNABENCH_HOST": self.settings.host,
                "DYNABENCH_PORT": str(self.settings.port),
                INSTANCE_VARIABLE: self.instance,
            }
            try:
                return self._run(environment, is_set_up=is_at_newest(url))
            finally:
                for program in self._programs:
                    program.stop()

    def _run(self, environment: Mapping[str, str], *, is_set_up: bool) -> int:
        """Run the programs in the order in which they are needed, then keep them running."""
        command = [sys.executable, "-m", "dynabench.app.server"]
        server = _Program("server", command, {**SERVER_THREADS, **environment})
        if is_set_up:
            self._programs.append(server)
            self._watch(until=self._is_answering)
        status = self._set_up(environment)
        if status != 0 and not is_set_up:
            return status
        if not is_set_up:
            self._programs.append(server)
        self._programs += [
            _Program("worker", [sys.executable, "-m", "dynabench.app.worker"], environment)
            for _ in range(self.workers)
        ]
        self._watch(until=lambda: False)
        return 0

    def _watch(self, *, until: Callable[[], bool]) -> None:
        """Keep the programs running until something is so, or until told to stop."""
        while not self._is_stopping and not until():
            for program in self._programs:
                program.keep_running(self.say)
            time.sleep(_POLL_SECONDS)

    def _is_answering(self) -> bool:
        return is_answered_by(self.settings, self.instance, path="/healthz")

    def _set_up(self, environment: Mapping[str, str]) -> int:
        """Bring schema, accounts and tasks up to date, watching the programs meanwhile."""
        if self._is_stopping:
            return 0
        command = [sys.executable, "-m", "dynabench.app.setup"]
        if not self.with_core_tasks:
            command.append("--without-core-tasks")
        # The command is ours; for preexec_fn see `_Program.start`.
        with subprocess.Popen(  # noqa: S603
            command,
            env=dict(environment),
            preexec_fn=_die_with_parent,  # noqa: PLW1509
        ) as process:
            self._watch(until=lambda: process.poll() is not None)
            if process.poll() is None:
                process.terminate()
        if process.returncode != 0 and not self._is_stopping:
            self.say("Setting up did not succeed; the next start tries again.")
        return process.returncode

    def _stop(self, number: int, frame: object) -> None:
        del number, frame
        self._is_stopping = True
