"""Files that processes of one account lock."""

import os
from pathlib import Path
from typing import IO

_OURS_ALONE = 0o600


def open_lock(path: Path) -> IO[bytes]:
    """Open a lock's file, made if it is not there, so that no other account can hold it.

    Whoever may read a file may lock it, and so keep everybody else waiting. A file that an
    earlier version made for all is closed to others.

    Raises:
        OSError: If it cannot be opened.
    """
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _OURS_ALONE), "ab")
    if os.fstat(file.fileno()).st_uid == os.geteuid():
        os.fchmod(file.fileno(), _OURS_ALONE)
    return file
