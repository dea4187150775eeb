"""Zip archives that are the same for the same content, written as it comes."""

import hashlib
import io
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

_COPIED_BYTES = 1 << 20
# The first moment that the format knows: no archive tells when it was made.
_ALWAYS = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16
# The usual level takes three times as long for texts, to save a sixth of the size.
_LEVEL = 3


@dataclass(frozen=True, slots=True)
class PackedFile:
    """One file of an archive.

    Attributes:
        name: Its path in there.
        sha256: The digest of its content, in hexadecimal.
        size_bytes: How large it is, unpacked.
    """

    name: str
    sha256: str
    size_bytes: int


class Entry:
    """One file of an archive on its way; the next one can begin when it has ended.

    Args:
        name: Its path in the archive.
        taking: Takes its content.
    """

    def __init__(self, name: str, taking: IO[bytes]) -> None:
        self._name = name
        self._taking = taking
        self._sum = hashlib.sha256()
        self._size = 0

    def write(self, data: bytes) -> None:
        """Take the next bytes."""
        self._sum.update(data)
        self._size += len(data)
        self._taking.write(data)

    def end(self) -> PackedFile:
        """End the file."""
        self._taking.close()
        return PackedFile(self._name, self._sum.hexdigest(), self._size)

    def abandon(self) -> None:
        """Let go of the file; the archive is of no use then."""
        with suppress(OSError):
            self._taking.close()


class Packing:
    """A zip archive on its way; neither dates nor the machine are written into it.

    Args:
        file: Where to write; it must be seekable.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._zip = ZipFile(file, "w")

    def begin(self, name: str, *, is_packed: bool = False) -> Entry:
        """Begin the next file.

        Args:
            name: The file's path in the archive.
            is_packed: Whether it is packed already, so that packing it again saves nothing.
        """
        about = ZipInfo(name, _ALWAYS)
        about.create_system, about.external_attr = _UNIX, _PLAIN_FILE
        about.compress_type = ZIP_STORED if is_packed else ZIP_DEFLATED
        # The name of the level became public after the oldest Python that this runs on.
        about._compresslevel = _LEVEL  # type: ignore[attr-defined]  # noqa: SLF001
        return Entry(name, self._zip.open(about, "w", force_zip64=True))

    def add(self, name: str, content: bytes) -> PackedFile:
        """Add a small file."""
        return self.copy(name, io.BytesIO(content), is_packed=False)

    def copy(self, name: str, source: BinaryIO, *, is_packed: bool) -> PackedFile:
        """Add what is left in an open file."""
        entry = self.begin(name, is_packed=is_packed)
        try:
            while piece := source.read(_COPIED_BYTES):
                entry.write(piece)
        except BaseException:
            entry.abandon()
            raise
        return entry.end()

    def end(self) -> None:
        """Write the list of files, without which it is no archive."""
        self._zip.close()

    def abandon(self) -> None:
        """Let go of the archive, which is of no use then; all its files must have ended."""
        with suppress(OSError):
            self._zip.close()
