"""`make test` after `make check`: Python, page and browser tests, and one line that counts them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import debian_postgres

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = Path("/usr/bin/chromium")
_OLDEST_SERVER_TESTS = (
    "migrations/test_run.py",
    "migrations/test_landed.py",
    "stories/test_the_loop.py",
    "app/server/test_health.py",
    "app/backups/test_under_load.py",
)
BYTECODE = ROOT / ".pytest_cache" / "bytecode"


@dataclass
class Tally:
    """What a test runner reported."""

    passed: int = 0
    failed: int = 0
    skips: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add another runner's report."""
        self.passed += other.passed
        self.failed += other.failed
        self.skips += other.skips


def _from_junit(path: Path) -> Tally:
    tally = Tally()
    # The file was just written by the runner that this program started.
    for case in ET.parse(path).getroot().iter("testcase"):  # noqa: S314
        name = f"{case.get('classname')}::{case.get('name')}"
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif skipped is not None:
            tally.skips.append(f"{name}: {skipped.get('message')}")
        else:
            tally.passed += 1
    return tally


def _run(command: list[str], *, folder: Path, environment: dict[str, str]) -> int:
    print(f"$ {' '.join(command)}", flush=True)
    done = subprocess.run(command, cwd=folder, env=environment, check=False)  # noqa: S603
    return done.returncode


def _pytest(name: str, arguments: list[str], environment: dict[str, str]) -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
        status = _run(command, folder=ROOT, environment=environment)
        tally = _from_junit(report) if report.is_file() else Tally()
    if status not in {0, 1} or (status == 1 and tally.failed == 0):
        print(f"{name}: pytest ended with status {status}")
        tally.failed += 1
    return tally


def _vitest(environment: dict[str, str]) -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = ["npx", "vitest", "run", "--reporter=dot", "--reporter=json"]
        status = _run(
            [*command, f"--outputFile={report}"],
            folder=ROOT / "frontend",
            environment=environment,
        )
        if not report.is_file():
            return Tally(failed=1)
        found = json.loads(report.read_text(encoding="utf-8"))
    skips = [
        f"{Path(suite['name']).name}::{case['fullName']}: marked as skipped"
        for suite in found["testResults"]
        for case in suite["assertionResults"]
        if case["status"] in {"pending", "skipped", "todo"}
    ]
    failed = found["numFailedTests"] or (1 if status else 0)
    return Tally(passed=found["numPassedTests"], failed=failed, skips=skips)


def _may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _install(package: str, environment: dict[str, str]) -> None:
    quiet = {**environment, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)  # noqa: S607
    # One of the two names below.
    subprocess.run(  # noqa: S603
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package],  # noqa: S607
        env=quiet,
        check=False,
        stdout=subprocess.DEVNULL,
    )


def _install_browser(environment: dict[str, str]) -> None:
    """Install Debian's Chromium where this account may; require it where that worked."""
    if not CHROMIUM.is_file() and _may_install():
        _install("chromium", environment)
    if CHROMIUM.is_file() or _may_install():
        environment["REQUIRE_BROWSER"] = "1"


def _install_sandbox(environment: dict[str, str]) -> None:
    """Install bubblewrap where this account may; on Linux the tests of the sandbox must run."""
    if sys.platform != "linux":
        return
    if shutil.which("bwrap") is None and _may_install():
        _install("bubblewrap", environment)
    environment["REQUIRE_SANDBOX"] = "1"


def _install_servers(environment: dict[str, str]) -> None:
    """Install Debian's PostgreSQL 15, PgBouncer and nginx where we may; tests need them."""
    if not _may_install():
        return
    if not debian_postgres.is_installed():
        debian_postgres.NO_CLUSTER.parent.mkdir(parents=True, exist_ok=True)
        if not debian_postgres.NO_CLUSTER.exists():
            debian_postgres.NO_CLUSTER.write_text("create_main_cluster = false\n")
        _install("postgresql-15", environment)
    if shutil.which("pgbouncer", path="/usr/sbin:/usr/bin") is None:
        _install("pgbouncer", environment)
    if shutil.which("nginx", path="/usr/sbin:/usr/bin") is None:
        _install("nginx-light", environment)
    environment["REQUIRE_DEBIAN"] = "1"


def _on_the_oldest_server(environment: dict[str, str]) -> Tally:
    """Run migrations and whole stories on PostgreSQL 15; the other tests have the embedded 18."""
    if not debian_postgres.is_installed():
        if environment.get("REQUIRE_DEBIAN") == "1":
            return Tally(failed=1)
        return Tally(skips=["PostgreSQL 15: it is missing (Debian: apt-get install postgresql-15)"])
    with debian_postgres.running() as url:
        tests = [str(Path("tests", path)) for path in _OLDEST_SERVER_TESTS]
        there = {**environment, "DYNABENCH_TEST_DATABASE_URL": url}
        return _pytest("PostgreSQL 15", [*tests, "-q", "-m", "not browser"], there)


def _keep_bytecode(environment: dict[str, str]) -> None:
    """Let programs compile what they import once, out of the tree where the shell forbids it.

    Tests start hundreds of them, and compiling takes each longer than all else it does.
    """
    if environment.pop("PYTHONDONTWRITEBYTECODE", None):
        environment.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE))


def main() -> int:
    """Run every test; returns the exit status for the shell."""
    started = time.monotonic()
    environment = dict(os.environ)
    # The environment's own Node comes first: older ones on the machine may not do.
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    _keep_bytecode(environment)
    _install_browser(environment)
    _install_sandbox(environment)
    _install_servers(environment)
    total = Tally()
    parallel = ["-n", str(min(os.cpu_count() or 1, 4)), "-q"]
    ordinary = "not browser and not real_data and not extras and not attack"
    total.add(_pytest("Python", ["tests", *parallel, "-m", ordinary], environment))
    doctests = ["--doctest-modules", "dynabench/science", "dynabench/kit/paging.py", "-q"]
    total.add(_pytest("docstrings", [*doctests, "-p", "no:randomly"], environment))
    total.add(_on_the_oldest_server(environment))
    total.add(_vitest(environment))
    total.add(_pytest("browser", ["tests/browser", *parallel, "-m", "browser"], environment))
    for skip in total.skips:
        print(f"SKIPPED {skip}")
    print(f"All tests took {time.monotonic() - started:.0f} s.")
    print(f"total: {total.passed} passed, {total.failed} failed, {len(total.skips)} skipped")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
