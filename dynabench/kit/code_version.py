"""Which code this is: the package's version, and a digest of its source files."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class CodeVersion:
    """What computed a result.

    Attributes:
        version: The package's version; `unknown` where it runs without being installed.
        source_digest: The SHA-256 over the names and contents of the package's Python files.
    """

    version: str
    source_digest: str


@cache
def code_version() -> CodeVersion:
    """Return the version of the code that runs; the files are read once per process."""
    try:
        version = metadata.version("dynabench")
    except metadata.PackageNotFoundError:
        version = "unknown"
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return CodeVersion(version=version, source_digest=digest.hexdigest())
