"""The names in an archive: where each may lie, and that no two mean the same file."""

import unicodedata
from enum import StrEnum

from dynabench.engines.sandbox.errors import ArchiveError

_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 1_024
_MAX_DEPTH = 32
_SHOWN = 120
# What Windows understands as a place, so that an archive means the same everywhere.
_FOREIGN = ("\\", ":")


class EntryKind(StrEnum):
    """What an entry may be."""

    FILE = "file"
    FOLDER = "folder"


class Entries:
    """The entries seen so far.

    Two names that differ in case or in how a letter is composed count as the same: on some
    file systems the second would overwrite the first.
    """

    def __init__(self, *, max_files: int) -> None:
        self._max_files = max_files
        self._kinds: dict[tuple[str, ...], EntryKind] = {}
        self._count = 0
        self.files = 0

    def add(self, name: str, kind: EntryKind) -> tuple[str, ...]:
        """Take an entry; return its path below the folder, empty for the folder itself.

        Raises:
            ArchiveError: If the name leads elsewhere or the entry collides with another.
        """
        self._count += 1
        if self._count > self._max_files:
            raise ArchiveError(problem=f"The archive holds more than {self._max_files:,} files.")
        if kind is EntryKind.FOLDER and name.rstrip("/") == ".":
            # What `tar` begins with.
            return ()
        path = _checked_path(name)
        key = tuple(unicodedata.normalize("NFC", part).casefold() for part in path)
        for depth in range(1, len(key)):
            if self._kinds.setdefault(key[:depth], EntryKind.FOLDER) is EntryKind.FILE:
                raise _problem(name, "lies below a file")
        known = self._kinds.get(key)
        if known is not None and not known is kind is EntryKind.FOLDER:
            raise _problem(name, "is there twice")
        self._kinds[key] = kind
        self.files += kind is EntryKind.FILE
        return path


def _checked_path(name: str) -> tuple[str, ...]:
    if name.startswith("/"):
        raise _problem(name, "is an absolute path")
    if any(sign in name for sign in _FOREIGN):
        raise _problem(name, "has a character that file names here cannot have")
    parts = tuple(part for part in name.split("/") if part not in {"", "."})
    if ".." in parts:
        raise _problem(name, "leaves the folder")
    if not parts:
        raise _problem(name, "is no file name")
    try:
        encoded = [part.encode() for part in parts]
    except UnicodeEncodeError:
        raise _problem(name, "is no text") from None
    if any(unicodedata.category(char) in {"Cc", "Cs", "Cf"} for part in parts for char in part):
        raise _problem(name, "has a character that cannot be seen")
    is_long = max(map(len, encoded)) > _MAX_NAME_BYTES or sum(map(len, encoded)) > _MAX_PATH_BYTES
    if is_long or len(parts) > _MAX_DEPTH:
        raise _problem(name, "is too long or too deep")
    return parts


def shown(name: str) -> str:
    """Return a name as it can stand in a sentence."""
    plain = "".join(char if unicodedata.category(char)[0] != "C" else "?" for char in name)
    return plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1]}…"


def _problem(name: str, what: str) -> ArchiveError:
    return ArchiveError(problem=f"The archive's entry '{shown(name)}' {what}.", entry=shown(name))
