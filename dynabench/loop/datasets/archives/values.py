"""What an archive is, how far it is, and what it is made of."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

ARCHIVE_DATASET = "datasets.archive"
"""The job that makes a version's archive; its payload is an `ArchiveOrder`."""


class ArchiveState(StrEnum):
    """How far the archive of a version is."""

    MISSING = "missing"
    MAKING = "making"
    FAILED = "failed"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class ArchiveOrder:
    """Which version is to be made a file of."""

    version_id: UUID

    def payload(self) -> dict[str, str]:
        """Return the order as a job's payload."""
        return {"version_id": str(self.version_id)}

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "ArchiveOrder":
        """Read what `payload` wrote."""
        return cls(UUID(str(payload["version_id"])))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFile:
    """A file in an archive.

    Attributes:
        name: Its path there.
        sha256: The digest of its content, in hexadecimal.
        size_bytes: How large it is, unpacked.
        items: How many items it holds; None where it holds none.
    """

    name: str
    sha256: str
    size_bytes: int
    items: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A stored archive.

    Attributes:
        version_id: Of which version.
        made_from: The digest of all that is written into it.
        digest: SHA-256 of the file; also its place in the blob store.
        size_bytes: How large the file is.
        files: What is in it.
        created_at: When it was stored.
    """

    version_id: UUID
    made_from: str
    digest: str
    size_bytes: int
    files: tuple[ArchivedFile, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedArchive:
    """An archive on its way to somebody.

    Attributes:
        name: What to call the file.
        digest: Of the whole file.
        size_bytes: Of the whole file.
        start: The first byte that is given.
        end: The byte after the last one given.
        chunks: The bytes, in pieces; None where they were not asked for, or lie outside.
    """

    name: str
    digest: str
    size_bytes: int
    start: int
    end: int
    chunks: AsyncIterator[bytes] | None

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the file."""
        return self.end - self.start == self.size_bytes
