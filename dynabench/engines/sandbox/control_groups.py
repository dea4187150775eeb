"""Control groups: the kernel's own limits on a tree of processes, where this account may set them.

Version 2 needs a delegated group whose `memory` and `pids` controllers are on; version 1 needs
root. A group is made for each job below the group of this process and removed with it.
"""

import contextlib
import os
import signal
import uuid
from dataclasses import dataclass
from pathlib import Path

from dynabench.engines.sandbox.values import MemoryKeeper, SandboxLimits

_PREFIX = "dynabench-"
_NEEDED = ("memory", "pids")
# Not needed for a limit: CPU time of processes that are gone.
_WELCOME = ("cpuacct",)
_NANOSECONDS = 1_000_000_000
_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupParents:
    """Where groups are made: controller -> folder; all the same folder in version 2."""

    keeper: MemoryKeeper
    folders: dict[str, Path]


class ControlGroup:
    """The group of one job."""

    def __init__(self, parents: GroupParents, *, name: str) -> None:
        self._is_v2 = parents.keeper is MemoryKeeper.CGROUP_V2
        self._folders = {key: folder / name for key, folder in parents.folders.items()}

    @classmethod
    def create(cls, parents: GroupParents, limits: SandboxLimits) -> "ControlGroup":
        """Make a group and set its limits; an `OSError` leaves nothing behind."""
        group = cls(parents, name=f"{_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:12]}")
        try:
            for folder in group.folders:
                folder.mkdir()
            group._limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    @property
    def folders(self) -> list[Path]:
        """Each folder once; writing 0 into its `cgroup.procs` joins it."""
        return list(dict.fromkeys(self._folders.values()))

    def _limit(self, limits: SandboxLimits) -> None:
        memory, pids = self._folders["memory"], self._folders["pids"]
        (pids / "pids.max").write_text(str(limits.processes), encoding="ascii")
        if self._is_v2:
            (memory / "memory.max").write_text(str(limits.memory_bytes), encoding="ascii")
            # Absent where the kernel does without swap, or kills one process alone.
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with contextlib.suppress(OSError):
                    (memory / name).write_text(value, encoding="ascii")
            return
        size = str(limits.memory_bytes)
        (memory / "memory.limit_in_bytes").write_text(size, encoding="ascii")
        with contextlib.suppress(OSError):
            (memory / "memory.memsw.limit_in_bytes").write_text(size, encoding="ascii")

    def is_out_of_memory(self) -> bool:
        """Tell whether the kernel ended a process of the group for its memory."""
        name = "memory.events" if self._is_v2 else "memory.oom_control"
        return _count(self._folders["memory"] / name, "oom_kill") > 0

    def is_out_of_processes(self) -> bool:
        """Tell whether a process or thread was refused."""
        return _count(self._folders["pids"] / "pids.events", "max") > 0

    def cpu_seconds(self) -> float | None:
        """Return the CPU time of everything that was ever in the group, if it is counted."""
        if self._is_v2:
            return _count(self._folders["memory"] / "cpu.stat", "usage_usec") / _MICROSECONDS
        if "cpuacct" not in self._folders:
            return None
        with contextlib.suppress(OSError, ValueError):
            text = (self._folders["cpuacct"] / "cpuacct.usage").read_text(encoding="ascii")
            return int(text) / _NANOSECONDS
        return None

    def kill(self) -> None:
        """End everything in the group."""
        for folder in self.folders:
            with contextlib.suppress(OSError):
                (folder / "cgroup.kill").write_text("1", encoding="ascii")
                continue
            with contextlib.suppress(OSError, ValueError):
                for pid in (folder / "cgroup.procs").read_text(encoding="ascii").split():
                    os.kill(int(pid), signal.SIGKILL)

    def remove(self) -> bool:
        """Remove the group; returns False while something in it still ends."""
        for folder in self.folders:
            with contextlib.suppress(FileNotFoundError):
                try:
                    folder.rmdir()
                except OSError:
                    return False
        return True


def find_group_parents() -> GroupParents | None:
    """Return where this account may make groups with limits; None if nowhere.

    What an earlier process left behind is removed on the way.
    """
    try:
        mounts = _mounts(Path("/proc/self/mountinfo").read_text(encoding="utf-8"))
        own = _own_groups(Path("/proc/self/cgroup").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    for parents in _candidates(mounts, own):
        for folder in set(parents.folders.values()):
            for left in folder.glob(f"{_PREFIX}*"):
                maker = left.name.removeprefix(_PREFIX).partition("-")[0]
                # Of a living process it may be about to be used.
                if not Path("/proc", maker).exists():
                    with contextlib.suppress(OSError):
                        left.rmdir()
        try:
            ControlGroup.create(parents, SandboxLimits()).remove()
        except OSError:
            continue
        return parents
    return None


def _candidates(mounts: dict[str, tuple[Path, str]], own: dict[str, str]) -> list[GroupParents]:
    found = []
    if "" in mounts and "" in own:
        here = _folder(mounts[""], own[""])
        # A process may not stand in a group that hands controllers on, so that its own group
        # is often a leaf beside which the new ones go.
        for folder in (here.parent, here):
            with contextlib.suppress(OSError):
                on = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
                if set(_NEEDED) <= set(on):
                    folders = dict.fromkeys(_NEEDED, folder)
                    found.append(GroupParents(keeper=MemoryKeeper.CGROUP_V2, folders=folders))
    if all(name in mounts and name in own for name in _NEEDED):
        names = [name for name in (*_NEEDED, *_WELCOME) if name in mounts and name in own]
        folders = {name: _folder(mounts[name], own[name]) for name in names}
        found.append(GroupParents(keeper=MemoryKeeper.CGROUP_V1, folders=folders))
    return found


def _mounts(text: str) -> dict[str, tuple[Path, str]]:
    """Return controller -> (mount point, which group lies there); "" is version 2."""
    found: dict[str, tuple[Path, str]] = {}
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        kind, _source, options = after.split(maxsplit=2)
        place = before.split()
        if kind == "cgroup2":
            found.setdefault("", (Path(place[4]), place[3]))
        elif kind == "cgroup":
            for name in options.split(","):
                if name in (*_NEEDED, *_WELCOME):
                    found.setdefault(name, (Path(place[4]), place[3]))
    return found


def _own_groups(text: str) -> dict[str, str]:
    found = {}
    for line in text.splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            found[name] = path
    return found


def _folder(mount: tuple[Path, str], group: str) -> Path:
    point, root = mount
    inside = Path(group)
    if inside.is_relative_to(root):
        return point / inside.relative_to(root)
    return point


def _count(path: Path, key: str) -> int:
    """Return the number after a word in one of the kernel's lists; 0 where there is none."""
    with contextlib.suppress(OSError, ValueError):
        for line in path.read_text(encoding="ascii").splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
    return 0
