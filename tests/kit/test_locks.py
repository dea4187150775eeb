"""Locks that no other account can hold."""

import fcntl
import stat
from pathlib import Path

import pytest

from dynabench.app.backups.unfinished import IN_USE, in_use
from dynabench.kit.locks import LockIsLinkError, open_lock


def test_a_lock_s_file_is_closed_to_others_also_where_it_was_open(tmp_path: Path) -> None:
    old = tmp_path / "old.lock"
    old.touch()
    old.chmod(0o644)
    for path in (old, tmp_path / "new.lock"):
        with open_lock(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_in_a_lock_s_place_is_refused_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    home, theirs = tmp_path / "home", tmp_path / "theirs"
    home.mkdir()
    theirs.touch()
    theirs.chmod(0o644)
    (home / IN_USE).symlink_to(theirs)

    with pytest.raises(LockIsLinkError, match=f"rm {home / IN_USE}"), in_use(home):
        pytest.fail("the home is not in use")

    assert stat.S_IMODE(theirs.stat().st_mode) == 0o644
    (home / IN_USE).unlink()
    (home / IN_USE).symlink_to(tmp_path / "new")
    with pytest.raises(LockIsLinkError):
        open_lock(home / IN_USE)
    assert not (tmp_path / "new").exists()
