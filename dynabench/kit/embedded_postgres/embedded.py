"""The embedded server as the product uses it: started once per home, shared by processes."""

import fcntl
import json
import logging
import shutil
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.cluster import Cluster, ServerProcess
from dynabench.kit.embedded_postgres.errors import PostgresFailedError
from dynabench.kit.embedded_postgres.folders import (
    cluster_folder,
    majors_in,
    make_home,
    make_outer_parent,
)
from dynabench.kit.embedded_postgres.installation import find_installation
from dynabench.kit.locks import open_lock

OWNER_LOCK = "postgres.owner.lock"
"""The file of a home that the process locks whose child the server is."""
GUESTS_LOCK = "postgres.guests.lock"
"""The file of a home that every other process locks that uses the server."""

_POLL_SECONDS = 0.02
_GUEST_PATIENCE_SECONDS = 60.0
_RESTART_PAUSE_SECONDS = 0.1
_log = logging.getLogger(__name__)


class EmbeddedPostgres:
    """Starts the server of a home, or joins the one that another process has started.

    The process that starts it owns it, which a file lock shows: the kernel gives that lock
    back however the owner ends. The server is the owner's child and ends with it; if it
    ends before (a kill, no memory), the owner starts it again under the same URL.

    Args:
        home: The product's folder; the data is in `home/postgres`, or below
            `/var/lib/dynabench` where we are root and a folder above `home` was closed to
            the account that the server runs as when the data was made.
        is_lasting: Whether this process stays (server, worker) rather than doing one thing.
            A lasting process never joins a server that belongs to a passing one: it waits
            and becomes the owner. A passing owner stays until its guests have left.
        for_tests: Whether speed matters more than surviving a loss of power.
    """

    def __init__(self, home: Path, *, is_lasting: bool = False, for_tests: bool = False) -> None:
        self._home = home.absolute()
        self._is_lasting = is_lasting
        self._for_tests = for_tests
        self._running = self._home / "postgres.json"
        self._owner_lock: IO[bytes] | None = None
        self._guest_lock: IO[bytes] | None = None
        self._server: ServerProcess | None = None
        self._socket_folder: Path | None = None
        self._stopping = threading.Event()
        self._changing = threading.Lock()

    @property
    def is_owner(self) -> bool:
        """Whether this process started the server that it uses."""
        return self._server is not None

    @property
    def is_running(self) -> bool:
        """Whether the server that this process started has not ended."""
        return self._server is not None and self._server.is_running

    def start(self) -> str:
        """Start the server or join a running one, and return the database's URL.

        Raises:
            NoPostgresError: If there are no binaries for the data.
            NoAccountError: If we are root and no other account exists.
            ClusterClosedError: If there is data that the server's account cannot reach.
            TwoClustersError: If there is data in the home and outside of it.
            PostgresFailedError: If the server ends before it takes connections.
        """
        assert self._owner_lock is None, "started already"
        make_home(self._home)
        owner = self._open_lock(OWNER_LOCK)
        while True:
            try:
                fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                url = self._join()
                if url is not None:
                    owner.close()
                    return url
                time.sleep(_POLL_SECONDS)
                continue
            self._owner_lock = owner
            return self._start_own()

    def stop(self) -> None:
        """Leave the server, and shut it down if this process started it."""
        if self._guest_lock is not None:
            self._guest_lock.close()
            self._guest_lock = None
        if self._server is not None:
            with self._open_lock(GUESTS_LOCK) as guests:
                if not self._is_lasting:
                    _wait_for(guests)
                self._running.unlink(missing_ok=True)
            self._stopping.set()
            with self._changing:
                self._server.stop()
                self._server = None
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            self._socket_folder = None
        if self._owner_lock is not None:
            self._owner_lock.close()
            self._owner_lock = None

    def __enter__(self) -> str:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _join(self) -> str | None:
        """Become a guest of the running server, if it is ready and this process may join it."""
        if self._running_url() is None:
            return None
        guests = self._open_lock(GUESTS_LOCK)
        fcntl.flock(guests, fcntl.LOCK_SH)
        # Asked again: an owner that found no guest may have begun to stop before the lock.
        url = self._running_url()
        if url is None:
            guests.close()
        else:
            self._guest_lock = guests
        return url

    def _start_own(self) -> str:
        self._running.unlink(missing_ok=True)
        try:
            cluster = self._cluster()
            cluster.initialise()
            self._socket_folder = cluster.make_socket_folder()
            cluster.clear_leftovers(self._socket_folder)
            server = cluster.serve(self._socket_folder)
            self._server = server
        except BaseException:
            self.stop()
            raise
        self._tell_others(server)
        self._stopping.clear()
        keeper = threading.Thread(
            target=self._keep,
            args=[cluster, self._socket_folder],
            name="keep-postgres",
            daemon=True,
        )
        keeper.start()
        return server.url

    def _keep(self, cluster: Cluster, socket_folder: Path) -> None:
        """Start the server again, under the same URL, whenever it ends unasked."""
        while (server := self._server) is not None:
            server.wait()
            with self._changing:
                if self._stopping.is_set():
                    return
                _log.warning("The embedded PostgreSQL ended unexpectedly; it is started again.")
                try:
                    cluster.clear_leftovers(socket_folder)
                    self._server = cluster.serve(socket_folder)
                    self._tell_others(self._server)
                except (PostgresFailedError, OSError):
                    _log.exception("The embedded PostgreSQL could not be started again.")
            if self._stopping.wait(_RESTART_PAUSE_SECONDS):
                return

    def _tell_others(self, server: ServerProcess) -> None:
        """Write where the server is; others read the whole file or none."""
        written = self._running.with_name("postgres.json.new")
        written.write_text(
            json.dumps({"url": server.url, "pid": server.pid, "is_lasting": self._is_lasting})
        )
        written.replace(self._running)

    def _running_url(self) -> str | None:
        """Return the running server's URL, if it is ready and this process may join it."""
        try:
            found = json.loads(self._running.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        if self._is_lasting and not found["is_lasting"]:
            return None
        return str(found["url"])

    def _open_lock(self, name: str) -> IO[bytes]:
        return open_lock(self._home / name)

    def _cluster(self) -> Cluster:
        account = Account.for_server()
        folder = cluster_folder(self._home)
        make_outer_parent(folder)
        account.make_private_folder(folder)
        majors = majors_in(folder)
        installation = find_installation(existing_major=max(majors, default=None))
        newest = find_installation(existing_major=None).major
        if installation.major < newest:
            _log.warning(
                "The data is of PostgreSQL %d, and %d is installed. Stop everything and bring it "
                "over: dynabench db upgrade-cluster",
                installation.major,
                newest,
            )
        return Cluster(
            folder=folder,
            installation=installation.reachable_by(account, copies=folder),
            account=account,
            for_tests=self._for_tests,
        )


def _wait_for(guests: IO[bytes]) -> None:
    """Wait until nobody shares the guests' lock, and keep others from it."""
    end = time.monotonic() + _GUEST_PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            fcntl.flock(guests, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_POLL_SECONDS)
        else:
            return
