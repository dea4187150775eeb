"""Files that processes of one account lock."""

import errno
import os
import shlex
from pathlib import Path
from typing import IO

from dynabench.kit.errors import ConflictError

_OURS_ALONE = 0o600


class LockIsLinkError(ConflictError):
    """A link lies where a lock's file belongs."""

    code = "locks.is_link"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is a link, and a lock is a file of its own. Nothing was changed. Remove the "
            f"link: rm {shlex.quote(str(path))}",
            path=str(path),
        )


def open_lock(path: Path) -> IO[bytes]:
    """Open a lock's file, made if it is not there, so that no other account can hold it.

    Whoever may read a file may lock it, and so keep everybody else waiting. A file that an
    earlier version made for all is closed to others.

    Raises:
        LockIsLinkError: If a link lies in its place: what that leads to is not ours to open.
        OSError: If it cannot be opened.
    """
    how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
    try:
        number = os.open(path, how, _OURS_ALONE)
    except OSError as error:
        if error.errno == errno.ELOOP and path.is_symlink():
            raise LockIsLinkError(path) from error
        raise
    file = os.fdopen(number, "ab")
    if os.fstat(file.fileno()).st_uid == os.geteuid():
        os.fchmod(file.fileno(), _OURS_ALONE)
    return file
