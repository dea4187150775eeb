"""Podman or Docker, whichever works here: which images there are, and how one is run."""

import asyncio
import contextlib
import os
import resource
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from dynabench.engines.inference.launching import WORKER_VARIABLES, Launch, Launcher
from dynabench.engines.inference.metering import TreeMeter

_TOOLS = ("podman", "docker")
_MIB = 1024 * 1024
_OPEN_FILES = 1024
_PROCESSES = 4096
_QUICK_SECONDS = 30.0
_KILLED = "137"
_MAX_LOG_BYTES = 8 * _MIB
# Nobody: no user of an image needs to be root here, and root in it is root outside.
_USER = "65534:65534"
_KEPT_VARIABLES = ("PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "CONTAINER_HOST", "TMPDIR")
# Waits until whoever started it closes the pipe or dies, and removes the container then.
# What stops while it is removed may have to be removed once more.
_GUARD = (
    'folder=$1; shift; cat >/dev/null; for again in 1 2 3 4 5 6 7 8; do "$@" && break; '
    'sleep 0.25; done; rm -rf "$folder"'
)
# Podman would ask politely for ten seconds.
_REMOVE = {"podman": ("rm", "-f", "-t", "0"), "docker": ("rm", "-f")}


class ImageProblemError(Exception):
    """An image cannot be used; the text completes "the image X …"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerLimits:
    """What a container may use.

    Attributes:
        memory_bytes: Memory, swap and temporary files together.
        cpus: Processors.
        processes: Processes and threads.
        scratch_bytes: The size of its `/tmp`, the only place it can write to.
    """

    memory_bytes: int = 2048 * _MIB
    cpus: float = 1.0
    processes: int = 128
    scratch_bytes: int = 256 * _MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerTool:
    """A tool that answered; `flags` stand before its subcommand."""

    name: str
    path: str
    flags: tuple[str, ...] = ()

    def image_id(self, image: str) -> str:
        """Return `sha256:…` of an image that is on this machine.

        Raises:
            ImageProblemError: If it is not there.
        """
        done = _call([self.path, "image", "inspect", "--format", "{{.Id}}", image])
        found = done.stdout.strip().splitlines()
        if done.returncode or not found:
            raise ImageProblemError(
                "is not on this machine. Ask the operator to fetch it, and submit it again."
            )
        digest = found[0]
        return digest if digest.startswith("sha256:") else f"sha256:{digest}"

    def launcher(self, image_id: str, *, limits: ContainerLimits) -> Launcher:
        """Return what starts containers of an image, each under a name of its own."""

        def launch(_: Path) -> Launch:
            name = f"dynabench-{uuid.uuid4().hex}"
            guard = _Guard([self.path, *_REMOVE[self.name], name])
            id_file = guard.folder / "id"
            return Launch(
                command=self._command(image_id, name=name, id_file=id_file, limits=limits),
                environment=_environment(),
                cleanup=guard.end,
                meter=ContainerMeter(self.path, id_file, limits=limits),
                max_log_bytes=_MAX_LOG_BYTES,
                # Podman leaves an empty file behind where it stands when memory runs out.
                folder=guard.folder,
            )

        return launch

    def _command(
        self, image_id: str, *, name: str, id_file: Path, limits: ContainerLimits
    ) -> list[str]:
        # A folder inside the container, in memory and gone with it.
        scratch = f"/tmp:rw,nosuid,nodev,size={limits.scratch_bytes},mode=1777"  # noqa: S108
        return [
            *(self.path, *self.flags, "run", "--interactive", "--pull", "never"),
            *(
                "--name",
                name,
                "--cidfile",
                str(id_file),
                "--network",
                "none",
                "--read-only",
                "--user",
                _USER,
            ),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
            *("--memory", str(limits.memory_bytes), "--memory-swap", str(limits.memory_bytes)),
            *("--pids-limit", str(limits.processes), "--cpus", str(limits.cpus)),
            *("--tmpfs", scratch, "--ipc", "private", "--log-driver", "none"),
            *_ulimits(),
            *(word for pair in _inner_environment().items() for word in ("--env", "=".join(pair))),
            image_id,
        ]


class ContainerMeter(TreeMeter):
    """Samples the container's own processes, which are no children of the tool."""

    def __init__(self, tool: str, id_file: Path, *, limits: ContainerLimits) -> None:
        super().__init__()
        self._tool = tool
        self._id_file = id_file
        self._limits = limits
        self._is_found = False

    def begin(self, pid: int) -> None:
        """Do nothing yet: the tool's own process says nothing about the container."""

    def sample(self) -> str | None:
        """Look once; before the container runs there is nothing to see."""
        if not self._is_found:
            pid = _first_process(self._container_id())
            if pid is None:
                return None
            self._is_found = True
            super().begin(pid)
        return super().sample()

    def explain(self) -> str | None:
        """Return whether the container died for want of memory."""
        template, container = "{{.State.OOMKilled}} {{.State.ExitCode}}", self._container_id()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            done = _call([self._tool, "container", "inspect", "--format", template, container])
            was_killed, _, status = done.stdout.strip().partition(" ")
            # Not every runtime says so; but the first process of a container can be killed by
            # nobody in it, and nobody out here does while its end is awaited.
            if was_killed == "true" or status == _KILLED:
                return f"it used more than {self._limits.memory_bytes // _MIB} MiB of memory"
        return None

    def _container_id(self) -> str:
        with contextlib.suppress(OSError):
            return self._id_file.read_text(encoding="ascii").strip()
        return ""


class _Guard:
    """A process of its own that removes a container when this one lets go of it, or dies."""

    def __init__(self, remove: Sequence[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dynabench-container-"))
        # The tool's path and words made here; nothing of it comes from outside.
        self._process = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _GUARD, "sh", str(self.folder), *remove],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )

    async def end(self) -> None:
        """Have the container removed, and wait until it is gone."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.to_thread(self._process.wait)


def find_tool() -> ContainerTool | str:
    """Return Podman or Docker, whichever answers first, or the reason why neither can be used."""
    reasons = []
    for name in _TOOLS:
        path = shutil.which(name)
        if path is None:
            reasons.append(f"{name} is not installed")
            continue
        try:
            done = _call([path, "info"])
        except (OSError, subprocess.TimeoutExpired) as error:
            reasons.append(f"{name} does not answer ({type(error).__name__})")
            continue
        if done.returncode:
            told = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            reasons.append(f"{name} does not answer ({told[:200]})")
            continue
        flags = _runtime_flags() if name == "podman" else ()
        return ContainerTool(name=name, path=path, flags=flags)
    return f"This machine cannot run containers: {'; '.join(reasons)}."


def _runtime_flags() -> tuple[str, ...]:
    """Return which runtime Podman is to use where its own choice does not start.

    `crun` refuses a machine that has both kinds of control groups; `runc` takes it.
    """
    is_hybrid = Path("/sys/fs/cgroup/unified").is_dir()
    return ("--runtime", "runc") if is_hybrid and shutil.which("runc") else ()


def _ulimits() -> Sequence[str]:
    """Return limits that this process may set, as it cannot give more than it has.

    Left alone, Podman asks for more, and starts nothing where it may not have it.
    """
    wanted = {"nofile": (resource.RLIMIT_NOFILE, _OPEN_FILES)}
    # Counted over every container of this user: `--pids-limit` is the one that holds.
    wanted["nproc"] = (resource.RLIMIT_NPROC, _PROCESSES)
    found = []
    for name, (kind, most) in wanted.items():
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        found += ["--ulimit", f"{name}={value}:{value}"]
    return found


def _inner_environment() -> dict[str, str]:
    # The only folder that it can write to.
    return {**WORKER_VARIABLES, "HOME": "/tmp"}  # noqa: S108


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}


def _first_process(container_id: str) -> int | None:
    """Return the process that all others of a container descend from, by its control group."""
    inside = set()
    for path in Path("/proc").glob("[0-9]*/cgroup") if container_id else ():
        # Processes end while they are looked at.
        with contextlib.suppress(OSError):
            if container_id in path.read_text(encoding="utf-8", errors="replace"):
                inside.add(int(path.parent.name))
    for pid in inside:
        with contextlib.suppress(psutil.Error):
            if psutil.Process(pid).ppid() not in inside:
                return pid
    return None


def _call(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    # Found on the operator's path; its words are made here.
    return subprocess.run(  # noqa: S603
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=_QUICK_SECONDS,
        env=_environment(),
        stdin=subprocess.DEVNULL,
    )
