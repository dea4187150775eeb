"""`make test-extras`: tests that need torch, transformers, Ray or Podman, none of them skipped.

They have an environment of their own, `.venv-extras`: what is locked, and these on top. It is
made anew when the lock or this list changes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv-extras"
PYTHON = FOLDER / "bin" / "python"
STAMP = FOLDER / ".installed"
# Pip finds builds of torch that are laid out for a machine, and uv does not; a version is named so
# that nothing larger is taken than what the machine has.
PACKAGES = ("torch==2.13.0", "transformers>=5,<6", "ray[default]>=2.50,<3")
DEBIAN_PACKAGES = ("podman", "runc", "bubblewrap")


def main() -> int:
    """Install what is missing and run the tests; returns the exit status for the shell."""
    _install_programs()
    if not _install_packages():
        print("The environment of the extras could not be installed.")
        return 1
    environment = {
        **os.environ,
        "PATH": f"{PYTHON.parent}:{os.environ['PATH']}",
        "REQUIRE_EXTRAS": "1",
        "REQUIRE_SANDBOX": "1",
    }
    # The interpreter and the words are our own.
    done = subprocess.run(  # noqa: S603
        [str(PYTHON), "-m", "pytest", *_marked(), "-m", "extras", "-q"],
        cwd=ROOT,
        env=environment,
        check=False,
    )
    return done.returncode


def _marked() -> list[str]:
    """Return the files of tests that name the mark, so that no others have to be read."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file) for file in files if "mark.extras" in file.read_text(encoding="utf-8")]


def _install_programs() -> None:
    """Install Debian's Podman where this account may; the tests tell what is missing."""
    may_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
    if shutil.which("podman") is None and may_install:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run(["apt-get", "update", "-qq"], environment=quiet)
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *DEBIAN_PACKAGES]
        _run(command, environment=quiet)


def _install_packages() -> bool:
    """Make the environment, unless it is the one that is wanted."""
    lock = (ROOT / "requirements.lock").read_bytes()
    wanted = hashlib.sha256(lock + "\n".join(PACKAGES).encode()).hexdigest()
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == wanted:
        return True
    print(f"Installing {', '.join(PACKAGES)} into {FOLDER.name} …", flush=True)
    uv = str(Path(sys.executable).parent / "uv")
    python = ["--quiet", "--python", str(PYTHON)]
    steps = (
        [sys.executable, "-m", "venv", str(FOLDER)],
        [uv, "pip", "sync", *python, "--require-hashes", "requirements.lock"],
        [str(PYTHON), "-m", "pip", "install", "--quiet", *PACKAGES],
        [uv, "pip", "install", *python, "--no-deps", "--no-build-isolation", "--editable", "."],
    )
    if not all(_run(step) for step in steps):
        return False
    STAMP.write_text(wanted, encoding="utf-8")
    return True


def _run(command: list[str], *, environment: dict[str, str] | None = None) -> bool:
    # Words of our own.
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
