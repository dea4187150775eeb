"""Files kept by their content: what every kind of store promises."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NewType, Protocol

Digest = NewType("Digest", str)

_DIGEST = re.compile(r"[0-9a-f]{64}")


def parse_digest(text: str) -> Digest:
    """Return the text as a digest.

    Raises:
        ValueError: If it is not 64 lower-case hexadecimal digits.
    """
    if _DIGEST.fullmatch(text) is None:
        message = f"not a SHA-256 digest: {text[:80]!r}"
        raise ValueError(message)
    return Digest(text)


class BlobStore(Protocol):
    """Keeps files under the SHA-256 of their content.

    What was put is there after a crash as soon as `put` has returned. Putting the same
    content again changes nothing. The methods block: an event loop calls them in a thread.
    """

    def put(self, data: bytes) -> Digest:
        """Keep bytes."""
        ...

    def put_stream(self, stream: BinaryIO) -> Digest:
        """Keep what is left in an open file, without holding it in memory."""
        ...

    def get(self, digest: Digest) -> bytes:
        """Return the bytes, checked against their digest.

        Raises:
            BlobNotFoundError: If nothing is stored under this digest.
            BlobDamagedError: If what is stored has another digest.
        """
        ...

    def open(self, digest: Digest) -> BinaryIO:
        """Open the file for reading; the caller closes it.

        Raises:
            BlobNotFoundError: If nothing is stored under this digest.
        """
        ...

    def exists(self, digest: Digest) -> bool:
        """Tell whether something is stored under this digest."""
        ...

    def digests(self) -> Iterator[Digest]:
        """Give everything that is stored, in no order; what comes or goes meanwhile may lack."""
        ...

    def put_folder(self, folder: Path) -> Digest:
        """Keep a folder of plain files; its digest covers names, contents and nothing else.

        Raises:
            FolderRefusedError: If it holds a link or a special file.
        """
        ...

    def folder(self, digest: Digest) -> Path:
        """Return a local folder with the files of `put_folder`, to be read only.

        Raises:
            BlobNotFoundError: If no folder is stored under this digest.
        """
        ...

    def files_of(self, digest: Digest) -> dict[str, Digest]:
        """Return what a folder of `put_folder` consists of: each file's name and digest.

        Raises:
            BlobNotFoundError: If no folder is stored under this digest.
        """
        ...

    def delete(self, digest: Digest) -> None:
        """Forget what is stored under this digest, and the folder that it was laid out as.

        The files of a folder stay: others may be made of them too. What is not there is
        passed over, so that doing it again does no harm.
        """
        ...
