"""Looks at this machine: versions, folders, disk, open files, the sandbox, the page."""

import os
import platform
import secrets
import shlex
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dynabench import __version__
from dynabench.app.assembly.isolation import make_sandbox
from dynabench.app.backups.manifest import HOME_FILES
from dynabench.app.doctor.values import Finding, ok, problem, warning
from dynabench.app.server.connections import FILES_OF_A_SERVER, raise_open_files
from dynabench.app.server.page import page_folder
from dynabench.engines.storage.local_files import is_open_to_others
from dynabench.engines.storage.opening import open_store
from dynabench.kit.settings import Settings
from dynabench.migrations.head import newest_revision

_GIB = 2**30
_LOW_SHARE, _LOW_BYTES = 0.1, 5 * _GIB
_FULL_BYTES = _GIB // 2


def look_at_versions() -> Finding:
    """Tell which versions run here."""
    return ok(
        "versions",
        f"Dynabench {__version__} (schema {newest_revision()}), Python "
        f"{platform.python_version()}, {platform.system()} {platform.release()}.",
    )


def look_at_home(settings: Settings) -> Finding:
    """Tell whether the home folder can be written to, and who else can read it."""
    home = settings.home
    there = next((folder for folder in (home, *home.parents) if folder.exists()), home)
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"written by dynabench doctor")
    except OSError as error:
        return problem(
            "home",
            f"{there} cannot be written to: {error.strerror or error}.",
            do="Give this account the right to, or name another folder in DYNABENCH_HOME.",
        )
    if there != home:
        return warning(
            "home", f"{home} is not there yet.", do="Start the installation: dynabench up"
        )
    closings = [*_closings(settings)]
    if closings:
        return warning(
            "home",
            f"Every account of this machine can read in {home}.",
            do=f"Close it: {' && '.join(closings)}",
        )
    return ok("home", f"{home} can be written to, and others cannot read it.")


def _closings(settings: Settings) -> Iterator[str]:
    """Give the command that closes each thing that others can read."""
    home, blobs = settings.home, settings.blobs_folder
    # Through the home itself the database's account must be able to pass.
    for path in (home, *(home / name for name in HOME_FILES)):
        if path.exists() and path.stat().st_mode & stat.S_IROTH:
            yield f"chmod o-r {shlex.quote(str(path))}"
    if blobs.is_dir() and is_open_to_others(blobs):
        yield f"chmod o-rwx {shlex.quote(str(blobs))}"


def look_at_disk(settings: Settings) -> Finding:
    """Tell how much of the disk of the home folder is free."""
    home = settings.home
    there = next((folder for folder in (home, *home.parents) if folder.exists()), home)
    usage = shutil.disk_usage(there)
    return judge_disk(free=usage.free, total=usage.total)


def judge_disk(*, free: int, total: int) -> Finding:
    """Tell whether so many free bytes of so many are enough."""
    says = f"{free / _GIB:.1f} GiB of {total / _GIB:.1f} GiB are free where the home folder lies."
    do = "Make room: delete models and sets that nobody needs, or grow the disk."
    if free < _FULL_BYTES:
        return problem("disk", says, do=do)
    if free < min(_LOW_SHARE * total, _LOW_BYTES):
        return warning("disk", says, do=do)
    return ok("disk", says)


def look_at_blobs(settings: Settings) -> Finding:
    """Keep a small file in the store, read it back and delete it; make no folder of files."""
    folder = settings.blobs_folder
    if settings.blobs_url is None and not os.path.lexists(folder):
        return ok("blob store", f"{folder} is not there yet; the first stored file makes it.")
    store = open_store(settings.blobs_url, folder=folder, environment=os.environ)
    # Unlike anything that is stored: deleting it deletes nothing else.
    data = b"written by dynabench doctor " + secrets.token_bytes(16)
    digest = store.put(data)
    is_whole = store.get(digest) == data
    store.delete(digest)
    where = settings.blobs_url or str(folder)
    if not is_whole:
        return problem("blob store", f"{where} gives back other bytes.", do="Check the disk.")
    return ok("blob store", f"{where} takes files and gives them back.")


def look_at_files(settings: Settings) -> Finding:
    """Tell whether a process may open as many files as a server needs."""
    most = raise_open_files()
    wanted = settings.max_connections + FILES_OF_A_SERVER
    left = _files_left()
    if left is not None and left < wanted:
        return warning(
            "open files",
            f"All programs of this machine together may open {left} more files, and a server "
            f"opens up to {wanted}.",
            do="Raise fs.file-max (sysctl), or set DYNABENCH_MAX_CONNECTIONS lower.",
        )
    if most < wanted:
        return warning(
            "open files",
            f"A process may open {most} files, so a server holds "
            f"{max(0, most - FILES_OF_A_SERVER)} connections and not {settings.max_connections}.",
            do="Raise the limit: ulimit -n, or LimitNOFILE= of a systemd unit.",
        )
    return ok("open files", f"A process may open {most} files.")


def _files_left() -> int | None:
    """Return how many files the whole machine may still open, where Linux tells."""
    try:
        used, _, most = Path("/proc/sys/fs/file-nr").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    return int(most) - int(used)


def look_at_sandbox(settings: Settings) -> Finding:
    """Try out whether other people's code can be run here, shut in."""
    report = make_sandbox(settings).report()
    if report.reason is not None:
        fate = "run without protection" if settings.trust_submitters else "refused"
        return warning(
            "sandbox",
            f"Uploaded code is {fate} here: {report.reason}",
            do="Install bubblewrap, and look again: dynabench sandbox",
        )
    held = "" if report.memory is None else f", limits held by {report.memory.value}"
    return ok("sandbox", f"{report.tool} shuts uploaded code in{held}.")


def look_at_page(folder: Path | None = None) -> Finding:
    """Tell whether the page is built."""
    if (folder or page_folder()).joinpath("index.html").is_file():
        return ok("page", "The page is built.")
    return warning("page", "The page is not built; the API works.", do="In a checkout: make page")


def look_at_mail() -> Finding:
    """Tell that there is no mail."""
    return ok("mail", "Not configured: this version sends no mail.")
