"""Kinds of media, and what is known of a stored file."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum


class MediaKind(StrEnum):
    """What a file shows."""

    IMAGE = "image"
    AUDIO = "audio"


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaFile:
    """One stored file, as its content says and not as its sender did.

    Attributes:
        digest: SHA-256 of the bytes, hexadecimal; also its place in the blob store.
        kind: Picture or sound.
        media_type: Such as `image/png`.
        size_bytes: Of the stored file.
        width: In pixels; None for a sound.
        height: In pixels; None for a sound.
        duration_seconds: None for a picture.
        thumbnail_digest: A smaller picture in the blob store; None for a sound.
    """

    digest: str
    kind: MediaKind
    media_type: str
    size_bytes: int
    width: int | None = None
    height: int | None = None
    duration_seconds: float | None = None
    thumbnail_digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedMedia:
    """A stored file on its way to somebody.

    Attributes:
        media_type: Such as `image/png`.
        size_bytes: Of the whole file.
        chunks: The bytes asked for, in pieces.
        start: The first byte given.
        end: The byte after the last one given.
    """

    media_type: str
    size_bytes: int
    chunks: AsyncIterator[bytes]
    start: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the file."""
        return self.end - self.start == self.size_bytes
