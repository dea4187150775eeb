"""The wheels that `make dist` builds, installed in environments of their own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from dynabench import __version__
from tests.factories.live_servers import free_port
from tests.factories.poolers import let_through

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).parent / "uv"
MOST_PACKAGES = 12
MOST_BYTES = 25_000_000
START_SECONDS = 120

IMPORT_EVERYTHING = """
import importlib, pathlib, dynabench
root = pathlib.Path(dynabench.__file__).parent
for path in sorted(root.rglob("*.py")):
    name = ".".join(("dynabench", *path.relative_to(root).with_suffix("").parts))
    importlib.import_module(name.removesuffix(".__init__"))
    print(name)
"""
ASK = """
import sys
from dynabench import DynabenchClient
with DynabenchClient(base_url=sys.argv[1]) as client:
    print(client.account.sign_in("admin", sys.argv[2]).user.username, client.tasks.list())
"""


@dataclass(frozen=True)
class Environment:
    """A fresh environment that one wheel was installed into."""

    folder: Path

    def run(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, away from this checkout."""
        program, *arguments = (str(word) for word in words)
        # The programs are those that were just installed.
        return subprocess.run(  # noqa: S603
            [str(self.folder / "bin" / program), *arguments],
            cwd=self.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def packages(self) -> set[str]:
        """Return the names of the installed distributions."""
        listed = uv("pip", "list", "--python", self.folder / "bin" / "python", "--format", "json")
        return {one["name"] for one in json.loads(listed)}

    def size(self) -> int:
        """Return the bytes of everything that was installed."""
        (site,) = self.folder.glob("lib/python3*/site-packages")
        return sum(path.lstat().st_size for path in site.rglob("*") if path.is_file())


def clean_environment() -> dict[str, str]:
    """Return the variables of this process but those of an installation or of Python."""
    ours = ("DYNABENCH_", "PYTHON")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def uv(*words: object) -> str:
    """Run uv and return what it says."""
    done = subprocess.run(  # noqa: S603
        [str(UV), *(str(word) for word in words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def build(project: Path, folder: Path) -> Path:
    """Build a wheel as `make dist` does."""
    isolation = ("--no-build-isolation", "--python", sys.executable)
    uv("build", "--quiet", "--wheel", *isolation, "--out-dir", folder, project)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, *, extra: str = "", compile_: bool = False) -> Environment:
    """Install a wheel with the locked versions of what it needs into a new environment."""
    uv("venv", "--quiet", "--python", sys.executable, folder)
    bytecode = ("--compile-bytecode",) if compile_ else ()
    constraints = ("--constraint", ROOT / "requirements.lock")
    python = ("--python", folder / "bin" / "python")
    uv("pip", "install", "--quiet", *python, *constraints, *bytecode, f"{wheel}{extra}")
    return Environment(folder)


@pytest.fixture(scope="module")
def client_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT / "packaging" / "client", tmp_path_factory.mktemp("client-wheel"))


@pytest.fixture(scope="module")
def client_alone(client_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return install(client_wheel, tmp_path_factory.mktemp("client") / "env", compile_=True)


def test_the_client_alone_is_small(client_alone: Environment) -> None:
    assert len(client_alone.packages()) <= MOST_PACKAGES, sorted(client_alone.packages())
    assert client_alone.size() <= MOST_BYTES


def test_the_client_alone_says_how_to_get_the_commands(client_alone: Environment) -> None:
    assert client_alone.run("dynabench", "--version").stdout == f"dynabench {__version__}\n"
    done = client_alone.run("dynabench", "task", "list")

    assert done.returncode == 1
    assert done.stderr == (
        "Error: Only the Python client is installed here. Install the commands: "
        "pip install 'dynabench-client[cli]'\n"
    )


def test_the_client_with_its_commands_has_all_that_they_load(
    client_wheel: Path, tmp_path: Path
) -> None:
    environment = install(client_wheel, tmp_path / "env", extra="[cli,reports]")

    imported = environment.run("python", "-c", IMPORT_EVERYTHING)
    checked = environment.run(
        "dynabench", "task", "check", ROOT / "dynabench/catalog/tasks/nli/task.yaml"
    )
    server = environment.run("dynabench", "up")

    assert imported.returncode == 0, imported.stderr
    assert not re.search(r"\.(service|repository|tables|endpoints)\b", imported.stdout)
    assert checked.returncode == 0, checked.stderr
    assert "pip install 'dynabench-platform[server]'" in server.stderr


def test_the_platforms_wheel_runs_a_server_that_the_client_reaches(
    client_alone: Environment, tmp_path: Path
) -> None:
    wheel = build(ROOT, tmp_path / "wheel")
    environment = install(wheel, tmp_path / "env", extra="[server]")

    with running(environment, tmp_path) as (url, password):
        with urllib.request.urlopen(url) as page:  # noqa: S310 - our own server
            assert b'<div id="root"' in page.read()
        told = client_alone.run("python", "-c", ASK, url, password)

    assert told.stdout == "admin <0 items>\n", told.stderr


@contextmanager
def running(environment: Environment, home: Path) -> Iterator[tuple[str, str]]:
    """Run `dynabench up` of an environment; gives its address and the first password."""
    port = free_port()
    # As root the database runs as another account, which must be able to pass through.
    let_through(home)
    with (home / "up.log").open("wb") as log:
        # The program is the one that was just installed.
        process = subprocess.Popen(  # noqa: S603
            [environment.folder / "bin" / "dynabench", "up", "--no-core-tasks"],
            cwd=home,
            env={
                **clean_environment(),
                "DYNABENCH_HOME": str(home / "home"),
                "DYNABENCH_PORT": str(port),
            },
            stdout=log,
            stderr=log,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _await_ready(url, process, home / "up.log")
            yield url, (home / "home" / "admin-password").read_text(encoding="utf-8").strip()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _await_ready(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(f"{url}/readyz"):  # noqa: S310 - our own server
                return
        except OSError:
            said = log.read_text(errors="replace")
            assert process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(0.2)
