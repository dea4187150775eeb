"""The sandbox of one process: finds out what the machine can isolate, and starts jobs in it."""

import asyncio
import contextlib
import errno
import os
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

import psutil

from dynabench.engines.inference.launching import Launch, Launcher
from dynabench.engines.sandbox.bubblewrap import Interpreter, Shell
from dynabench.engines.sandbox.control_groups import (
    ControlGroup,
    GroupParents,
    find_group_parents,
)
from dynabench.engines.sandbox.metering import SandboxMeter
from dynabench.engines.sandbox.private_folders import is_open, open_copy
from dynabench.engines.sandbox.probing import find_tool
from dynabench.engines.sandbox.system_calls import seccomp_program
from dynabench.engines.sandbox.users import JobUser, first_user, is_root, reserve_user
from dynabench.engines.sandbox.values import IsolationReport, MemoryKeeper, SandboxLimits

_MEBIBYTE = 2**20
_OPEN_FILES = 1024
# A reserve of addresses is no use of memory; large libraries reserve several times what they use.
_ADDRESS_FACTOR, _ADDRESS_SLACK = 2, 4096 * _MEBIBYTE
_CPU_SLACK_SECONDS = 10
_ENDING_TRIES, _ENDING_SECONDS = 80, 0.025
# Joins the job's group before anything else is run: $1 folders, then the command.
_JOIN = 'n=$1; shift; while [ $n -gt 0 ]; do echo 0 > "$1/cgroup.procs" || exit 1; '
_JOIN += 'shift; n=$((n-1)); done; exec "$@"'


class Sandbox:
    """Starts models of other people, shut in; nothing is started before it is needed.

    Args:
        limits: What a job may use unless said otherwise.
        hidden: Folders of the server, which stay out of sight wherever they lie.
    """

    def __init__(self, limits: SandboxLimits, *, hidden: Sequence[Path] = ()) -> None:
        self._limits = limits
        self._hidden = tuple(folder.resolve() for folder in hidden)
        self._interpreter = Interpreter.current()
        self._program = seccomp_program()
        self._parents: GroupParents | None = None
        self._first_user = first_user() if is_root() else None
        self._tool = ""
        self._report: IsolationReport | None = None
        self._lock = threading.Lock()

    @property
    def limits(self) -> SandboxLimits:
        """What a job may use unless said otherwise."""
        return self._limits

    def report(self) -> IsolationReport:
        """Return what this machine isolates; tried out once, in about a tenth of a second."""
        with self._lock:
            if self._report is None:
                self._report = self._find_out()
            return self._report

    def launcher(self, limits: SandboxLimits | None = None) -> Launcher:
        """Return what starts the model of a folder, shut in.

        It raises `OSError` where nothing can be isolated or no job started, which says nothing
        about the model.
        """
        chosen = limits or self._limits

        def launch(folder: Path) -> Launch:
            reason = self.report().reason
            if reason is not None:
                raise OSError(errno.ENOTSUP, reason.rstrip("."))
            return self._launch(folder, chosen)

        return launch

    def _find_out(self) -> IsolationReport:
        found = find_tool(
            lambda tool, uid, descriptor: self._shell(
                tool, uid=uid, descriptor=descriptor, limits=self._limits
            ),
            uid=self._first_user,
            program=self._program,
        )
        if found.reason is not None:
            return IsolationReport(reason=found.reason)
        self._tool = found.path
        self._parents = find_group_parents()
        keeper = MemoryKeeper.SAMPLING if self._parents is None else self._parents.keeper
        return IsolationReport(
            tool=found.version,
            has_own_user=self._first_user is not None,
            filters_calls=self._program is not None,
            memory=keeper,
        )

    def _shell(
        self, tool: str, *, uid: int | None, descriptor: int | None, limits: SandboxLimits
    ) -> Shell:
        return Shell(
            bwrap=tool,
            interpreter=self._interpreter,
            hidden=self._hidden,
            uid=uid,
            filter_descriptor=descriptor,
            disk_bytes=limits.disk_bytes,
        )

    def _launch(self, folder: Path, limits: SandboxLimits) -> Launch:
        job = _Job()
        try:
            if self._first_user is not None:
                job.user = reserve_user(self._first_user)
                if not is_open(folder):
                    folder = job.copy = open_copy(folder)
            if self._parents is not None:
                job.group = ControlGroup.create(self._parents, limits)
            if self._program is not None:
                job.descriptor = open_program(self._program)
        except BaseException:
            job.give_back()
            raise
        uid = None if job.user is None else job.user.uid
        shell = self._shell(self._tool, uid=uid, descriptor=job.descriptor, limits=limits)
        command = shell.command(folder, limits=_resource_limits(limits, job.group))
        if job.group is not None:
            places = [str(place) for place in job.group.folders]
            command = ["/bin/sh", "-c", _JOIN, "sh", str(len(places)), *places, *command]
        return Launch(
            command=command,
            environment={"PATH": "/usr/local/bin:/usr/bin:/bin"},
            pass_fds=() if job.descriptor is None else (job.descriptor,),
            cleanup=job.end,
            meter=SandboxMeter(limits, job.group),
            max_log_bytes=limits.log_bytes,
        )


class _Job:
    """What one start took, and how it is given back."""

    def __init__(self) -> None:
        self.user: JobUser | None = None
        self.group: ControlGroup | None = None
        self.copy: Path | None = None
        self.descriptor: int | None = None

    def give_back(self) -> None:
        """Let go of everything, before a process had it."""
        if self.descriptor is not None:
            os.close(self.descriptor)
        if self.group is not None:
            self.group.remove()
        self._free()

    async def end(self) -> None:
        """See everything off: the kernel takes a moment to end what was shut in."""
        for _ in range(_ENDING_TRIES):
            if self.group is not None:
                self.group.kill()
                if self.group.remove():
                    break
            elif self.user is None or not _has_processes(self.user.uid):
                break
            await asyncio.sleep(_ENDING_SECONDS)
        self._free()

    def _free(self) -> None:
        if self.copy is not None:
            shutil.rmtree(self.copy.parent, ignore_errors=True)
        if self.user is not None:
            self.user.release()


def _has_processes(uid: int) -> bool:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.uids().real == uid:
                return True
    return False


def open_program(program: bytes) -> int:
    """Return an open file that holds the filter, at its beginning."""
    descriptor = os.memfd_create("seccomp")
    os.write(descriptor, program)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _resource_limits(limits: SandboxLimits, group: ControlGroup | None) -> list[str]:
    """Return what the worker binds itself by before it loads the model."""
    found = [
        # A little more than is allowed: who counts has to see that the limit is broken.
        f"NPROC={limits.processes + max(limits.processes // 4, 16)}",
        f"NOFILE={_OPEN_FILES}",
        f"FSIZE={limits.disk_bytes}",
        "CORE=0",
    ]
    if limits.cpu_seconds is not None:
        found.append(f"CPU={int(limits.cpu_seconds) + _CPU_SLACK_SECONDS}")
    if group is None:
        found.append(f"AS={_ADDRESS_FACTOR * limits.memory_bytes + _ADDRESS_SLACK}")
    return found
