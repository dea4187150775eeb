"""An image without a registry: a tar of this interpreter and its libraries, for `podman import`."""

import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from dynabench.engines.inference.launching import WORKER_MAIN

IMAGE = "localhost/dynabench-extras:1"

# Does what an input says, so that one model makes every attack.
OBEDIENT = """
import os, socket, subprocess, time

def predict(batch):
    return [{"label": str(obey(**item))} for item in batch]

def obey(do, what=""):
    try:
        return DEEDS[do](what)
    except OSError as error:
        return f"refused: {error.strerror or error}"

def connect(port):
    socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
    return "connected"

def remember(amount):
    block = bytearray(int(amount))
    for place in range(0, len(block), 4096):
        block[place] = 1
    return "remembered"

def multiply(count):
    made = [subprocess.Popen(["/proc/self/exe", "-c", "import time; time.sleep(60)"])
            for _ in range(int(count))]
    return len(made)

DEEDS = {
    "greet": lambda what: "hello",
    "who": lambda what: os.getuid(),
    "read": lambda path: len(open(path, "rb").read(64)),
    "write": lambda path: open(path, "wb").write(b"x"),
    "see": lambda name: os.environ.get(name, "nothing"),
    "sleep": lambda seconds: time.sleep(float(seconds)),
    "fill": lambda amount: open("/tmp/fill", "wb").write(b"x" * int(amount)),
    "connect": connect,
    "remember": remember,
    "multiply": multiply,
}
"""
_LEFT_OUT = (
    "/test/",
    "/tests/",
    "__pycache__",
    "site-packages",
    "idlelib",
    "ensurepip",
    "/config-",
)


def make_image(tool: str) -> str:
    """Import the image and return its name."""
    interpreter = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    with tempfile.TemporaryDirectory(prefix="dynabench-image-") as folder:
        archive = Path(folder) / "image.tar"
        libraries = _pack(archive, interpreter)
        command = ", ".join(
            f'"{word}"' for word in (str(interpreter), "-P", "/worker_main.py", "/model")
        )
        places = ":".join(sorted({str(library.parent) for library in libraries}))
        # The tool was found on the path; the words are ours.
        subprocess.run(  # noqa: S603
            [
                *(tool, "import", "--change", f"CMD [{command}]"),
                *("--change", f"ENV LD_LIBRARY_PATH={places}", str(archive), IMAGE),
            ],
            check=True,
            capture_output=True,
        )
    return IMAGE


def _pack(archive: Path, interpreter: Path) -> set[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    libraries = _libraries((interpreter, *library.glob("lib-dynload/*.so")))
    with tarfile.open(archive, "w") as tar:
        for name in ("tmp", "proc", "dev", "sys", "etc"):
            _add_folder(tar, name, mode=0o1777 if name == "tmp" else 0o755)
        tar.add(interpreter, arcname=str(interpreter).lstrip("/"), filter=_readable)
        tar.add(library, arcname=str(library).lstrip("/"), filter=_readable)
        for path in sorted(libraries):
            tar.add(os.path.realpath(path), arcname=str(path).lstrip("/"), filter=_readable)
        tar.add(WORKER_MAIN, arcname="worker_main.py", filter=_readable)
        model = tarfile.TarInfo("model/model.py")
        model.size, model.mode = len(OBEDIENT.encode()), 0o644
        tar.addfile(model, io.BytesIO(OBEDIENT.encode()))
    return libraries


def _add_folder(tar: tarfile.TarFile, name: str, *, mode: int) -> None:
    folder = tarfile.TarInfo(name)
    folder.type, folder.mode = tarfile.DIRTYPE, mode
    tar.addfile(folder)


def _readable(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if any(part in f"/{entry.name}/" for part in _LEFT_OUT):
        return None
    entry.uid = entry.gid = 0
    entry.mode |= 0o555 if entry.isdir() or entry.mode & 0o100 else 0o444
    return entry


def _libraries(programs: Iterable[Path]) -> set[Path]:
    found: set[Path] = set()
    for program in programs:
        # Part of the system's C library.
        told = subprocess.run(  # noqa: S603
            ["ldd", str(program)],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        found |= {Path(path) for path in re.findall(r"(/\S+\.so\S*)", told.stdout)}
    return found
