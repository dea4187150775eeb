"""Debian's PostgreSQL 15, the oldest that is supported, as a server for tests."""

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BINARIES = Path("/usr/lib/postgresql/15/bin")
# Its package would start a server of the whole machine otherwise.
NO_CLUSTER = Path("/etc/postgresql-common/createcluster.conf")


def is_installed() -> bool:
    """Tell whether its programs are there."""
    return (BINARIES / "initdb").is_file()


@contextmanager
def running() -> Iterator[str]:
    """Run a server of its own in a temporary folder, and give its address."""
    with tempfile.TemporaryDirectory(prefix="dynabench-pg15-") as name:
        folder = Path(name)
        account = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        if os.geteuid() == 0:
            os.chown(folder, account.pw_uid, account.pw_gid)
        folder.chmod(0o755)

        def program(name: str, *options: str) -> None:
            subprocess.run(  # noqa: S603 - Debian's own programs
                [str(BINARIES / name), "-D", str(folder / "data"), *options],
                check=True,
                stdout=subprocess.DEVNULL,
                cwd=folder,
                user=account.pw_uid if os.geteuid() == 0 else None,
                group=account.pw_gid if os.geteuid() == 0 else None,
                extra_groups=[] if os.geteuid() == 0 else None,
            )

        program("initdb", "--username=dynabench", "--auth=trust", "--encoding=UTF8", "--no-locale")
        settings = (
            f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
            " -c fsync=off -c max_connections=300"
        )
        program("pg_ctl", "--wait", f"--log={folder / 'log'}", f"--options={settings}", "start")
        try:
            yield f"postgresql://dynabench@/postgres?host={folder}"
        finally:
            program("pg_ctl", "--wait", "--mode=fast", "stop")
