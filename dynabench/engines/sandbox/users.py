"""User ids for jobs: one each, so that a job can neither touch another's processes nor files."""

import contextlib
import errno
import os
import socket
from pathlib import Path

_POOL = 256
_WANTED_FIRST = 70_000
# Where ids end at 65,536, as in many containers: above systemd's own range's start.
_SMALL_FIRST = 61_184


class NoUserError(OSError):
    """All user ids of the pool are in use."""


class JobUser:
    """One user id, reserved on this machine until `release` or the end of this process."""

    def __init__(self, uid: int, lock: socket.socket) -> None:
        self.uid = uid
        self._lock = lock

    def release(self) -> None:
        """Let another job have the id."""
        self._lock.close()


def first_user() -> int:
    """Return where the pool begins: ids that no account has and that this namespace knows."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
            inside, _outside, count = (int(word) for word in line.split())
            if inside <= _WANTED_FIRST and inside + count >= _WANTED_FIRST + _POOL:
                return _WANTED_FIRST
    return _SMALL_FIRST


def reserve_user(first: int) -> JobUser:
    """Reserve a free user id, among all processes of this machine.

    The name of an abstract Unix socket is the lock: the kernel frees it when its owner ends,
    however that happens.

    Raises:
        NoUserError: If all are taken.
    """
    for uid in range(first, first + _POOL):
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            lock.bind(f"\0dynabench-sandbox-user-{uid}")
        except OSError as error:
            lock.close()
            if error.errno != errno.EADDRINUSE:
                raise
            continue
        return JobUser(uid, lock)
    raise NoUserError(errno.EAGAIN, f"all {_POOL} user ids for jobs are in use")


def is_root() -> bool:
    """Tell whether this process may give user ids to others."""
    return os.geteuid() == 0
