"""Which packages are installed, and one digest for all of them."""

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distributions, version


def installed_versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of those of the packages that are installed."""
    found: dict[str, str] = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def lock_digest() -> str:
    """Return the SHA-256 of every installed package's name and version, and of Python's.

    Two environments that were installed from the same lock file have the same.
    """
    told = sorted(
        {
            f"{one.metadata['Name'].lower().replace('_', '-')}=={one.version}"
            for one in distributions()
            if one.metadata["Name"]
        }
    )
    lines = "\n".join([f"python=={platform.python_version()}", *told])
    return hashlib.sha256(lines.encode()).hexdigest()
