"""Debian's PgBouncer in front of a test's database."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url

from dynabench.kit.embedded_postgres.account import Account
from tests.factories.live_servers import free_port

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
_START_SECONDS = 10


@contextmanager
def pooled(url: str, *, folder: Path, options: str) -> Iterator[str]:
    """Give the address of a database through a pooler, until the block ends.

    Args:
        url: The database itself.
        folder: For the pooler's files.
        options: Lines of its configuration.
    """
    if PROGRAM is None:
        if os.environ.get("REQUIRE_DEBIAN") == "1":
            pytest.fail("PgBouncer is missing (Debian: apt-get install pgbouncer).")
        pytest.skip("PgBouncer is missing (Debian: apt-get install pgbouncer)")
    there = make_url(url)
    port = free_port()
    host = there.host or there.query.get("host", "127.0.0.1")
    file = folder / "pgbouncer.ini"
    file.write_text(
        "[databases]\n"
        f"{there.database} = host={host} port={there.port or there.query.get('port', 5432)}"
        f" user={there.username}{f' password={there.password}' if there.password else ''}\n"
        "[pgbouncer]\nlisten_addr = 127.0.0.1\nunix_socket_dir =\nauth_type = any\n"
        f"listen_port = {port}\nlogfile = {folder}/pgbouncer.log\n{options}\n",
        encoding="utf-8",
    )
    let_through(folder)
    file.chmod(0o644)
    log = folder / "pgbouncer.log"
    log.touch()
    log.chmod(0o666)
    # It refuses to run as root, and the database's socket is open to its own account alone.
    account = Account.for_server()
    user = ["-u", pwd.getpwuid(account.uid).pw_name] if account.is_other else []
    process = subprocess.Popen([PROGRAM, "-q", *user, str(file)])  # noqa: S603 - our own words
    try:
        until = time.monotonic() + _START_SECONDS
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        yield f"postgresql://{there.username}@127.0.0.1:{port}/{there.database}"
    finally:
        process.terminate()
        process.wait()


def let_through(folder: Path) -> None:
    """Have other accounts pass through a test's folder and those of pytest above it."""
    everybody = Path(tempfile.gettempdir())
    for path in (folder, *folder.parents):
        if path == everybody or everybody not in path.parents:
            return
        path.chmod(path.stat().st_mode | 0o011)
