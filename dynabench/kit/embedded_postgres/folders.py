"""Where the database of a home lies: in it, or outside where its account cannot enter it."""

import hashlib
import os
import pwd
import shlex
import stat
from datetime import UTC, datetime
from pathlib import Path

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.errors import ClusterClosedError, TwoClustersError

OTHERS_MAY_PASS = 0o711
"""The mode of a new home: the database's account passes through, and nobody looks around."""

_SYSTEM_FOLDER = Path("/var/lib/dynabench")


def make_home(home: Path) -> None:
    """Make a home, whatever the umask, that the database's account can pass through.

    One that is there stays as it is.

    Raises:
        OSError: If it cannot be made, or is no folder.
    """
    if home.is_dir():
        return
    home.parent.mkdir(parents=True, exist_ok=True)
    try:
        home.mkdir()
    except FileExistsError:
        if not home.is_dir():
            raise
        return
    home.chmod(OTHERS_MAY_PASS)


def inner_folder(home: Path) -> Path:
    """Return where the data of a home lies that the database's account can enter."""
    return home.absolute() / "postgres"


def outer_folder(home: Path) -> Path:
    """Return where the data of a home lies that the database's account cannot enter."""
    name = hashlib.sha256(os.fsencode(home.absolute())).hexdigest()[:16]
    return _SYSTEM_FOLDER / name


def majors_in(folder: Path) -> list[int]:
    """Return the major versions whose data lies in a folder."""
    if not folder.is_dir():
        return []
    return [int(path.name) for path in folder.iterdir() if path.name.isdecimal()]


def has_cluster(home: Path) -> bool:
    """Tell whether a home has data of the embedded database, in it or outside."""
    return _holds(inner_folder(home)) or _holds(outer_folder(home))


def cluster_folder(home: Path) -> Path:
    """Return where the data of a home lies, by major version; it need not be there yet.

    Data that is there stays where it is, also where new data would lie in the other place: a
    folder above it may have been opened or closed meanwhile.

    Raises:
        ClusterClosedError: If there is data, and the server's account cannot reach it.
        TwoClustersError: If there is data in both places.
        NoAccountError: If we are root and no other account exists.
    """
    account = Account.for_server()
    inner, outer = inner_folder(home), outer_folder(home)
    has_inner, has_outer = _holds(inner), _holds(outer)
    if has_inner and has_outer and account.is_other:
        raise TwoClustersError(home=home, folders=(_with_day(inner), _with_day(outer)))
    if has_inner:
        # What is another account's does not start, and its server says so.
        if account.is_other and not account.can_enter(home):
            raise ClusterClosedError(folder=inner, do=_opening(inner, account))
        return inner
    if has_outer:
        if not account.is_other or not account.can_enter(outer):
            raise ClusterClosedError(folder=outer, do=_opening(outer, account))
        return outer
    return inner if not account.is_other or account.can_enter(home) else outer


def make_outer_parent(folder: Path) -> None:
    """Make what holds the data that lies outside of homes, whatever the umask."""
    if folder.parent == _SYSTEM_FOLDER and not _SYSTEM_FOLDER.is_dir():
        make_home(_SYSTEM_FOLDER)


def _holds(folder: Path) -> bool:
    try:
        return bool(majors_in(folder))
    except PermissionError:
        # Another account has closed it, so it is that one's data.
        return True


def _opening(folder: Path, account: Account) -> str:
    """Tell how the server's account gets to data that it cannot reach."""
    owner = folder.stat().st_uid
    if owner != account.uid:
        who = "root" if not account.is_other else _name(owner)
        return f"It was made by another account: start Dynabench as {who}."
    closed = [
        str(above)
        for above in reversed(folder.parents)
        if not above.stat().st_mode & stat.S_IXOTH and not account.can_enter(above)
    ]
    return (
        f"The account {_name(account.uid)}, which the server runs as, must be able to pass "
        f"through: chmod o+x {shlex.join(closed or [str(folder.parent)])}"
    )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _with_day(folder: Path) -> tuple[Path, str]:
    """Return a folder of data, and when it was made as far as it tells."""
    try:
        marks = [folder / str(major) / "PG_VERSION" for major in majors_in(folder)]
        made = min(mark.stat().st_mtime for mark in marks)
    except OSError:
        return folder, "made at an unknown time"
    return folder, f"made on {datetime.fromtimestamp(made, UTC):%Y-%m-%d at %H:%M} UTC"
