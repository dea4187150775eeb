"""Which code this is: the package's version, and a digest of its source files."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dynabench import __version__

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class CodeVersion:
    """What computed a result.

    Attributes:
        version: The package's version.
        source_digest: The SHA-256 over the names and contents of the package's Python files.
    """

    version: str
    source_digest: str


@cache
def code_version() -> CodeVersion:
    """Return the version of the code that runs; the files are read once per process."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return CodeVersion(version=__version__, source_digest=digest.hexdigest())
