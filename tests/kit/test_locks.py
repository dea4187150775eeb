"""Locks that no other account can hold."""

import fcntl
import stat
from pathlib import Path

from dynabench.kit.locks import open_lock


def test_a_lock_s_file_is_closed_to_others_also_where_it_was_open(tmp_path: Path) -> None:
    old = tmp_path / "old.lock"
    old.touch()
    old.chmod(0o644)
    for path in (old, tmp_path / "new.lock"):
        with open_lock(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
