"""Files that items name, and where they are in an archive."""

from collections.abc import Mapping
from dataclasses import dataclass

MOST_FILES = 100_000
"""So many files at most are put into an archive: the list of its files is in memory."""

MOST_BYTES = 4 << 30
"""So many bytes of them at most: the worker's disk holds them twice while they are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedFile:
    """A stored file that items name.

    Attributes:
        digest: SHA-256 of its bytes.
        media_type: Such as `image/png`.
        path: Where it is in the archive; None where files were too much to be put in.
    """

    digest: str
    media_type: str
    path: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMedia:
    """All files that a version's items name, in sum.

    Attributes:
        files: How many, each counted once.
        size_bytes: How large they are together.
        types: How many there are of each media type.
        missing: How many of them nothing is known of.
        first_missing: One of those; None if there is none.
    """

    files: int
    size_bytes: int
    types: Mapping[str, int]
    missing: int
    first_missing: str | None

    @property
    def are_included(self) -> bool:
        """Whether they are few and small enough to be put into the archive."""
        return self.files <= MOST_FILES and self.size_bytes <= MOST_BYTES
