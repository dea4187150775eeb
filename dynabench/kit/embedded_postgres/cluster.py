"""One data folder and the server process on it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.errors import PostgresFailedError
from dynabench.kit.embedded_postgres.installation import Installation
from dynabench.kit.embedded_postgres.launch import LAUNCHER
from dynabench.kit.embedded_postgres.processes import end_processes_in

NAME = "dynabench"
_LONGEST_SOCKET_PATH = 85
_SOCKET_NAME = ".s.PGSQL.5432"
_STATUS_LINE = 7
_POLL_SECONDS = 0.005
_LOG_LIMIT_BYTES = 4_000_000
_BUILTIN_LOCALE_MAJOR = 17
_CHECKSUMS_BY_DEFAULT_MAJOR = 18
_LEFTOVER_MEMORY = "pre-existing shared memory block"
_LEFTOVER_PATIENCE_SECONDS = 10.0

_SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "effective_cache_size": "512MB",
    "random_page_cost": "1.1",
    "jit": "off",
    # One machine with few cores: parallel plans would take them from the requests.
    "max_parallel_workers_per_gather": "0",
    "max_worker_processes": "4",
    "autovacuum_max_workers": "2",
    # Nothing is replicated, so the log carries only what a restart needs.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "wal_compression": "on",
    "max_wal_size": "512MB",
    "checkpoint_timeout": "10min",
    "fsync": "on",
    "synchronous_commit": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
    # Else an error quotes the row that it is about: what people wrote, withheld answers.
    "log_error_verbosity": "terse",
}
_TEST_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_compression": "off",
    "autovacuum": "off",
    "max_wal_size": "2GB",
    "max_connections": "100",
}


@dataclass(frozen=True)
class Cluster:
    """A data folder, the binaries that read it and the account that owns it.

    Attributes:
        folder: Holds the data (by major version), the socket and the log; private.
        installation: The binaries.
        account: Who the server runs as.
        for_tests: Whether speed matters more than surviving a loss of power.
    """

    folder: Path
    installation: Installation
    account: Account
    for_tests: bool = False

    @property
    def data(self) -> Path:
        """The data folder proper, named by the major version that can read it."""
        return self.folder / str(self.installation.major)

    @property
    def log(self) -> Path:
        """What the server said."""
        return self.folder / "server.log"

    def initialise(self) -> None:
        """Make the data folder unless it is there; a broken attempt leaves none behind."""
        if self.data.exists():
            return
        unfinished = self.data.with_name(f"{self.data.name}.new")
        shutil.rmtree(unfinished, ignore_errors=True)
        major = self.installation.major
        options = ["--encoding=UTF8", "--auth=trust", f"--username={NAME}", "--no-instructions"]
        if major >= _BUILTIN_LOCALE_MAJOR:
            options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        else:
            options += ["--locale=C"]
        if major < _CHECKSUMS_BY_DEFAULT_MAJOR and not self.for_tests:
            options.append("--data-checksums")
        if self.for_tests:
            options.append("--no-sync")
        self._run_program("initdb", "-D", str(unfinished), *options)
        # A server for one, without a socket: it makes the database and ends.
        self._run_program(
            *("postgres", "--single", "-D", str(unfinished), "postgres"),
            commands=f'CREATE DATABASE "{NAME}"',
        )
        unfinished.rename(self.data)

    def _run_program(self, name: str, *options: str, commands: str = "") -> None:
        """Run one of PostgreSQL's programs to its end, as the server's account."""
        # The program is PostgreSQL's own, and the options are ours.
        done = subprocess.run(  # noqa: S603
            [self.installation.programs / name, *options],
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            input=commands,
            capture_output=True,
            text=True,
            check=False,
            user=self.account.uid if self.account.is_other else None,
            group=self.account.gid if self.account.is_other else None,
            extra_groups=[] if self.account.is_other else None,
        )
        # A server for one ends well even after a command that failed.
        if done.returncode != 0 or " ERROR: " in done.stderr:
            raise PostgresFailedError(log=self.log, last_lines=done.stdout + done.stderr)

    def clear_leftovers(self, socket_folder: Path) -> None:
        """End what a killed owner left running, and remove the marks of what is dead.

        A zombie still has its number, so PostgreSQL would take the pid file of one for a
        running server's. Only the holder of the owner's lock may call this.
        """
        pid_file = self.data / "postmaster.pid"
        lines = _lines(pid_file)
        postmaster = int(lines[0]) if lines and lines[0].isdecimal() else None
        end_processes_in(self.data, postmaster=postmaster)
        pid_file.unlink(missing_ok=True)
        for leftover in socket_folder.iterdir():
            leftover.unlink()

    def serve(self, socket_folder: Path) -> "ServerProcess":
        """Start the server and wait until it takes connections on a socket in a folder.

        There is no time limit: recovery after a crash takes as long as it takes.

        Raises:
            PostgresFailedError: If the process ends before it is ready.
        """
        end = time.monotonic() + _LEFTOVER_PATIENCE_SECONDS
        while True:
            try:
                return self._serve_once(socket_folder)
            except PostgresFailedError as error:
                if _LEFTOVER_MEMORY not in error.message or time.monotonic() > end:
                    raise
            time.sleep(0.2)

    def _serve_once(self, socket_folder: Path) -> "ServerProcess":
        settings = _SETTINGS | {"unix_socket_directories": str(socket_folder)}
        if self.installation.major >= _CHECKSUMS_BY_DEFAULT_MAJOR:
            # Version 18 would start three processes for reading ahead.
            settings["io_method"] = "sync"
        if self.for_tests:
            settings |= _TEST_SETTINGS
        command = [str(self.installation.programs / "postgres"), "-D", str(self.data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        server = ServerProcess(command, cluster=self, socket_folder=socket_folder)
        server.wait_until_ready()
        return server

    def make_socket_folder(self) -> Path:
        """Make an empty folder for the socket whose path is short enough for the kernel."""
        inside = self.folder / "run"
        if len(os.fsencode(inside / _SOCKET_NAME)) <= _LONGEST_SOCKET_PATH:
            self.account.make_private_folder(inside)
            return inside
        short = Path(tempfile.mkdtemp(prefix="dynabench-", dir="/tmp"))
        if self.account.is_other:
            os.chown(short, self.account.uid, self.account.gid)
        return short


class ServerProcess:
    """A running server, our direct child.

    The kernel ends the child (SIGINT) with the thread that started it, so a thread of its
    own starts it, waits for it and lives as long as the process does.
    """

    def __init__(self, command: list[str], *, cluster: Cluster, socket_folder: Path) -> None:
        self._command = command
        self._cluster = cluster
        self.socket_folder = socket_folder
        self._started = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: OSError | None = None
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="embedded-postgres", daemon=True).start()
        self._started.wait()
        if self._failure is not None:
            raise self._failure

    @property
    def pid(self) -> int:
        """The server's process number."""
        assert self._process is not None
        return self._process.pid

    @property
    def url(self) -> str:
        """Where the product's database is."""
        return f"postgresql://{NAME}@/{NAME}?host={self.socket_folder}"

    @property
    def is_running(self) -> bool:
        """Whether the server has not ended."""
        return not self._ended.is_set()

    def wait_until_ready(self) -> None:
        """Wait until the server takes connections.

        Raises:
            PostgresFailedError: If it ends before that.
        """
        pid_file = self._cluster.data / "postmaster.pid"
        while True:
            lines = _lines(pid_file)
            ready = len(lines) > _STATUS_LINE and lines[_STATUS_LINE].strip() == "ready"
            if ready and lines[0] == str(self.pid):
                return
            if self._ended.wait(_POLL_SECONDS):
                raise PostgresFailedError(
                    log=self._cluster.log, last_lines=_last_lines(self._cluster.log)
                )

    def wait(self) -> None:
        """Wait until the server has ended."""
        self._ended.wait()

    def stop(self) -> None:
        """Shut down: open transactions end, everything is written."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._ended.wait()

    def _run(self) -> None:
        account = self._cluster.account
        log = self._cluster.log
        if log.exists() and log.stat().st_size > _LOG_LIMIT_BYTES:
            log.replace(log.with_name("server.log.1"))
        launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER]
        who = [str(account.uid), str(account.gid)] if account.is_other else ["-", "-"]
        try:
            with log.open("ab") as output:
                # The interpreter is our own, and so are the program and its options.
                self._process = subprocess.Popen(  # noqa: S603
                    [*launcher, str(os.getpid()), *who, *self._command],
                    cwd="/",
                    env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
        except OSError as error:
            self._failure = error
            self._started.set()
            return
        self._started.set()
        self._process.wait()
        self._ended.set()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except FileNotFoundError:
        return []


def _last_lines(log: Path, *, count: int = 8) -> str:
    with suppress(OSError):
        return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
    return ""
